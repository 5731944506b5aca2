import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'

const narrow = matchMedia('(max-width: 40rem)')

/** Whether the window has no room for the menu beside or above a screen. */
export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', ({ matches }) => (isNarrow.value = matches))

/** The menu behind a button. It closes behind whoever follows one of its links. */
export function Fold({ children }: { children: preact.ComponentChildren }) {
  const place = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const { current: menu } = place
    const close = ({ target }: Event) => {
      if ((target as Element).closest('a') !== null) menu?.removeAttribute('open')
    }
    menu?.addEventListener('click', close)
    return () => menu?.removeEventListener('click', close)
  }, [])
  return (
    <details class="menu-button fold" ref={place}>
      <summary>{t().menu}</summary>
      <div>{children}</div>
    </details>
  )
}
