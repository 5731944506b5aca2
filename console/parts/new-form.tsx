import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import type { Failure, Outcome } from '../api/calls.ts'
import { t } from '../language/language.ts'
import type { Typed } from '../student/form.ts'
import type { Inputs } from '../student/inputs.tsx'
import { faultsOf } from './edit-form.tsx'
import { Failed, type Sentences } from './failed.tsx'
import { type SaysFault, Summary } from './fields.tsx'
import { useLeaving } from './leaving.ts'

interface NewFormProps<Data> {
  /** What stands in it when it opens. */
  readonly start: Typed
  readonly labelOf: (pointer: string) => string
  /** The room's own sentences for problems. */
  readonly sentences?: Sentences
  readonly said?: SaysFault
  /** What the button says. */
  readonly make: string
  /** Where one goes without making it. */
  readonly back: string
  /** What is plainly wrong before anything is sent. */
  readonly check?: (typed: Typed) => readonly FieldFault[]
  /** @param key sent twice with it, it is made once */
  readonly send: (typed: Typed, key: string) => Promise<Outcome<Data>>
  readonly onMade: (typed: Typed, made: Data) => unknown
  readonly inputs: (inputs: Inputs) => preact.ComponentChildren
}

/** A form for a record that is to be made. */
export function NewForm<Data>(props: NewFormProps<Data>) {
  const { start, labelOf, sentences, make, back, send, onMade } = props
  const typed = useSignal<Typed>(start)
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  const key = useRef(crypto.randomUUID())
  useLeaving(() =>
    Object.entries(typed.value).some(([pointer, text]) => text.trim() !== (start[pointer] ?? '')),
  )

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    failure.value = undefined
    faults.value = props.check?.(typed.value) ?? []
    if (faults.value.length > 0) return
    isSaving.value = true
    const came = await send(typed.value, key.current)
    if (came.is === 'done') {
      await onMade(typed.value, came.data)
      return
    }
    isSaving.value = false
    faults.value = faultsOf(came.failure)
    if (faults.value.length === 0) failure.value = came.failure
  }

  return (
    <form class="form" data-save noValidate onSubmit={save}>
      <Summary faults={faults.value} labelOf={labelOf} said={props.said} />
      {failure.value && (
        <Failed what={t().failed.save} failure={failure.value} {...(sentences && { sentences })} />
      )}
      {props.inputs({
        typed: typed.value,
        faults: faults.value,
        onTyped: (next) => (typed.value = next),
      })}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isSaving.value} aria-keyshortcuts="Control+S">
          {isSaving.value ? t().student.saving : make}
        </button>
        <a class="button" href={back} data-cancel>
          {t().student.cancel}
        </a>
      </div>
    </form>
  )
}
