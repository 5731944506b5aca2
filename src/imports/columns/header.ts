import type { SheetRow } from '../../sheets/read.ts'
import type { Failure } from '../model.ts'
import { acceptedNames, type Columns } from './columns.ts'
import { Meanings } from './meanings.ts'

/** A row, as far as a header is looked for in it. */
type Row = Pick<SheetRow, 'cells'>

/** The first rows of a text file, by the delimiters under which it can be read. */
export type RowsByDelimiter = ReadonlyMap<string, readonly Row[]>

/** In how many rows a header is looked for. */
export const rowsForHeader = 10

/** A header: which of the rows it is, and how many of its cells are known: each text once, and all of them. */
interface FoundHeader {
  readonly at: number
  readonly known: number
  readonly all: number
}

/**
 * Finds the header: of the first ten rows, the first of those in which the most cells are known. What stands there twice
 * counts once, but where two rows know as many: `Name` stands below `Mother` and `Father`.
 */
export function findHeader(rows: readonly Row[], columns: Columns): FoundHeader | undefined {
  return findWith(rows, new Meanings(columns))
}

function findWith(rows: readonly Row[], meanings: Meanings): FoundHeader | undefined {
  let best: FoundHeader | undefined
  for (const [at, { cells }] of rows.slice(0, rowsForHeader).entries()) {
    const all = cells.filter((cell) => meanings.of(cell) !== undefined)
    const known = new Set(all).size
    const isBetter = known > (best?.known ?? 0) || (known === best?.known && all.length > best.all)
    if (isBetter && known > 0) best = { at, known, all: all.length }
  }
  return best
}

/**
 * The delimiter under which most cells of the header are known.
 * @returns undefined where two do as well: then it is a question
 */
export function chooseDelimiter(byDelimiter: RowsByDelimiter, columns: Columns): string | undefined {
  const meanings = new Meanings(columns)
  const tried = [...byDelimiter].map(([delimiter, rows]) => {
    const header = findWith(rows, meanings)
    const cells = Math.max(1, ...rows.map((row) => row.cells.length))
    const isSplit = header !== undefined && rows[header.at]!.cells.length > 1
    return { delimiter, known: header?.known ?? 0, cells, isSplit }
  })
  const most = Math.max(...tried.map(({ known }) => known))
  const best = tried.filter(({ known }) => known === most)
  if (best.length === 1) return best[0]!.delimiter
  // None divides the header: it has one column, or none that is known.
  if (best.every(({ isSplit }) => !isSplit)) {
    const widest = Math.max(...best.map(({ cells }) => cells))
    const wide = best.filter(({ cells }) => cells === widest)
    return most === 0 || widest === 1 ? wide[0]?.delimiter : undefined
  }
  return undefined
}

/** Why a file is refused in which no header is found. */
export function unknownHeader(columns: Columns): Failure {
  const detail = `None of the first ${rowsForHeader} rows holds a heading that is known. Name the columns in the first row. These names are always known: ${acceptedNames(columns)}. GET /api/imports/template.csv${columns.kind === 'classes' ? '?kind=classes' : ''} gives a file with them.`
  return { code: 'header_not_found', detail }
}
