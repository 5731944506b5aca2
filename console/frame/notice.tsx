import { signal } from '@preact/signals'
import { t } from '../language/language.ts'

/** What was just done, and how it is undone; it stays until the next one, or until it is put away. */
interface Notice {
  readonly text: string
  readonly undo?: () => void
}

export const notice = signal<Notice | undefined>(undefined)

/** Tells it on the screen and, without moving the focus, to screen readers. */
export function NoticeBar() {
  const { value } = notice
  return (
    <div role="status">
      {value && (
        <div class="notice">
          <span>{value.text}</span>
          {value.undo && (
            <button type="button" onClick={value.undo}>
              {t().student.undo}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
