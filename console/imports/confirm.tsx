import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { readCount } from '../language/digits.ts'
import { t } from '../language/language.ts'
import { type Confirmed, confirmTexts } from './confirm-texts.ts'
import { texts } from './texts.ts'

interface ConfirmProps {
  readonly step: Confirmed
  /** How many it is done to. */
  readonly count: number
  /** What it does, a paragraph each. */
  readonly told?: readonly string[]
  readonly onConfirmed: () => void
  readonly onCancelled: () => void
}

/** A step does something to very many: who means it repeats how many. */
export function Confirm({ step, count, told = [], onConfirmed, onCancelled }: ConfirmProps) {
  const typed = useSignal('')
  const isWrong = useSignal(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const { [step]: confirm, wrong } = confirmTexts()
  const onSubmit = (event: Event) => {
    event.preventDefault()
    isWrong.value = readCount(typed.value) !== count
    if (isWrong.value) field.current?.focus()
    else onConfirmed()
  }
  return (
    <form class="check" noValidate onSubmit={onSubmit}>
      <strong>? {confirm.title(count)}</strong>
      {[...told, confirm.text].map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <label for="confirmed">{confirm.label}</label>
      {isWrong.value && (
        <span class="fault" id="confirmed-fault" role="alert">
          × {wrong(count)}
        </span>
      )}
      <input
        ref={field}
        id="confirmed"
        inputMode="numeric"
        autocomplete="off"
        aria-invalid={isWrong.value}
        aria-describedby={isWrong.value ? 'confirmed-fault' : undefined}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
      <div class="actions">
        <button type="submit" class="primary">
          {texts().next}
        </button>
        <button type="button" data-cancel onClick={onCancelled}>
          {t().student.cancel}
        </button>
      </div>
    </form>
  )
}
