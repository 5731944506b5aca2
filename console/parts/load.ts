import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
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
