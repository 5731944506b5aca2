import type { Import } from '../../client/src/index.ts'
import { isolated } from '../language/isolated.ts'
import { listed, textsOf } from '../language/language.ts'
import { answerWords } from './question-words.ts'
import { subjectOf } from './words.ts'

/** Beside what says it: the check of an import has no room for it. */
const texts = textsOf<(what: string, others: string) => string>({
  en: (what, others) =>
    `“${what}” is chosen for ${others} as well. Only one column can hold it. Leave one out, or join them in the spreadsheet first.`,
  de: (what, others) =>
    `„${what}“ ist auch für ${others} gewählt. Das kann nur in einer Spalte stehen. Lassen Sie eine weg, oder fügen Sie die Spalten vorher in der Tabelle zusammen.`,
  ar: (what, others) =>
    `«${what}» مختار أيضًا في: ${others}. ولا يجوز إلا في عمود واحد. استبعد أحدهما أو ادمجهما في جدولك أولًا.`,
})

/** What several columns can be answered to be: addresses are joined, and year and group of a class. */
const mayBeOfSeveral = /^(leave_out|new_field(:.+)?|class|(guardian_\d+_)?address)$/

/** Why a column is asked about, where others were answered to hold what it holds. */
export function chosenTwice(
  { key, choices }: Import['questions'][number],
  answers: Import['answers'],
): string | undefined {
  const meant = String(answers[key] ?? choices[0]?.answer)
  const others = Object.keys(answers).filter(
    (other) => other !== key && other.startsWith('column.') && answers[other] === meant,
  )
  if (!key.startsWith('column.') || others.length === 0 || mayBeOfSeveral.test(meant)) return undefined
  const named = others.map((other) => isolated(subjectOf(other)))
  return texts()(answerWords(key, meant), listed(named))
}
