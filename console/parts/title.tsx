import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'

/** The heading of a screen. It takes the focus when the screen opens, and the document is called by the screen alone. */
export function Title({ screen, children }: { screen: string; children: preact.ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${screen} · ${t().registrar}`
  }, [screen])
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
