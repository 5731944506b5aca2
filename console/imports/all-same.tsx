import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Failure } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import type { Choices, Chosen } from './decided.ts'
import { keptNames } from './kept-names.ts'
import { plainTwins } from './plain-twins.ts'
import type { ImportRecord } from './record.ts'
import { texts } from './texts.ts'

/** Fewer rows are looked at one by one. */
const fewest = 2

/** Settles all rows at once that have name and date of birth of one student: chosen below, and to be sent. */
export function AllSame({ record }: { record: ImportRecord }) {
  const twins = useSignal<Choices>({})
  const failure = useSignal<Failure | undefined>(undefined)
  const done = useSignal(0)
  const said = useRef<HTMLParagraphElement>(null)
  async function load(): Promise<void> {
    const came = await plainTwins(record.id)
    failure.value = 'is' in came && typeof came.is === 'string' ? (came as Failure) : undefined
    if (failure.value === undefined) twins.value = came as Choices
  }
  useEffect(() => void load(), [])
  const open = Object.entries(twins.value).filter(([place]) => !(place in record.choices.value))
  function choose(decision: Chosen['decision']): void {
    const chosen = open.map(([place, twin]) => [place, { ...twin, decision }] as const)
    record.choices.value = { ...record.choices.value, ...Object.fromEntries(chosen) }
    done.value = open.length
    said.current?.focus() // the button goes
  }
  return (
    <>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {open.length >= fewest && (
        <div class="check">
          <p>? {texts().allAlike(open.length)}</p>
          <div class="actions">
            <button type="button" onClick={() => choose('same')}>
              {texts().allSame(open.length)}
            </button>
            <button type="button" onClick={() => choose('same_keep_name')}>
              {keptNames().all}
            </button>
          </div>
        </div>
      )}
      <p role="status" tabIndex={-1} ref={said}>
        {done.value > 0 && texts().allChosen(done.value)}
      </p>
    </>
  )
}
