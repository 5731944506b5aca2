import type { Import } from '../../client/src/index.ts'
import { dayFromEnglish } from '../language/dates.ts'
import { isolated } from '../language/isolated.ts'
import { askedTexts } from './asked-texts.ts'
import { encodingWords } from './encodings.ts'
import { newFieldIn } from './new-field.ts'
import { texts } from './texts.ts'
import { columnWords, subjectOf } from './words.ts'

type Question = Import['questions'][number]
export type Choice = Question['choices'][number]

const folded = (label: string) => label.normalize('NFKC').toLowerCase().replace(/\s/g, '')

/** Whether the choices tell that no class has the label: classes that have it would stand first. */
function isUnknownClass({ key, choices }: Question): boolean {
  const nearest = choices.find(({ answer }) => typeof answer === 'number')
  return nearest === undefined || folded(nearest.text) !== folded(subjectOf(key))
}

/**
 * A question in the reader's language; in the server's words where its key is new.
 * @param question where it is still asked: it tells more
 */
export function questionWords(key: string, otherwise: string, question?: Question): string {
  const { asks } = askedTexts()
  const about = isolated(subjectOf(key))
  if (key.startsWith('column.')) return asks.column(about)
  if (key.startsWith('date_order.')) return asks.date(about)
  if (key.startsWith('short_years.')) return asks.years(about)
  if (key.startsWith('class.'))
    return question && isUnknownClass(question) ? asks.noClass(about) : asks.class(about)
  // It must be answered where the file has no column for it.
  if (key === 'admission_number' && question)
    return question.required ? asks.noNumbers : asks.someNumbers(question.rows ?? 0)
  if (key === 'guardian_name' && question?.rows) return asks.unnamedGuardians(question.rows)
  return (asks as unknown as Readonly<Record<string, string>>)[key] ?? otherwise
}

/** The first number of a series, as people write it: the API has a `*` before the digits that count. */
export const firstOf = (series: string) => series.replace('*', '')

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const

/** A cell that a choice shows: beside a date stands what it would be read as. */
export function sampleWords(key: string, sample: string): string {
  if (!/^(?:date_order|short_years)\./.test(key)) return sample
  const at = sample.lastIndexOf(': ')
  const read = sample.slice(at + 2)
  return `${sample.slice(0, at)}: ${read === 'refused' ? texts().outcomes.refused : dayFromEnglish(read)}`
}

/** What an answer means; in the server's words where they are no sentence. */
export function answerWords(key: string, answer: string | number, otherwise = String(answer)): string {
  const { choices } = texts()
  if (key === 'admission_number') return firstOf(String(answer))
  if (key === 'encoding') return encodingWords(String(answer)) ?? otherwise
  if (key === 'delimiter') return choices[delimiters[answer as keyof typeof delimiters]] ?? otherwise
  if (key.startsWith('class.')) {
    if (answer === 'leave_out') return choices.leave_rows
    const made = answer === 'create' ? subjectOf(key) : /^create:(.*)$/s.exec(String(answer))?.[1]
    return made === undefined ? otherwise : choices.create(isolated(made))
  }
  if (key.startsWith('short_years.')) {
    const { noYears, years } = askedTexts()
    return answer === 'refuse' ? noYears : years(Number(answer), Number(answer) + 99)
  }
  if (key === 'guardian_name') {
    if (answer === 'leave_out') return choices.leave_guardians
    return answer === 'relation' ? choices.relation : otherwise // a name for all
  }
  if (key.startsWith('column.') || key === 'match') {
    if (answer === 'leave_out') return choices.leave_out
    if (newFieldIn(answer)) return choices.new_field
    return columnWords(String(answer))
  }
  const own = (choices as unknown as Readonly<Record<string, string>>)[answer]
  return typeof own === 'string' ? own : otherwise
}
