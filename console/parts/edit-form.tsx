import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldFault, Problem } from '../../client/src/index.ts'
import { codeOf, type Failure, type Outcome, patiently } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { Conflict, type Differing, differing } from '../student/conflict.tsx'
import type { Typed } from '../student/form.ts'
import type { Inputs } from '../student/inputs.tsx'
import { Failed, type Sentences } from './failed.tsx'
import { type SaysFault, Summary } from './fields.tsx'
import { useGiven, useLeaving } from './leaving.ts'
import { SaveButton } from './save-button.tsx'

/** A record as it was read, with the entity tag that a change of it names. */
export interface ReadRecord<One> {
  readonly record: One
  readonly tag: string
}

interface Versioned {
  readonly version: number
}

/** For a change of what a list shows, which is older than this reading: who changed it since is not overwritten. */
export const asShown = ({ record, tag }: ReadRecord<Versioned>, shown: Versioned) => ({
  'If-Match': record.version === shown.version ? tag : `"${shown.version}"`,
})

/** Problems that are about one field. */
const takenAt: Partial<Record<Problem['code'], string>> = {
  class_label_taken: '/label',
  email_taken: '/email',
}

/** The fields that a failure is about. */
export function faultsOf(failure: Failure): readonly FieldFault[] {
  if (failure.is === 'offline') return []
  const { code, detail, errors } = failure.problem
  const pointer = takenAt[code]
  return pointer === undefined ? (errors ?? []) : [{ pointer, code: 'taken', detail }]
}

interface EditFormProps<One> {
  readonly opened: ReadRecord<One>
  /** A text for each field, by its pointer. */
  readonly typedOf: (record: One) => Typed
  readonly labelOf: (pointer: string) => string
  readonly said?: SaysFault
  /** Sends the fields that were changed, of the version that was opened. */
  readonly send: (
    typed: Typed,
    changed: readonly string[],
    opened: ReadRecord<One>,
    /** Told where one of two calls was done: the other is sent again of what is there now. */
    reopen: (read: ReadRecord<One>) => void,
  ) => Promise<Failure | readonly FieldFault[] | undefined>
  /** What was typed elsewhere and is not saved yet. */
  readonly start?: Typed | undefined
  /** What stands in the form beforehand, in the place of what the record has: it is saved with it, and is no reason to ask. */
  readonly proposed?: Typed
  /** How a value is shown where two changes are compared. */
  readonly shownOf?: (pointer: string, value: string) => string
  readonly fetch: () => Promise<Outcome<ReadRecord<One>>>
  readonly onSaved: (read: ReadRecord<One>) => void
  /** Where the form can be closed. */
  readonly close?: () => void
  /** What its buttons say, where that is not "Save" and "Cancel". */
  readonly labels?: { readonly save: string; readonly close: string }
  readonly takesFocus?: boolean
  /** The room's own sentences for problems. */
  readonly sentences?: Sentences
  readonly inputs: (inputs: Inputs) => preact.ComponentChildren
}

/** A form for one record. What somebody else saved meanwhile is never overwritten: it stands beside. */
export function EditForm<One>(props: EditFormProps<One>) {
  const { typedOf, labelOf, close } = props
  const opened = useSignal(props.opened)
  const typed = useSignal<Typed>({ ...typedOf(props.opened.record), ...props.proposed, ...props.start })
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const others = useSignal<readonly Differing[] | undefined>(undefined)
  const isSaving = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const given = useGiven()

  const changed = () => {
    const before = typedOf(opened.value.record)
    const pointers = new Set([...Object.keys(before), ...Object.keys(typed.value)])
    return [...pointers].filter((pointer) => (before[pointer] ?? '') !== (typed.value[pointer] ?? ''))
  }
  useLeaving(() => changed().some((pointer) => typed.value[pointer] !== props.proposed?.[pointer]))
  useLayoutEffect(() => {
    if (props.takesFocus) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    const pointers = changed()
    if (pointers.length === 0) return close?.()
    isSaving.value = true
    failure.value = undefined
    faults.value = []
    const send = () =>
      props.send(typed.value, pointers, opened.value, (read) => {
        opened.value = read
      })
    const isOffline = (failed: Awaited<ReturnType<typeof send>>) =>
      failed !== undefined && 'is' in failed && failed.is === 'offline'
    const failed = await patiently(send, isOffline, given)
    isSaving.value = false
    if (failed === undefined) return saved()
    if (!('is' in failed)) {
      faults.value = failed
      return
    }
    if (codeOf(failed) === 'precondition_failed') return compare()
    faults.value = faultsOf(failed)
    if (faults.value.length === 0) failure.value = failed
  }

  async function saved(): Promise<void> {
    others.value = undefined
    const came = await props.fetch()
    if (came.is === 'failed') {
      failure.value = came.failure
      return
    }
    opened.value = came.data
    typed.value = typedOf(came.data.record)
    props.onSaved(came.data)
  }

  /** Somebody else saved first: what only they changed is taken over, the rest is asked about. */
  async function compare(): Promise<void> {
    const came = await props.fetch()
    if (came.is === 'failed') {
      failure.value = came.failure
      return
    }
    const [before, theirs] = [typedOf(opened.value.record), typedOf(came.data.record)]
    others.value = differing(before, theirs, typed.value, true)
    adopt(came.data)
    // It was saved before, and the answer was lost.
    if (changed().length === 0) await saved()
  }

  /** Goes on from another version: what was typed here stays. */
  function adopt(next: ReadRecord<One>): void {
    const mine = changed().map((pointer) => [pointer, typed.value[pointer] ?? ''] as const)
    typed.value = { ...typedOf(next.record), ...Object.fromEntries(mine) }
    opened.value = next
  }
  useEffect(() => {
    if (props.opened.tag !== opened.value.tag) adopt(props.opened)
  }, [props.opened.tag])

  const inputs: Inputs = {
    typed: typed.value,
    faults: faults.value,
    onTyped: (next) => (typed.value = next),
  }
  return (
    <form class="form" ref={form} data-save onSubmit={save} noValidate>
      <Summary faults={faults.value} labelOf={labelOf} said={props.said} />
      {failure.value && <Failed what={t().failed.save} failure={failure.value} sentences={props.sentences} />}
      {others.value && (
        <Conflict
          differing={others.value}
          labelOf={labelOf}
          shownOf={props.shownOf}
          typed={typed.value}
          onTyped={inputs.onTyped}
        />
      )}
      {props.inputs(inputs)}
      <div class="actions">
        <SaveButton isSaving={isSaving.value}>{props.labels?.save ?? t().student.save}</SaveButton>
        {close && (
          <button type="button" data-cancel onClick={close}>
            {props.labels?.close ?? t().student.cancel}
          </button>
        )}
      </div>
    </form>
  )
}
