import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Failure } from '../api/calls.ts'
import { isolated } from '../language/isolated.ts'
import { listedApart, t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { faultText, TextField } from '../parts/fields.tsx'
import { useLeaving } from '../parts/leaving.ts'
import { classes, loadClasses } from '../session/session.ts'
import { make, removeUnused, tell, unusedBut } from './changes.ts'
import { oneByOne, type Refused } from './one-by-one.ts'
import { texts } from './texts.ts'

/** Labels end with a line, or with a comma or semicolon of either script. */
const labelsOf = (typed: string) => [
  ...new Set(
    typed
      .split(/[\n\t,;،؛]/)
      .map((label) => label.trim())
      .filter((label) => label !== ''),
  ),
]

/** Those that no class in use has. */
const notThere = (labels: readonly string[]) =>
  labels.filter((label) => !classes.value.some((one) => !one.archived && one.label === label))

interface NewClassesProps {
  readonly close: () => void
  /** Told when all are made; without it, the form is closed. */
  readonly onMade?: () => void
  /** Whether the labels are all classes that there are to be: others go where nobody was ever in them. */
  readonly replaces?: boolean
}

/** Makes several classes at once. What cannot be made stays in the field. */
export function NewClasses({ close, onMade = close, replaces = false }: NewClassesProps) {
  const typed = useSignal('')
  const refused = useSignal<readonly Refused<string>[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  /** The key of each name, made when it is first sent: sent again after a lost answer, it makes one class. */
  const keys = useRef(new Map<string, string>())
  const summary = useRef<HTMLDivElement>(null)
  useLeaving(() => typed.value.trim() !== '')
  useLayoutEffect(() => {
    if (refused.value.length > 0) summary.current?.focus()
  }, [refused.value])

  const makeOne = (label: string) => {
    const key = keys.current.get(label) ?? crypto.randomUUID()
    keys.current.set(label, key)
    return make({ label, key })
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const labels = labelsOf(typed.value)
    if (isSaving.value || labels.length === 0) return
    isSaving.value = true
    const removed = replaces ? await removeUnused(labels) : { ids: [], failure: undefined }
    const wanted = replaces ? notThere(labels) : labels
    const came = await oneByOne(removed.failure ? [] : wanted, makeOne)
    isSaving.value = false
    failure.value = removed.failure ?? came.failure
    refused.value = came.refused
    const left = removed.failure ? wanted : [...came.refused.map(({ one }) => one), ...came.left]
    typed.value = left.join('\n')
    await loadClasses()
    const changed = [...removed.ids, ...came.done]
    if (changed.length > 0) await tell(() => told(came.done.length, removed.ids.length), changed)
    if (typed.value === '' && failure.value === undefined) onMade()
  }

  return (
    <form class={replaces ? 'form' : 'form section'} data-save noValidate onSubmit={save}>
      {refused.value.length > 0 && (
        <div class="summary" role="alert" tabIndex={-1} ref={summary}>
          <strong>{texts().leftOver}</strong>
          <ul>
            {refused.value.map(({ one, fault }) => (
              <li key={one}>
                × {texts().line(isolated(one))} {faultText(fault)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
      <TextField
        label={replaces ? texts().allLabels : texts().labels}
        pointer="/labels"
        hint={replaces ? `${texts().labelsHint} ${texts().unusedGo}` : texts().labelsHint}
        lines
        focus={!replaces}
        value={typed.value}
        onValue={(value) => (typed.value = value)}
      />
      <p class="hint" role="status">
        {typed.value.trim() !== '' && plan(labelsOf(typed.value), replaces)}
      </p>
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

const told = (made: number, removed: number) =>
  [made > 0 && texts().made(made), removed > 0 && texts().removed(removed)].filter(Boolean).join(' ')

/** Which classes would be made, and which would go. */
function plan(labels: readonly string[], replaces: boolean): string {
  const made = replaces ? notThere(labels) : labels
  const gone = replaces ? unusedBut(labels).map(({ label }) => label) : []
  return [
    made.length > 0 && texts().willMake(made.length, listedApart(made)),
    gone.length > 0 && texts().willGo(gone.length, listedApart(gone)),
  ]
    .filter(Boolean)
    .join(' ')
}
