import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Outcome } from '../api/calls.ts'
import { type Loaded, useLoaded } from '../parts/load.ts'

/** Counted up when something was undone here: then all is counted anew. */
export const round = signal(0)

/** As `useLoaded`, and read again in each round. */
export function useCounted<Data>(read: () => Promise<Outcome<Data>>): Loaded<Data> {
  const loaded = useLoaded(read)
  const { value } = round
  const counted = useRef(value)
  useEffect(() => {
    if (value === counted.current) return
    counted.current = value
    void loaded.load()
  }, [value])
  return loaded
}
