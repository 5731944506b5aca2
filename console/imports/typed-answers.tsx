import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { isolated } from '../language/isolated.ts'
import { askedTexts } from './asked-texts.ts'
import { type Choice, firstOf } from './question-words.ts'
import { texts } from './texts.ts'

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
export function FirstNumber({ series, take }: { series: string; take: (series: string) => void }) {
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

/** A text of the file that takes a value away. */
export const ClearMark = ({ mark, take }: { mark: string; take: (mark: string) => void }) => (
  <div class="field">
    <span class="hint" id="clear-hint">
      {askedTexts().clearHint}
    </span>
    <input
      class="narrow"
      aria-labelledby="question"
      aria-describedby="clear-hint"
      dir="auto"
      autocomplete="off"
      value={mark}
      onInput={(event) => take(event.currentTarget.value)}
    />
  </div>
)

type Naming = string | number | undefined

/** Whether guardians without a name get one word, which is the answer itself. */
export const isWord = (answer: Naming): answer is string =>
  answer !== undefined && answer !== 'relation' && answer !== 'leave_out'

/** What such guardians may be called: by the headings where they say it, by one word, or not at all. */
export function namings(choices: readonly Choice[], answer: Naming): readonly Choice[] {
  const plain = choices.filter((one) => !isWord(one.answer))
  const word = {
    answer: isWord(answer) ? answer : askedTexts().guardianWord,
    text: texts().choices.wordForAll,
  }
  return plain.toSpliced(-1, 0, word)
}

export const WordForAll = ({ word, take }: { word: string; take: (word: string) => void }) => (
  <div class="field">
    <input
      class="narrow"
      aria-label={texts().choices.wordForAll}
      dir="auto"
      autocomplete="off"
      maxLength={255}
      value={word}
      onInput={(event) => take(event.currentTarget.value)}
    />
  </div>
)
