import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import { codeOf, type Failure, patiently } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { Combobox, type Option } from '../parts/combobox.tsx'
import { Failed } from '../parts/failed.tsx'
import { Summary } from '../parts/fields.tsx'
import { useGiven, useLeaving, useReturn } from '../parts/leaving.ts'
import { SaveButton } from '../parts/save-button.tsx'
import { classes } from '../session/session.ts'
import { mayEdit } from './form.ts'
import type { StudentRecord } from './record.ts'
import { texts } from './texts.ts'

/** Where a student can be moved to: the classes that take students, but the present one. */
const choices = (present: unknown): Option[] =>
  classes.value
    .filter(({ id, archived }) => !archived && id !== present)
    .map(({ id, label }) => ({ id: String(id), label }))

/** Moves a student to another class: an action of its own, since it is done each August for many. */
export function MoveClass({ record }: { record: StudentRecord }) {
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    isOpen.value = false
  }
  useReturn(isOpen.value, () => button.current)
  if (!mayEdit('child') || choices(record.read.value?.student.class_id).length === 0) return null
  if (record.openForms.value > 0 && !isOpen.value) return null // it would change the version under that form
  return isOpen.value ? (
    <MoveForm record={record} close={close} />
  ) : (
    <button type="button" ref={button} onClick={() => (isOpen.value = true)}>
      {texts().moveClass}
    </button>
  )
}

function MoveForm({ record, close }: { record: StudentRecord; close: () => void }) {
  const opened = useSignal(record.read.value!)
  const to = useSignal('')
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isMoved = useSignal(false)
  const isSaving = useSignal(false)
  const given = useGiven()
  useLeaving(() => to.value !== '')

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    faults.value = to.value === '' ? [{ pointer: '/move', code: 'not_allowed', detail: '' }] : []
    failure.value = undefined
    if (to.value === '') return
    isSaving.value = true
    const send = () => record.save({ class_id: Number(to.value) }, opened.value.tag)
    const failed = await patiently(send, (failed) => failed?.is === 'offline', given)
    isSaving.value = false
    if (failed === undefined) return close()
    if (codeOf(failed) === 'precondition_failed') return look()
    failure.value = failed
  }

  /** Somebody else changed the student: moved there already, or what is there now is shown, and it is pressed again. */
  async function look(): Promise<void> {
    const was = opened.value.student.class_id
    await record.load()
    opened.value = record.read.value!
    const { class_id: is } = opened.value.student
    if (is === Number(to.value)) {
      await record.saved()
      return close()
    }
    isMoved.value = is !== was
    if (!isMoved.value) await again() // the class is as it was read: the change of another field stays
  }
  async function again(): Promise<void> {
    failure.value = await record.save({ class_id: Number(to.value) }, opened.value.tag)
    if (failure.value === undefined) close()
  }

  return (
    <form class="form move" data-save noValidate onSubmit={(event) => void save(event)}>
      <Summary faults={faults.value} labelOf={() => texts().toClass} />
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
      {isMoved.value && (
        <p class="check" role="alert">
          ? {t().conflict.title}: {t().fields.class}{' '}
          <bdi>{classes.value.find(({ id }) => id === opened.value.student.class_id)?.label}</bdi>
        </p>
      )}
      <Combobox
        label={texts().toClass}
        pointer="/move"
        value={to.value}
        onValue={(value) => (to.value = value)}
        options={choices(opened.value.student.class_id)}
        faults={faults.value}
        focus
      />
      <div class="actions">
        <SaveButton isSaving={isSaving.value}>{texts().move}</SaveButton>
        <button type="button" data-cancel onClick={close}>
          {t().student.cancel}
        </button>
      </div>
    </form>
  )
}
