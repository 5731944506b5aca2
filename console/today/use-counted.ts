import { useEffect } from 'preact/hooks'
import type { Outcome } from '../api/calls.ts'
import { type Loaded, useLoaded } from '../parts/load.ts'

/** As `useLoaded`, and read again when `round` is counted up: then something changed on this screen. */
export function useCounted<Data>(read: () => Promise<Outcome<Data>>, round: number): Loaded<Data> {
  const loaded = useLoaded(read)
  useEffect(() => {
    if (round > 0) void loaded.load()
  }, [round])
  return loaded
}
