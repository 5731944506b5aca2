import { placeOf, rowAt } from '../events/import-note.ts'
import type { Fault } from '../problems.ts'
import { rowInWords } from '../sheets/limits.ts'
import type { CellParams, FileFacts } from './model.ts'

/* Where a row of a file stands: as requests name it, and as sentences tell it. */

/** Where a row of a file stands, as `placeOf` has it. @returns undefined where the file has no such sheet */
export function placeIn(
  facts: FileFacts | null,
  { row, sheet }: { readonly row: number; readonly sheet?: string | undefined },
): number | undefined {
  const sheets = facts?.sheets ?? []
  const imported = sheets.flatMap(({ header_row }, i) => (header_row === null ? [] : [i]))
  const at = sheet === undefined ? imported[0] : sheets.findIndex(({ name }) => name === sheet)
  if (at === undefined || at < 0 || (sheet === undefined && imported.length > 1)) return undefined
  return placeOf(at, row)
}

/** What is wrong with the name of a row's sheet, or with there being none. */
export function sheetFault(facts: FileFacts | null, sheet: string | undefined): Fault | undefined {
  if (facts === null) return undefined // no row is known then
  const names = facts.sheets.flatMap(({ name, header_row }) =>
    name === null || header_row === null ? [] : [name],
  )
  if (sheet === undefined) {
    const detail = `is required: the sheets of the file are ${names.join(', ')}`
    return names.length > 1 ? { code: 'required', detail } : undefined
  }
  if (names.includes(sheet)) return undefined
  if (names.length === 0)
    return { code: 'invalid', detail: 'must be left out: the file has no sheets with names' }
  const detail = `must be one of ${names.join(', ')}`
  return { code: 'not_allowed', detail, params: { accepted: names } }
}

/** The name of the sheet on which a row stands, where the file has several. */
export function sheetNameOf(facts: Pick<FileFacts, 'sheets'> | null, place: number): string | undefined {
  const { sheets = [] } = facts ?? {}
  return (sheets.length > 1 && sheets[rowAt(place).sheet]?.name) || undefined
}

/** How a sentence tells of another row. */
export function placeInWords(place: number, facts: FileFacts | null): string {
  return rowInWords(rowAt(place).row, sheetNameOf(facts, place))
}

/** Words as a sentence begins with them. */
export function begin(words: string): string {
  return words[0]!.toUpperCase() + words.slice(1)
}

/** What a sentence on another row depends on. */
export function paramsOf(place: number, facts: FileFacts | null): CellParams {
  const { sheet, row } = rowAt(place)
  const name = sheetNameOf(facts, place)
  return { row, ...(sheet > 0 && { sheet: sheet + 1 }), ...(name && { sheet_name: name }) }
}
