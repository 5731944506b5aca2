import { useSignal } from '@preact/signals'
import type { Failure } from '../api/calls.ts'
import { t } from '../language/language.ts'

interface RemovalProps {
  /** What the button says, and says again where it is asked about. */
  readonly label: string
  /** What is lost. */
  readonly text: string
  /** @returns why not */
  readonly remove: () => Promise<Failure | undefined>
  readonly onFailed: (failure: Failure) => void
}

/** Removes what cannot be brought back: it is asked about first. */
export function Removal({ label, text, remove, onFailed }: RemovalProps) {
  const isAsking = useSignal(false)
  async function act(): Promise<void> {
    const failure = await remove()
    if (failure === undefined) return
    isAsking.value = false
    onFailed(failure)
  }
  return (
    <>
      <button type="button" aria-expanded={isAsking.value} onClick={() => (isAsking.value = !isAsking.value)}>
        {label}
      </button>
      {isAsking.value && (
        <div class="check asked">
          <p>? {text}</p>
          <div class="actions">
            <button type="button" onClick={() => void act()}>
              {label}
            </button>
            <button type="button" data-cancel onClick={() => (isAsking.value = false)}>
              {t().student.cancel}
            </button>
          </div>
        </div>
      )}
    </>
  )
}
