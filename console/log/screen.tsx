import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { UndoResult } from '../../client/src/index.ts'
import type { Failure } from '../api/calls.ts'
import { address } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Title } from '../parts/title.tsx'
import { may, session } from '../session/session.ts'
import { ChangeSet } from './change-set.tsx'
import { Filters } from './filters.tsx'
import { forgetNames, learnNames, loadNames } from './names.ts'
import { bySet, type Entries, fetchEntries } from './query.ts'
import { texts } from './texts.ts'

/** Who changed what, and when: the newest first. */
export function Screen() {
  const found = useSignal<Entries | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  /** What came of the undo that was asked for last, and of which change set. */
  const undone = useSignal<{ readonly id: number; readonly result: UndoResult } | undefined>(undefined)
  const asked = useRef(0)
  const { query } = address.value
  const { is } = session.value
  const say = texts()

  async function load(before?: string): Promise<void> {
    const place = ++asked.current
    const came = await fetchEntries(query, before)
    if (place !== asked.current) return
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return
    const earlier = before === undefined ? [] : (found.value?.entries ?? [])
    found.value = { ...came.data, entries: [...earlier, ...came.data.entries] }
    await learnNames(came.data.entries)
  }
  /** Marks what was undone where it stands, and puts the undo itself on top. */
  async function onUndone(id: number, result: UndoResult): Promise<void> {
    undone.value = { id, result }
    const { entries = [], next = null } = found.value ?? {}
    const { change_set_id: undone_by } = result
    if (undone_by === null) return
    const came = await fetchEntries(query)
    const newest = entries[0]?.change_set_id ?? 0
    const newer = came.is === 'done' ? came.data.entries.filter((one) => one.change_set_id > newest) : []
    const marked = entries.map((one) => (one.change_set_id === id ? { ...one, undone_by } : one))
    found.value = { entries: [...newer, ...marked], next }
    await learnNames(newer)
  }
  useEffect(() => forgetNames, [])
  useEffect(() => {
    if (is === 'in') void loadNames()
  }, [is])
  useEffect(() => {
    if (is === 'in') void load()
    undone.value = undefined
  }, [query.toString(), is])

  const { entries = [], next = null } = found.value ?? {}
  const title = may('audit.view') ? t().screens.log : say.own
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.log}>{title}</Title>
      </div>
      {!may('audit.view') && <p class="facts">{say.intro}</p>}
      <Filters entries={entries} />
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {found.value && entries.length === 0 && <p class="nothing">{say.none}</p>}
      {entries.length > 0 && (
        <section class="section limited" aria-label={title}>
          <ol class="history">
            {bySet(entries).map((set) => {
              const id = set[0]!.change_set_id
              return (
                <ChangeSet
                  key={id}
                  entries={set}
                  undone={undone.value?.id === id ? undone.value.result : undefined}
                  onUndone={(result) => void onUndone(id, result)}
                />
              )
            })}
          </ol>
        </section>
      )}
      {next !== null && (
        <div class="below-table">
          <button type="button" onClick={() => void load(next)}>
            {say.older}
          </button>
        </div>
      )}
    </>
  )
}
