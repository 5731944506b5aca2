import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import type { Failure } from '../api/calls.ts'
import { isolated, t } from '../language/language.ts'
import { faultsOf } from '../parts/edit-form.tsx'
import { Failed } from '../parts/failed.tsx'
import { faultText, TextField } from '../parts/fields.tsx'
import { useLeaving } from '../parts/leaving.ts'
import { load, make, tell, type Wanted } from './changes.ts'
import { texts } from './texts.ts'

/** A line that made no class, and why. */
interface Refused {
  readonly label: string
  readonly fault: FieldFault
}

const linesOf = (typed: string) => [
  ...new Set(
    typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** Makes several classes at once. What cannot be made stays in the field. */
export function NewClasses({ close }: { close: () => void }) {
  const typed = useSignal('')
  const refused = useSignal<readonly Refused[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  /** The key of each name, made when it is first sent: sent again after a lost answer, it makes one class. */
  const keys = useRef(new Map<string, string>())
  const summary = useRef<HTMLDivElement>(null)
  useLeaving(() => typed.value.trim() !== '')
  useLayoutEffect(() => {
    if (refused.value.length > 0) summary.current?.focus()
  }, [refused.value])

  const wanted = (label: string): Wanted => {
    const key = keys.current.get(label) ?? crypto.randomUUID()
    keys.current.set(label, key)
    return { label, key }
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const labels = linesOf(typed.value)
    if (isSaving.value || labels.length === 0) return
    isSaving.value = true
    failure.value = undefined
    const made: number[] = []
    const left: Refused[] = []
    let done = 0
    for (const label of labels) {
      const came = await make(wanted(label))
      if (came.is === 'failed') {
        const [fault] = faultsOf(came.failure)
        if (fault === undefined) {
          failure.value = came.failure
          break
        }
        left.push({ label, fault })
      } else made.push(came.data)
      done++
    }
    isSaving.value = false
    refused.value = left
    typed.value = [...left.map(({ label }) => label), ...labels.slice(done)].join('\n')
    await load()
    if (made.length > 0) await tell(texts().made(made.length), made)
    if (typed.value === '') close()
  }

  return (
    <form class="form section" data-save noValidate onSubmit={save}>
      {refused.value.length > 0 && (
        <div class="summary" role="alert" tabIndex={-1} ref={summary}>
          <strong>{texts().leftOver}</strong>
          <ul>
            {refused.value.map(({ label, fault }) => (
              <li key={label}>
                × {texts().line(isolated(label))} {faultText(fault)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
      <TextField
        label={texts().labels}
        pointer="/labels"
        hint={texts().labelsHint}
        lines
        focus
        value={typed.value}
        onValue={(value) => (typed.value = value)}
      />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isSaving.value} aria-keyshortcuts="Control+S">
          {isSaving.value ? t().student.saving : texts().make}
        </button>
        <button type="button" data-cancel onClick={close}>
          {t().student.cancel}
        </button>
      </div>
    </form>
  )
}
