import { askedTexts } from './asked-texts.ts'
import type { Choice } from './question-words.ts'
import { texts } from './texts.ts'

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
