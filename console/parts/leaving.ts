import { useEffect, useMemo } from 'preact/hooks'
import { openForms } from '../frame/address.ts'

/** Asks before what was typed is lost, while the component that calls it is shown. */
export function useLeaving(isBarred: () => boolean): void {
  useEffect(() => {
    openForms.add(isBarred)
    return () => void openForms.delete(isBarred)
  }, [])
}

/** What is given up when the component that calls it is closed. */
export function useGiven(): AbortSignal {
  const control = useMemo(() => new AbortController(), [])
  useEffect(() => () => control.abort(), [])
  return control.signal
}
