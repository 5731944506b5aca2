import { selectedColumns } from '../columns.ts'
import type { Chosen } from '../filter.ts'
import { orderOf, type Sort } from '../sorts.ts'
import { BoundValues, limited, type Rows } from '../values.ts'
import { conditions } from './search.ts'

/** A statement in SQL and its values. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly (string | number)[]
}

/** A page as JSON (`json`), and how many there are in all (`total`), in one snapshot. */
export function pageStatement(chosen: Chosen, sort: Sort, rows: Rows): Statement {
  const values = new BoundValues('$')
  const isSearch = chosen.patterns.length > 0
  const matches = isSearch ? `with matches as materialized (${matchingIds(chosen, values)})` : ''
  const ids = isSearch ? idsOfMatches(sort, rows, values) : idsOf(chosen, sort, rows, values)
  const total = isSearch ? 'select count(*) from matches' : totalOf(chosen, values)
  const sql = `${matches}
    select (${total}) as total, coalesce(json_agg(page), '[]')::text as json from (
      select ${selectedColumns} from (${ids}) as ids
      join students on students.id = ids.id join classes on classes.id = students.class_id
      order by ${ordering(sort)}
    ) as page`
  return { sql, parameters: values.all }
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

/** The indexes have all students in the order of each list; those of classes by id. */
function idsOf({ classes }: Chosen, sort: Sort, rows: Rows, values: BoundValues): string {
  const order = ordering(sort)
  if (classes === 'all') return `select students.id from students order by ${order} ${limited(rows, values)}`
  const chosen = `unnest(${idArray(classes, values)}) as chosen (class_id)`
  const ofClass = 'students where students.class_id = chosen.class_id'
  // By id, no more is read of each class than the page needs.
  const first = sort.endsWith('id')
    ? `order by ${order} limit ${rows.limit} + ${values.bind(rows.offset)}::bigint`
    : ''
  return `select students.id from ${chosen} cross join lateral (select students.* from ${ofClass} ${first}) as students
    order by ${order} ${limited(rows, values)}`
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
