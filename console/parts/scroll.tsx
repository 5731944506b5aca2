import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface ScrollProps {
  /** What the table in it is called. */
  readonly label: string
  /** Its class, beside `scroll`. */
  readonly shape?: string
  readonly children: preact.ComponentChildren
}

/** A table that scrolls within its own box; where it is wider than the box it can be focused, and scrolled by keys. */
export function Scroll({ label, shape = '', children }: ScrollProps) {
  const box = useRef<HTMLDivElement>(null)
  const isWider = useSignal(false)
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const look = () => {
      isWider.value = current.scrollWidth > current.clientWidth
    }
    const observer = new ResizeObserver(look)
    for (const one of [current, ...current.children]) observer.observe(one)
    look()
    return () => observer.disconnect()
  }, [])
  return (
    <div
      class={`scroll ${shape}`.trim()}
      ref={box}
      {...(isWider.value && { role: 'region', tabIndex: 0, 'aria-label': label })}
    >
      {children}
    </div>
  )
}
