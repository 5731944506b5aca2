import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import { codeOf, type Failure, patiently } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { keptDraft, useDraft } from '../parts/draft.ts'
import { Failed } from '../parts/failed.tsx'
import { Summary } from '../parts/fields.tsx'
import { useGiven, useLeaving } from '../parts/leaving.ts'
import { SaveButton } from '../parts/save-button.tsx'
import type { Draft } from '../session/drafts.ts'
import { ownFields } from '../session/session.ts'
import { Conflict, type Differing, differing } from './conflict.tsx'
import {
  type ChildField,
  childFields,
  emptyFaults,
  guardianPlaces,
  guardiansOf,
  patchOf,
  type SectionName,
  type Typed,
  typedOf,
} from './form.ts'
import { ChildInput, GuardianInputs, OwnInputs } from './inputs.tsx'
import type { Read, StudentRecord } from './record.ts'

/** What a pointer is called on the screen. */
export function labelOf(pointer: string): string {
  const [, first = '', second = '', third = ''] = pointer.split('/')
  if (first === 'guardians' && third !== '')
    return `${t().student.guardian(Number(second) + 1)}, ${t().fields[third as 'phone']}`
  if (first === 'fields') return ownFields.value.find(({ key }) => key === second)?.label ?? second
  return t().fields[first as ChildField] ?? first
}

/** What a form is called where it is kept over a reload. */
export const draftName = (id: number, name: SectionName) => `${id} ${name}`

/** What somebody else changed, while a page was loaded anew, of what was typed there. */
function sinceDraft(stood: Typed, draft: Draft | undefined): readonly Differing[] | undefined {
  if (draft === undefined) return undefined
  const found = differing({ ...stood, ...draft.before }, stood, { ...stood, ...draft.typed }, true)
  return found.length > 0 ? found : undefined
}

/** A section as a form. It sends what was changed, of the version that was on the screen when it opened. */
export function SectionForm({
  name,
  record,
  close,
}: {
  name: SectionName
  record: StudentRecord
  close: () => void
}) {
  const opened = useSignal<Read>(record.read.value!)
  const stood = typedOf(name, opened.value.student)
  const draft = useMemo(() => keptDraft(draftName(record.id, name), stood), [])
  const typed = useSignal<Typed>({ ...stood, ...draft?.typed })
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const others = useSignal<readonly Differing[] | undefined>(sinceDraft(stood, draft))
  const isSaving = useSignal(false)
  const form = useRef<HTMLFormElement>(null)

  const patch = () => patchOf(name, typedOf(name, opened.value.student), typed.value)
  const isChanged = () => Object.keys(patch()).length > 0

  const given = useGiven()
  useLeaving(isChanged)
  useDraft(draftName(record.id, name), stood, typed.value)
  useLayoutEffect(() => {
    record.openForms.value++
    return () => void record.openForms.value--
  }, [record])
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])

  const cancel = () => {
    if (!isChanged() || confirm(t().student.unsaved)) close()
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    faults.value = emptyFaults(typed.value)
    if (faults.value.length > 0) return
    if (!isChanged()) return close()
    isSaving.value = true
    failure.value = undefined
    const send = () => record.save(patch(), opened.value.tag)
    const failed = await patiently(send, (failed) => failed?.is === 'offline', given)
    isSaving.value = false
    if (failed === undefined) return done()
    if (codeOf(failed) === 'precondition_failed') return void compare()
    const errors = failed.is === 'problem' ? (failed.problem.errors ?? []) : []
    faults.value = errors
    if (errors.length === 0) failure.value = failed
  }

  function done(): void {
    if (name === 'guardians')
      void record.offerToOthers(guardiansOf(stood) ?? [], guardiansOf(typed.value) ?? [])
    close()
  }

  /** Somebody else saved first: what they changed stands beside what was typed here. */
  async function compare(): Promise<void> {
    const came = await record.fetch()
    if (came.is === 'failed') {
      failure.value = came.failure
      return
    }
    const [before, theirs] = [stood, typedOf(name, came.data.student)]
    if (Object.keys(patchOf(name, theirs, typed.value)).length === 0) {
      await record.saved() // it was saved before, and the answer was lost
      return done()
    }
    // Guardians are told by their places: with one more or fewer, each difference is the reader's to decide.
    const places = [before, theirs, typed.value].map((one) => guardianPlaces(one).length)
    const isMerged = new Set(places).size === 1
    others.value = differing(before, theirs, typed.value, isMerged)
    // What only they changed is taken over: it is not to go back by saving what stood here before.
    const untouched = Object.entries(theirs).filter(([pointer]) => typed.value[pointer] === before[pointer])
    if (isMerged) typed.value = { ...typed.value, ...Object.fromEntries(untouched) }
    opened.value = came.data
  }

  const inputs = {
    typed: typed.value,
    faults: faults.value,
    onTyped: (next: Typed) => (typed.value = next),
  }
  return (
    <form class="form" ref={form} data-save onSubmit={save} noValidate>
      <Summary faults={faults.value} labelOf={labelOf} />
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
      {others.value && (
        <Conflict differing={others.value} labelOf={labelOf} typed={typed.value} onTyped={inputs.onTyped} />
      )}
      {name === 'child' &&
        childFields
          .filter((field) => `/${field}` in typed.value)
          .map((field) => <ChildInput key={field} name={field} {...inputs} />)}
      {name === 'guardians' && <GuardianInputs {...inputs} />}
      {name === 'own' && <OwnInputs {...inputs} />}
      <div class="actions">
        <SaveButton isSaving={isSaving.value}>{t().student.save}</SaveButton>
        <button type="button" data-cancel onClick={cancel}>
          {t().student.cancel}
        </button>
      </div>
    </form>
  )
}
