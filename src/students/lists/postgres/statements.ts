import { plannedEachTime } from '../../../db/statement-marks.ts'
import { selectedColumns } from '../columns.ts'
import type { Chosen } from '../filter.ts'
import { orderOf, type Sort } from '../sorts.ts'
import { BoundValues, limited, type Rows } from '../values.ts'
import { conditions, needsPlan } from './search.ts'

/** A statement in SQL and its values. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly (string | number)[]
}

/** A page as JSON (`json`), and how many there are in all (`total`), in one snapshot. */
export function pageStatement(chosen: Chosen, sort: Sort, rows: Rows): Statement {
  const values = new BoundValues('$')
  const isSearch = chosen.patterns.length > 0
  const isPlanned = isSearch ? needsPlan(chosen) : !isByIndex(chosen, sort)
  const matches = isSearch ? `with matches as materialized (${matchingIds(chosen, values)})` : ''
  const ids = isSearch ? idsOfMatches(sort, rows, values) : idsOf(chosen, sort, rows, values)
  const total = isSearch ? 'select count(*) from matches' : totalOf(chosen, values)
  const sql = `${isPlanned ? plannedEachTime : ''}${matches}
    select (${total}) as total, coalesce(json_agg(page), '[]')::text as json from (
      select ${selectedColumns} from (${ids}) as ids
      join students on students.id = ids.id join classes on classes.id = students.class_id
      order by ${ordering(sort)}
    ) as page`
  return { sql, parameters: values.all }
}

/** Whether an index has the students in the order of the list, and no more is read than the page needs. */
export function isByIndex({ patterns, classes }: Chosen, sort: Sort): boolean {
  return patterns.length === 0 && (classes === 'all' || orderOf(sort).columns.length === 0)
}

function matchingIds(chosen: Chosen, values: BoundValues): string {
  return `select students.id from students where ${conditions(chosen, values).join(' and ')}`
}

function idsOfMatches(sort: Sort, rows: Rows, values: BoundValues): string {
  const { columns, direction } = orderOf(sort)
  if (columns.length === 0) return `select id from matches order by id ${direction} ${limited(rows, values)}`
  return `select students.id from matches join students on students.id = matches.id
    order by ${ordering(sort)} ${limited(rows, values)}`
}

function idsOf(chosen: Chosen, sort: Sort, rows: Rows, values: BoundValues): string {
  const end = `order by ${ordering(sort)} ${limited(rows, values)}`
  const { classes } = chosen
  if (classes === 'all') return `select students.id from students ${end}`
  const ids = idArray(classes, values)
  if (!isByIndex(chosen, sort)) return `select students.id from students where class_id = any(${ids}) ${end}`
  const { limit, offset } = rows
  const most = offset === 0 ? limit : `${limit} + ${values.bind(offset)}::bigint`
  return `select students.id from unnest(${ids}) as chosen (class_id) cross join lateral (
      select id from students where students.class_id = chosen.class_id order by ${ordering(sort)} limit ${most}
    ) as students ${end}`
}

/** Triggers count students, in parts. */
function totalOf({ classes }: Chosen, values: BoundValues): string {
  const total = 'select coalesce(sum(students), 0)::bigint from'
  if (classes === 'all') return `${total} student_counts`
  return `${total} class_counts where class_id = any(${idArray(classes, values)})`
}

/** Texts are compared byte by byte, as on SQLite. */
function ordering(sort: Sort): string {
  const { columns, direction } = orderOf(sort)
  const by = columns.map((column) => `students.${column}${column === 'created_at' ? '' : ' collate "C"'}`)
  return [...by, 'students.id'].map((one) => `${one} ${direction}`).join(', ')
}

function idArray(ids: readonly number[], values: BoundValues): string {
  return `${values.bind(`{${ids.join()}}`)}::bigint[]`
}
