import { delimiters } from '../../sheets/csv.ts'
import { encodingsOf, firstRows, type SheetSource } from '../../sheets/read.ts'
import type { Columns } from '../columns/columns.ts'
import { chooseDelimiter, findHeader, type RowsByDelimiter } from '../columns/header.ts'
import type { Question, Settings } from '../model.ts'
import { delimiterQuestion, encodingQuestion } from '../questions/file-questions.ts'

/** How a text file is read, or what must be answered before it is. */
type TextReading = { readonly encoding: string; readonly delimiter: string } | { readonly question: Question }

/**
 * Finds the encoding and the delimiter of a text file. What is answered counts; what can't be told is asked.
 * @throws SheetRefusal
 */
export async function textReading(
  source: SheetSource,
  settings: Settings,
  columns: Columns,
): Promise<TextReading> {
  const found = settings.encoding === undefined ? await encodingsOf(source) : undefined
  if (found !== undefined && 'candidates' in found) return { question: encodingQuestion(found.candidates) }
  const encoding = found?.encoding ?? String(settings.encoding)
  if (settings.delimiter !== undefined) return { encoding, delimiter: String(settings.delimiter) }
  const byDelimiter = await firstRows(source, { encoding }, delimiters)
  const delimiter = unclosedDelimiter(byDelimiter, columns) ?? chooseDelimiter(byDelimiter, columns)
  return delimiter === undefined ? { question: delimiterQuestion(byDelimiter) } : { encoding, delimiter }
}

/**
 * The delimiter of a file in which a quotation mark is not closed: it alone gives no rows, and under the others no
 * heading is known. Read by it, the file is refused for that mark, and not for its headings.
 */
function unclosedDelimiter(byDelimiter: RowsByDelimiter, columns: Columns): string | undefined {
  const unread = delimiters.filter((one) => !byDelimiter.has(one))
  if (unread.length !== 1) return undefined
  const isKnown = [...byDelimiter.values()].some((rows) => findHeader(rows, columns) !== undefined)
  return isKnown ? undefined : unread[0]
}
