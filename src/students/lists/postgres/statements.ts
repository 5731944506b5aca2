import { plannedEachTime } from '../../../db/statement-marks.ts'
import { type Asked, BoundValues, type NullableColumn, nullableColumn } from '../asked.ts'
import { type ListColumn, plainColumns, selected } from '../columns.ts'
import { emptyLast, idsEmptyLast, type Piece } from '../empty-last.ts'
import { idArray, inClasses } from './ids.ts'
import { needsPlan, type PartsOf, restricted, searched } from './search.ts'

const plain = selected(plainColumns, expressionOf)

/** A statement in SQL and its values. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly (string | number)[]
}

/** A page as JSON (`json`), and how many there are in all (`total`), in one snapshot. */
export function pageStatement(asked: Asked, partsOf: PartsOf): Statement {
  const values = new BoundValues('$')
  const isSearch = asked.patterns.length > 0 || asked.guardian !== undefined
  const isPlanned = isSearch ? needsPlan(asked) : !isByIndex(asked)
  const matches = isSearch ? `with matches as materialized (${idsFound(asked, values, partsOf)})` : ''
  const ids = isSearch ? idsOfMatches(asked, values) : idsOf(asked, values)
  const total = isSearch ? 'select count(*) from matches' : totalOf(asked, values)
  const shown = asked.columns === plainColumns ? plain : selected(asked.columns, expressionOf)
  const sql = `${isPlanned ? plannedEachTime : ''}${matches}
    select (${total}) as total, coalesce(json_agg(page), '[]')::text as json from (
      select ${shown} from (${ids}) as ids
      join students on students.id = ids.id join classes on classes.id = students.class_id
      order by ${orderBy(asked)}
    ) as page`
  return { sql, parameters: values.all }
}

/** A column as JSON has it. */
export function expressionOf({ source, holds }: ListColumn): string {
  if (holds === 'json') return `${source}::json`
  if (holds === 'own') return new BoundValues('$').ownField(source)
  return holds === 'instant'
    ? `to_char(${source} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : source
}

/** Whether an index has the students in the order of the list, and no more is read than the page needs. */
export function isByIndex(asked: Asked): boolean {
  const { patterns, guardian, classes, conditions, sortedBy } = asked
  if (patterns.length > 0 || guardian !== undefined || conditions.length > 0) return false
  if (nullableColumn(asked) !== undefined) return false
  return classes === 'all' || sortedBy.length === 0
}

function idsFound(asked: Asked, values: BoundValues, partsOf: PartsOf): string {
  const held = [...searched(asked, values, partsOf), ...restricted(asked, values)]
  return `select students.id from students where ${held.join(' and ')}`
}

function idsOfMatches(asked: Asked, values: BoundValues): string {
  const { sortedBy, direction } = asked
  if (sortedBy.length === 0) return `select id from matches order by id ${direction} ${values.limited(asked)}`
  return `select students.id from matches join students on students.id = matches.id
    order by ${orderBy(asked)} ${values.limited(asked)}`
}

function idsOf(asked: Asked, values: BoundValues): string {
  const { classes, conditions, limit, offset } = asked
  const column = nullableColumn(asked)
  if (column !== undefined && classes === 'all' && conditions.length === 0)
    return idsOfAll(column, asked, values)
  const end = `order by ${orderBy(asked)} ${values.limited(asked)}`
  if (conditions.length > 0)
    return `select students.id from students where ${restricted(asked, values).join(' and ')} ${end}`
  if (classes === 'all') return `select students.id from students ${end}`
  if (!isByIndex(asked)) return `select students.id from students where ${inClasses(classes, values)} ${end}`
  const most = offset === 0 ? limit : `${limit} + ${values.bind(offset)}::bigint`
  return `select students.id from unnest(${idArray(classes, values)}) as chosen (class_id) cross join lateral (
      select id from students where students.class_id = chosen.class_id order by ${orderBy(asked)} limit ${most}
    ) as students ${end}`
}

/** An index has the students with a value in the column. */
function idsOfAll(column: NullableColumn, asked: Asked, values: BoundValues): string {
  const order = orderOfFilled(asked)
  const orderOfEmpty = orderOfFilled({ ...asked, sortedBy: asked.sortedBy.slice(1) })
  const piece = ({ limit, skipped }: Piece) => `limit ${limit} offset ${skipped}`
  return idsEmptyLast(column, asked, values, {
    filled: (of) => `select id from students where ${column} is not null order by ${order} ${piece(of)}`,
    empty: (of) => `select id from students where ${column} is null order by ${orderOfEmpty} ${piece(of)}`,
  })
}

/** Triggers keep the counts of classes, in parts. Students that meet a condition are counted here. */
function totalOf(asked: Asked, values: BoundValues): string {
  const { classes, conditions } = asked
  if (conditions.length > 0)
    return `select count(*) from students where ${restricted(asked, values).join(' and ')}`
  const total = 'select coalesce(sum(students), 0)::bigint from'
  if (classes === 'all') return `${total} student_counts`
  return `${total} class_counts where ${inClasses(classes, values, 'class_id')}`
}

/** `order by`. Texts are compared byte by byte, as on SQLite. */
function orderBy(asked: Asked): string {
  return emptyLast(asked, orderOfFilled(asked))
}

/** The same, where the first column is not empty. */
function orderOfFilled({ sortedBy, direction }: Asked): string {
  const by = sortedBy.map((column) => `students.${column}${column === 'created_at' ? '' : ' collate "C"'}`)
  return [...by, 'students.id'].map((one) => `${one} ${direction}`).join(', ')
}
