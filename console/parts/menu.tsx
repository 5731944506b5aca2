import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Later } from './later.tsx'

/** A button that opens a menu, which is loaded then. A click elsewhere closes it; Esc does so everywhere. */
export function Menu({ label, load }: { label: string; load: () => Promise<{ Screen: ComponentType }> }) {
  const isOpen = useSignal(false)
  const place = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      const { current } = place
      if (current?.open && !current.contains(target as Node)) current.open = false
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [])
  return (
    <details class="menu-button" ref={place} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{label}</summary>
      <div>{isOpen.value && <Later load={load} />}</div>
    </details>
  )
}
