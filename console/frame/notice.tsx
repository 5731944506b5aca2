import { computed, signal } from '@preact/signals'
import { t } from '../language/language.ts'
import { visit } from '../session/session.ts'
import { address, goTo } from './address.ts'

/** What was just done, and how it is undone. It stays until the next one, or until one goes elsewhere. */
interface Notice {
  /** Said anew in the language that is shown. */
  readonly text: () => string
  readonly undo?: () => void
}

export const notice = signal<Notice | undefined>(undefined)

/** Where it was told: the screen, and of whom; a form for a new record is a place of its own. */
const place = computed(() => `${address.value.screen} ${address.value.part}`)

let elsewhere: Notice | undefined

place.subscribe(() => {
  notice.value = elsewhere
  elsewhere = undefined
})

// The next person is told nothing of it.
visit.subscribe(() => {
  notice.value = undefined
})

/** Goes to another screen, and tells it there. */
export function tellAt(hash: string, told: Notice): void {
  elsewhere = told
  goTo(hash)
}

/** Tells it on the screen and, without moving the focus, to screen readers. */
export function NoticeBar() {
  const { value } = notice
  return (
    <div role="status">
      {value && (
        <div class="notice">
          <span>{value.text()}</span>
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
