import { askedTexts } from './asked-texts.ts'
import type { Choice } from './question-words.ts'
import { texts } from './texts.ts'

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
