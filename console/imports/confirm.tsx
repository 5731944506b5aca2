import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { confirmTexts } from './confirm-texts.ts'
import { texts } from './texts.ts'

/** Many students would be changed: who means it repeats how many. */
export function Confirm({ count, onConfirmed }: { count: number; onConfirmed: () => void }) {
  const typed = useSignal('')
  const isWrong = useSignal(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const confirm = confirmTexts()
  const onSubmit = (event: Event) => {
    event.preventDefault()
    isWrong.value = Number(typed.value) !== count
    if (isWrong.value) field.current?.focus()
    else onConfirmed()
  }
  return (
    <form class="check" noValidate onSubmit={onSubmit}>
      <strong>? {confirm.title(count)}</strong>
      <p>{confirm.text}</p>
      <label for="confirmed">{confirm.label}</label>
      {isWrong.value && (
        <span class="fault" id="confirmed-fault" role="alert">
          × {confirm.wrong(count)}
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
      </div>
    </form>
  )
}
