import type { Field } from '../../fields/queries.ts'
import type { FileColumns } from '../columns/file-columns.ts'
import type { PlannedCell } from '../model.ts'

/** The languages of the console, in which a file of refused rows can say what is wrong (ISO 639-1). */
export const refusedLanguages = ['en', 'de', 'ar'] as const
export type RefusedLanguage = (typeof refusedLanguages)[number]

/** How a file of refused rows says what is wrong. */
export interface RefusedWords {
  /** In place of a row that tells of what its reader may not see. */
  readonly hiddenRow: string
  hidden(column: string): string
  fault(cell: PlannedCell): string
  /** What stands between two of them. */
  readonly between: string
}

/** English, with the names of columns, for programs: `class must be a class that is there; name is required`. */
export const plainWords: RefusedWords = {
  hiddenRow: 'the row tells of what you may not see',
  hidden: (column) => `${column} has a fault that you may not see`,
  fault: ({ column, detail = '' }) => `${column} ${detail}`.trim(),
  between: '; ',
}

/** What the console says, with the headings of the file: `Geburtstag: Diesen Tag gibt es nicht. Klasse: …`. */
export async function wordsIn(
  language: RefusedLanguage,
  { headings, columns }: FileColumns,
  fields: readonly Field[],
): Promise<RefusedWords> {
  const { languages, columnIn, faultIn } = await import('../../../console/imports/told/languages.ts')
  const words = { ...languages[language], fields }
  const { own } = words
  const headingOf = (column: string) => headings[columns.indexOf(column)]
  // What is wrong with a `class_id` is told of the class.
  const ofFile = (column: string) => headingOf(column) || (column === 'class' && headingOf('class_id'))
  const label = (column: string) => (column === 'row' ? own.row : ofFile(column) || columnIn(words, column))
  return {
    hiddenRow: `${own.row}: ${own.hidden}.`,
    hidden: (column) => `${label(column)}: ${own.hidden}.`,
    fault: (cell) => `${label(cell.column)}: ${faultIn(words, cell)}`.replace(/[^.]$/, '$&.'),
    between: ' ',
  }
}
