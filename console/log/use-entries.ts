import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Entry, UndoResult } from '../../client/src/index.ts'
import type { Failure, Outcome } from '../api/calls.ts'
import { forgetNames, learnNames } from './names.ts'
import type { Entries } from './query.ts'

/** Entries of the log on a screen. */
export interface ShownEntries {
  readonly found: Signal<Entries | undefined>
  readonly failure: Signal<Failure | undefined>
  /** What came of the undo that was asked for last, and of which change set. */
  readonly undone: Signal<{ readonly id: number; readonly result: UndoResult } | undefined>
  /** Reads the newest entries, or older ones behind those that are there. */
  readonly load: (before?: string) => Promise<void>
  readonly onUndone: (id: number, result: UndoResult) => Promise<void>
}

/** Entries as `read` brings them, with the names of their records. */
export function useEntries(read: (before?: string) => Promise<Outcome<Entries>>): ShownEntries {
  const found = useSignal<Entries | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const undone: ShownEntries['undone'] = useSignal(undefined)
  const asked = useRef(0)
  useEffect(() => forgetNames, [])

  async function load(before?: string): Promise<void> {
    const place = ++asked.current
    const came = await read(before)
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
    const { change_set_id: undone_by, undone: back, kept } = result
    if (undone_by === null) return
    const isOf = (entry: Entry) => (one: UndoResult['kept'][number]) =>
      one.record === entry.record && one.record_id === entry.record_id
    const howMuch = (entry: Entry): NonNullable<Entry['undone']> =>
      !kept.some(isOf(entry)) ? 'all' : back.some(isOf(entry)) ? 'some' : 'none'
    const came = await read()
    const newest = entries[0]?.change_set_id ?? 0
    const newer = came.is === 'done' ? came.data.entries.filter((one) => one.change_set_id > newest) : []
    const marked = entries.map((one) =>
      one.change_set_id === id ? { ...one, undone_by, undone: howMuch(one) } : one,
    )
    found.value = { entries: [...newer, ...marked], next }
    await learnNames(newer)
  }
  return { found, failure, undone, load, onUndone }
}
