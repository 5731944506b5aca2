import { t } from '../language/language.ts'
import { classes } from '../session/session.ts'
import { chipsOf } from '../students/filter-words.ts'
import type { Row } from '../students/found.ts'
import type { ListQuery } from '../students/query.ts'
import type { Layout, ListKind } from './layout.ts'
import { texts } from './texts.ts'

/** So many rows are put on the page at once, so that keys and clicks are heard meanwhile. */
export const rowsAtOnce = 250

/** Some rows of a sheet. */
export interface Piece {
  readonly rows: readonly Row[]
  /** How many stand before it: on this sheet, and on all sheets. */
  readonly at: number
  readonly atAll: number
}

/** What has one head: a list, or a class. It may take several pages. */
export interface Sheet {
  readonly key: string
  /** What it is called, in parts. */
  readonly title: readonly string[]
  readonly count: number
  readonly pieces: readonly Piece[]
}

/** What the view is, in words: its search and its filters, without the classes where each has a page of its own. */
function wordsOf(kind: ListKind, { search, classIds, filters, ...view }: ListQuery): string[] {
  const shown = kind === 'list' ? classIds : []
  const chips = chipsOf({ ...view, search, filters, classIds: shown }).map(({ label }) => label)
  return [search && t().students.searched(search), ...chips].filter((words) => words !== '')
}

/** What a print is called where nobody called it anything. */
export function usualTitle(kind: ListKind, view: ListQuery): readonly string[] {
  const words = wordsOf(kind, view)
  if (kind === 'photo') return [texts().kinds.photo, ...words]
  return kind === 'list' && words.length === 0 ? [t().students.title] : words
}

/** The sheets of these students: one, or one for each class in which somebody is. */
export function sheetsOf(
  kind: ListKind,
  view: ListQuery,
  { title, rowsPerPage }: Pick<Layout, 'title' | 'rowsPerPage'>,
  rows: readonly Row[],
): readonly Sheet[] {
  const named = title === '' ? usualTitle(kind, view) : [title]
  const groups = kind === 'list' ? [{ id: 0, label: undefined, rows }] : byClass(rows)
  let before = 0
  return groups.map(({ id, label, rows }) => {
    const parts =
      label === undefined ? named : kind === 'classes' && title === '' ? [label, ...named] : [...named, label]
    const sheet = {
      key: String(id),
      title: parts,
      count: rows.length,
      pieces: piecesOf(rows, rowsPerPage ?? rowsAtOnce, before),
    }
    before += rows.length
    return sheet
  })
}

function piecesOf(rows: readonly Row[], length: number, before: number): readonly Piece[] {
  return Array.from({ length: Math.ceil(rows.length / length) }, (_, i) => ({
    rows: rows.slice(i * length, (i + 1) * length),
    at: i * length,
    atAll: before + i * length,
  }))
}

/** The students of each class, in the order of the classes; one that the account is not told of comes last. */
function byClass(rows: readonly Row[]): { id: number; label: string; rows: readonly Row[] }[] {
  const places = new Map(classes.value.map(({ id }, place) => [id, place]))
  const groups = Map.groupBy(rows, (row) => row.class_id!)
  return [...groups]
    .sort(([a], [b]) => (places.get(a) ?? places.size) - (places.get(b) ?? places.size) || a - b)
    .map(([id, rows]) => ({ id, label: rows[0]!.class ?? String(id), rows }))
}
