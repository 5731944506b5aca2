import { useSignal } from '@preact/signals'
import type { Class, FieldFault } from '../../client/src/index.ts'
import { codeOf, type Failure, type Outcome } from '../api/calls.ts'
import { act, tell } from '../classes/changes.ts'
import { oneByOneAsFreed } from '../classes/one-by-one.ts'
import { texts as classTexts } from '../classes/texts.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Summary, TextField } from '../parts/fields.tsx'
import { useLeaving } from '../parts/leaving.ts'
import { SaveButton } from '../parts/save-button.tsx'
import { classes, loadClasses } from '../session/session.ts'
import type { Typed } from '../student/form.ts'
import { texts } from './texts.ts'

const pointerOf = ({ id }: Pick<Class, 'id'>) => `/${id}`

/** All classes in use, each with its name to type over. */
export function RenameClasses({ close, onRenamed }: { close: () => void; onRenamed: () => void }) {
  const inUse = classes.value.filter(({ archived }) => !archived)
  const typed = useSignal<Typed>(Object.fromEntries(inUse.map((one) => [pointerOf(one), one.label])))
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  const nameOf = (one: Class) => typed.value[pointerOf(one)] ?? one.label
  const changed = () => classes.value.filter((one) => nameOf(one).trim() !== one.label)
  useLeaving(() => changed().length > 0)

  async function rename(one: Class): Promise<Outcome<number>> {
    const failed = await act(one, { label: nameOf(one).trim() })
    if (failed === undefined) return { is: 'done', data: one.id, tag: '' }
    // Somebody else changed it: what stands there now is shown.
    if (codeOf(failed) === 'precondition_failed') {
      const { [pointerOf(one)]: _, ...others } = typed.value
      typed.value = others
    }
    return { is: 'failed', failure: failed }
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    isSaving.value = true
    const came = await oneByOneAsFreed(changed(), rename)
    isSaving.value = false
    failure.value = came.failure
    faults.value = came.refused.map(({ one, fault }) => ({ ...fault, pointer: pointerOf(one) }))
    await loadClasses()
    if (came.done.length > 0) await tell(() => classTexts().renamed(came.done.length), came.done)
    if (came.refused.length === 0 && came.failure === undefined) onRenamed()
  }

  const labelOf = (pointer: string) => inUse.find((one) => pointerOf(one) === pointer)?.label ?? pointer
  return (
    <form class="form" data-save noValidate onSubmit={(event) => void save(event)}>
      <Summary faults={faults.value} labelOf={labelOf} />
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
      <div class="pair">
        {inUse.map((one) => (
          <TextField
            key={one.id}
            label={one.label}
            pointer={pointerOf(one)}
            value={nameOf(one)}
            faults={faults.value}
            onValue={(value) => (typed.value = { ...typed.value, [pointerOf(one)]: value })}
          />
        ))}
      </div>
      <div class="actions">
        <SaveButton isSaving={isSaving.value}>{texts().saveOn}</SaveButton>
        <button type="button" data-cancel onClick={close}>
          {t().student.cancel}
        </button>
      </div>
    </form>
  )
}
