import { plannedEachTime } from '../../../db/statement-marks.ts'
import { type Asked, BoundValues } from '../asked.ts'
import { selectedColumns } from '../columns.ts'
import { conditions, needsPlan } from './search.ts'

/** A statement in SQL and its values. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly (string | number)[]
}

/** A page as JSON (`json`), and how many there are in all (`total`), in one snapshot. */
export function pageStatement(asked: Asked): Statement {
  const values = new BoundValues('$')
  const isSearch = asked.patterns.length > 0 || asked.guardian !== undefined
  const isPlanned = isSearch ? needsPlan(asked) : !isByIndex(asked)
  const matches = isSearch ? `with matches as materialized (${matchingIds(asked, values)})` : ''
  const ids = isSearch ? idsOfMatches(asked, values) : idsOf(asked, values)
  const total = isSearch ? 'select count(*) from matches' : totalOf(asked, values)
  const sql = `${isPlanned ? plannedEachTime : ''}${matches}
    select (${total}) as total, coalesce(json_agg(page), '[]')::text as json from (
      select ${selectedColumns} from (${ids}) as ids
      join students on students.id = ids.id join classes on classes.id = students.class_id
      order by ${ordering(asked)}
    ) as page`
  return { sql, parameters: values.all }
}

/** Whether an index has the students in the order of the list, and no more is read than the page needs. */
export function isByIndex({ patterns, guardian, classes, sortedBy }: Asked): boolean {
  return patterns.length === 0 && guardian === undefined && (classes === 'all' || sortedBy.length === 0)
}

function matchingIds(asked: Asked, values: BoundValues): string {
  return `select students.id from students where ${conditions(asked, values).join(' and ')}`
}

function idsOfMatches(asked: Asked, values: BoundValues): string {
  const { sortedBy, direction } = asked
  if (sortedBy.length === 0) return `select id from matches order by id ${direction} ${values.limited(asked)}`
  return `select students.id from matches join students on students.id = matches.id
    order by ${ordering(asked)} ${values.limited(asked)}`
}

function idsOf(asked: Asked, values: BoundValues): string {
  const end = `order by ${ordering(asked)} ${values.limited(asked)}`
  const { classes, limit, offset } = asked
  if (classes === 'all') return `select students.id from students ${end}`
  const ids = idArray(classes, values)
  if (!isByIndex(asked)) return `select students.id from students where class_id = any(${ids}) ${end}`
  const most = offset === 0 ? limit : `${limit} + ${values.bind(offset)}::bigint`
  return `select students.id from unnest(${ids}) as chosen (class_id) cross join lateral (
      select id from students where students.class_id = chosen.class_id order by ${ordering(asked)} limit ${most}
    ) as students ${end}`
}

/** Triggers count students, in parts. */
function totalOf({ classes }: Asked, values: BoundValues): string {
  const total = 'select coalesce(sum(students), 0)::bigint from'
  if (classes === 'all') return `${total} student_counts`
  return `${total} class_counts where class_id = any(${idArray(classes, values)})`
}

/** Texts are compared byte by byte, as on SQLite. */
function ordering({ sortedBy, direction }: Asked): string {
  const by = sortedBy.map((column) => `students.${column}${column === 'created_at' ? '' : ' collate "C"'}`)
  return [...by, 'students.id'].map((one) => `${one} ${direction}`).join(', ')
}

function idArray(ids: readonly number[], values: BoundValues): string {
  return `${values.bind(`{${ids.join()}}`)}::bigint[]`
}
