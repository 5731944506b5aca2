import type { List } from '../../client/src/index.ts'
import { columnChoices, isName, usualColumns, withName } from '../students/columns.ts'
import type { ListQuery } from '../students/query.ts'
import { texts } from './texts.ts'

/*
 * What the address says of a print, beside the view of students that it prints: `as`, one of the kinds; `student`,
 * whose record it is; `title`, `ticks`, `blanks`, `heads`, `paper` and `rows`. What is as usual does not stand there.
 */

/** What is printed of all students of a view. */
export const listKinds = ['list', 'classes', 'photo'] as const
export type ListKind = (typeof listKinds)[number]

/** What is printed of one student. */
export const recordKinds = ['record', 'confirmation'] as const

/** The kind that an address asks for; another is the first. */
export function kindIn<Kind extends string>(kinds: readonly [Kind, ...Kind[]], query: URLSearchParams): Kind {
  return kinds.find((kind) => kind === query.get('as')) ?? kinds[0]
}

/** So many boxes to tick, and so many empty columns, there may be. */
export const mostExtra = 5
const mostRowsPerPage = 200

/** How a list is laid out on paper. */
export interface Layout {
  /** As it was typed, or as the named list has it; empty: by what is printed. */
  readonly title: string
  readonly paper: 'portrait' | 'landscape'
  /** Undefined: as many as fit. */
  readonly rowsPerPage: number | undefined
  readonly ticks: number
  readonly blanks: number
  /** Those of the boxes first; the last may be missing. */
  readonly heads: readonly string[]
}

/** A whole number from 0 to the most; undefined for all else. */
function countIn(text: string | null, most: number): number | undefined {
  const count = Number(text)
  return text !== null && text !== '' && Number.isInteger(count) && count >= 0 && count <= most
    ? count
    : undefined
}

/** Commas as Latin and as Arabic letters have them. */
const comma = /[,،]/

/** What the address says; else what the named list keeps, if the view is one; else as usual for the kind. */
export function layoutOf(kind: ListKind, query: URLSearchParams, list: List | undefined): Layout {
  const [usual, heads] = kind === 'photo' ? [1, texts().photoHeads] : [0, []]
  const paper = query.get('paper') ?? list?.print.orientation
  return {
    title: query.get('title') ?? list?.print.title ?? list?.name ?? '',
    paper: paper === 'landscape' ? paper : 'portrait',
    rowsPerPage: (countIn(query.get('rows'), mostRowsPerPage) ?? list?.print.rows_per_page) || undefined,
    ticks: countIn(query.get('ticks'), mostExtra) ?? usual,
    blanks: countIn(query.get('blanks'), mostExtra) ?? usual,
    heads:
      query
        .get('heads')
        ?.split(comma)
        .map((head) => head.trim()) ?? heads,
  }
}

/**
 * What is printed of each student, in this order; without students, what has to be read of them. A list to be filled in
 * has room for it: of the usual columns, the narrow ones.
 */
export function columnsOf(
  kind: ListKind,
  { columns, classIds }: ListQuery,
  { ticks, blanks }: Pick<Layout, 'ticks' | 'blanks'>,
  rows: readonly { readonly family_name?: string | null }[] = [],
): readonly string[] {
  const usual = usualColumns(rows, classIds)
  const names = usual.filter(isName)
  if (kind === 'photo') return [...names, 'admission_number']
  if (kind === 'list')
    return withName(columns ?? (ticks + blanks > 0 ? [...names, 'admission_number', 'class'] : usual))
  const born = columnChoices(classIds).filter((column) => column === 'date_of_birth')
  return withName(columns?.filter((column) => column !== 'class') ?? [...names, 'admission_number', ...born])
}
