import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'

interface TitleProps {
  readonly screen: string
  /** Whether the focus stays where it is: the reader is typing what opened the screen. */
  readonly leavesFocus?: boolean
  readonly children: preact.ComponentChildren
}

/** The heading of a screen. It takes the focus when the screen opens, and the document is called by the screen alone. */
export function Title({ screen, leavesFocus = false, children }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${screen} · ${t().registrar}`
  }, [screen])
  useLayoutEffect(() => {
    if (!leavesFocus) heading.current?.focus()
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
