import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { isolated } from '../language/isolated.ts'
import { askedTexts } from './asked-texts.ts'
import { firstOf } from './question-words.ts'

/** The digits at the end count; fifteen of them are the most that the API takes. */
const counted = /^([^*]*?)(\d{1,15})$/

/** What the API wants: `2026-*0001`. Empty: the number has no digits at its end. */
function seriesOf(first: string): string {
  const [, prefix, digits] = counted.exec(first.trim()) ?? []
  return digits === undefined ? '' : `${prefix}*${digits}`
}

/** The number that comes so many places after the first. */
function after(series: string, places: number): string {
  const [prefix = '', digits = ''] = series.split('*')
  return isolated(prefix + String(Number(digits) + places).padStart(digits.length, '0'))
}

/** The first number that the file's new students get, and below it what follows. */
export function Screen({ series, take }: { series: string; take: (series: string) => void }) {
  const first = useSignal(firstOf(series))
  const taken = seriesOf(first.value)
  useLayoutEffect(() => take(taken), [taken])
  return (
    <div class="field">
      <input
        class="narrow"
        aria-labelledby="question"
        aria-describedby="numbers-then"
        dir="auto"
        autocomplete="off"
        value={first.value}
        onInput={(event) => (first.value = event.currentTarget.value)}
      />
      <p class="hint" id="numbers-then" role="status">
        {taken === '' ? askedTexts().endInDigits : askedTexts().numbersThen(after(taken, 1), after(taken, 2))}
      </p>
    </div>
  )
}
