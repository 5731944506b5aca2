import { waitingSaves } from '../api/calls.ts'
import { t } from '../language/language.ts'

/** The button that saves a form. It says that a save is under way, and that one waits for the connection. */
export function SaveButton({ isSaving, children }: { isSaving: boolean; children: string }) {
  const texts = t().student
  const isWaiting = isSaving && waitingSaves.value > 0
  return (
    <button type="submit" class="primary" aria-disabled={isSaving} aria-keyshortcuts="Control+S">
      {isWaiting ? texts.waits : isSaving ? texts.saving : children}
    </button>
  )
}
