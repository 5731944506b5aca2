import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { openForms } from '../frame/address.ts'

// Preact begins and ends a plain effect after the next paint: a key pressed before that would meet what is gone.

/** Asks before what was typed is lost, while the component that calls it is shown. */
export function useLeaving(isBarred: () => boolean): void {
  useLayoutEffect(() => {
    openForms.add(isBarred)
    return () => void openForms.delete(isBarred)
  }, [])
}

/** What is given up when the component that calls it is closed. */
export function useGiven(): AbortSignal {
  const control = useMemo(() => new AbortController(), [])
  useLayoutEffect(() => () => control.abort(), [])
  return control.signal
}

/** Gives the focus back when what was opened is closed. */
export function useReturn(isOpen: boolean, place: () => HTMLElement | null): void {
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) place()?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
}
