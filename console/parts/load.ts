import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Failure, Outcome } from '../api/calls.ts'
import { session } from '../session/session.ts'

/** What a screen shows, or why it cannot. */
export interface Loaded<Data> {
  readonly data: Signal<Data | undefined>
  readonly failure: Signal<Failure | undefined>
  readonly load: () => Promise<void>
}

/** Reads what a screen shows when it opens, and again when somebody signs in anew before it was there. */
export function useLoaded<Data>(read: () => Promise<Outcome<Data>>): Loaded<Data> {
  const data = useSignal<Data | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const { is } = session.value
  async function load(): Promise<void> {
    const came = await read()
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'done') data.value = came.data
  }
  useEffect(() => {
    if (is === 'in' && data.value === undefined) void load()
  }, [is])
  return { data, failure, load }
}

/** What is asked of a list, and what of the answer is looked at. */
type ReadPage<Item> = (asked: { readonly page: number; readonly per_page: number }) => Promise<
  Outcome<{
    readonly data: readonly Item[]
    readonly pagination: { readonly total: number; readonly total_pages: number }
  }>
>

/** The page of a list that a screen shows. */
export interface Pages<Item> {
  readonly items: readonly Item[] | undefined
  readonly page: number
  readonly of: number
  readonly total: number
  readonly failure: Failure | undefined
  readonly load: (page: number) => Promise<void>
}

/**
 * Reads a list page by page, from the first one on when `asked` is another. An answer that comes late is dropped.
 * @param how `perPage`: how many are shown at once
 */
export function usePages<Item>(
  read: ReadPage<Item>,
  { asked, perPage = 25 }: { readonly asked?: unknown; readonly perPage?: number } = {},
): Pages<Item> {
  const shown = useSignal<Pick<Pages<Item>, 'items' | 'page' | 'of' | 'total'>>({
    ...{ items: undefined, page: 1, of: 1, total: 0 },
  })
  const failure = useSignal<Failure | undefined>(undefined)
  const turn = useRef(0)
  async function load(page: number): Promise<void> {
    const own = ++turn.current
    const came = await read({ page, per_page: perPage })
    if (own !== turn.current) return
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return
    const { total, total_pages: of } = came.data.pagination
    shown.value = { items: came.data.data, page, of, total }
  }
  useEffect(() => void load(1), [asked])
  return { ...shown.value, failure: failure.value, load }
}
