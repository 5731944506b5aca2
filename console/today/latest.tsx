import { useEffect } from 'preact/hooks'
import type { Entry } from '../../client/src/index.ts'
import type { Outcome } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { ChangeList } from '../log/change-list.tsx'
import { loadNames } from '../log/names.ts'
import { bySet, type Entries, fetchEntries } from '../log/query.ts'
import { useEntries } from '../log/use-entries.ts'
import { Failed } from '../parts/failed.tsx'
import { may, session } from '../session/session.ts'
import { importOf } from '../student/history.tsx'
import { texts } from './texts.ts'
import { round } from './use-counted.ts'

/** How many changes are shown, and how many records of one that changed many; an import is told as one. */
const [fewSets, fewRecords] = [5, 5]

/** So many times the log is asked for them. */
const mostRequests = 5

/** What the account changed last; that it took a list away as a file changed nothing. */
async function ownChanges(): Promise<Outcome<Entries>> {
  const found: Entry[] = []
  let [next, until]: [string | undefined, string | undefined] = [undefined, undefined]
  for (let asked = 0; asked < mostRequests; asked++) {
    const came: Outcome<Entries> = await fetchEntries(new URLSearchParams({ actor: 'me' }), next, until)
    if (came.is === 'failed') return came
    found.push(...came.data.entries)
    if (came.data.next === null || changesOf(found).length >= fewSets) break
    const last = bySet(found).at(-1)!
    // What is left of a large change is not shown: it is passed over, however many records it has.
    const isEnough = last.length >= shownOf(last)
    next = isEnough ? undefined : came.data.next
    if (isEnough) until = last[0]!.made_at
  }
  const sets = changesOf(found).slice(0, fewSets)
  const entries = sets.flatMap((set) => set.slice(0, shownOf(set)))
  if (entries.some(({ record }) => record === 'account' || record === 'role')) await loadNames()
  return { is: 'done', data: { entries, next: null }, tag: '' }
}

const changesOf = (entries: readonly Entry[]) =>
  bySet(entries).filter(([first]) => first!.record !== 'export')

/** How many records of a change set are shown. */
const shownOf = ([first]: readonly Entry[]) => (importOf(first!) === undefined ? fewRecords : 1)

/** What the account changed last, each with its undo. */
export function Screen() {
  const shown = useEntries(ownChanges)
  const { found, failure, load } = shown
  const { is } = session.value
  useEffect(() => {
    if (is === 'in') void load()
  }, [is])
  const say = texts()
  const isEmpty = found.value?.entries.length === 0
  return (
    <section class="section" aria-labelledby="latest">
      <h2 id="latest">{say.latest}</h2>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {isEmpty && <p class="quiet">{say.none}</p>}
      <ChangeList shown={shown} isBrief onUndone={() => round.value++} />
      {found.value && !isEmpty && <a href={may('audit.view') ? '#/log?actor=me' : '#/log'}>{say.more}</a>}
    </section>
  )
}
