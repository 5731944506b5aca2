import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import { codeOf, type Failure } from '../api/calls.ts'
import { openForms } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Summary } from '../parts/fields.tsx'
import { ownFields } from '../session/session.ts'
import { Conflict, type Differing, differing } from './conflict.tsx'
import {
  type ChildField,
  childFields,
  emptyFaults,
  guardianPlaces,
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
  const typed = useSignal<Typed>(typedOf(name, opened.value.student))
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const others = useSignal<readonly Differing[] | undefined>(undefined)
  const isSaving = useSignal(false)
  const form = useRef<HTMLFormElement>(null)

  const patch = () => patchOf(name, typedOf(name, opened.value.student), typed.value)
  const isChanged = () => Object.keys(patch()).length > 0

  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    openForms.add(isChanged)
    return () => void openForms.delete(isChanged)
  }, [])

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
    const failed = await record.save(patch(), opened.value.tag)
    isSaving.value = false
    if (failed === undefined) return close()
    if (codeOf(failed) === 'precondition_failed') return void compare()
    const errors = failed.is === 'problem' ? (failed.problem.errors ?? []) : []
    faults.value = errors
    if (errors.length === 0) failure.value = failed
  }

  /** Somebody else saved first: what they changed stands beside what was typed here. */
  async function compare(): Promise<void> {
    const came = await record.fetch()
    if (came.is === 'failed') {
      failure.value = came.failure
      return
    }
    const [before, theirs] = [typedOf(name, opened.value.student), typedOf(name, came.data.student)]
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
        <button type="submit" class="primary" aria-disabled={isSaving.value} aria-keyshortcuts="Control+S">
          {isSaving.value ? t().student.saving : t().student.save}
        </button>
        <button type="button" data-cancel onClick={cancel}>
          {t().student.cancel}
        </button>
      </div>
    </form>
  )
}
