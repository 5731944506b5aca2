import type { BoundStatement } from '../../../db/sqlite-reader.ts'
import { idsInBlock } from '../../../db/tables.ts'
import { members, selectedColumns } from '../columns.ts'
import type { Chosen } from '../filter.ts'
import { orderOf, type Sort, type SortColumn } from '../sorts.ts'
import { BoundValues, limited, type Rows } from '../values.ts'
import { type Lookup, lookUp } from './search.ts'

/*
 * A page is its ids in order, then what is shown of these. `cross join` keeps SQLite from any other order of loops, and
 * so the ids in their order: else it would read all students to spare a sort.
 */

/** Of more classes than this, all students are gathered and sorted. */
const maxMergedClasses = 32

/** An instant in milliseconds since 1970, as migration 4 has it in the index. */
export const createdMilliseconds = "cast(round(unixepoch(students.created_at, 'subsec') * 1000) as integer)"

const json = `cast(json_group_array(json_object(${members.map((name) => `'${name}', page.${name}`).join(', ')})) as blob)`

/** Whether the indexes of the classes, each in the order of ids, are merged as far as the page needs. */
export function mergesClasses({ patterns, classes }: Chosen, sort: Sort): boolean {
  const isById = orderOf(sort).columns.length === 0
  return patterns.length === 0 && isById && classes !== 'all' && classes.length <= maxMergedClasses
}

/**
 * A page: how many rows, and these as JSON (a `PageRow`).
 * @param isCommon as `lookUp` has it
 */
export function pageStatement(chosen: Chosen, sort: Sort, rows: Rows, isCommon = false): BoundStatement {
  const values = new BoundValues('?')
  const { patterns, classes } = chosen
  const page =
    patterns.length === 0 && classes === 'all' && sort === 'id'
      ? allById(rows, values)
      : rowsOf(idsOf(chosen, sort, rows, values, isCommon))
  return { sql: `select count(*) as count, ${json} as json from (${page}) as page`, parameters: values.all }
}

/** How many there are in all, without a search: triggers count students. */
export function totalStatement({ classes }: Chosen): BoundStatement {
  if (classes === 'all') return { sql: 'select sum(students) as total from student_counts', parameters: [] }
  const values = new BoundValues('?')
  const ofClasses = `class_id in (select value from json_each(${values.bind(idList(classes))}))`
  const total = `select coalesce(sum(students), 0) as total from class_counts where ${ofClasses}`
  return { sql: total, parameters: values.all }
}

/** How many a search finds, and up to which id and change that holds. */
export function countStatement(chosen: Chosen): BoundStatement {
  const values = new BoundValues('?')
  const found = matches(lookUp(chosen, false), values)
  const last = 'coalesce((select max(id) from students), 0)'
  const count = `select count(*) as total, ${last} as last, (select changes from student_changes) as changes from ${found}`
  return { sql: count, parameters: values.all }
}

/** What a search found, up to an id and a change. */
export interface Counted {
  readonly total: number
  readonly last: number
  readonly changes: number
}

/** Of more students that came since, all are counted anew. */
const maxRecounted = 2_000

/** The same, where only students that came since are read. It gives no row where those are many, or others changed. */
export function recountStatement(
  patterns: readonly string[],
  { total, last, changes }: Counted,
): BoundStatement {
  const values = new BoundValues('?')
  const since = `students where id > ${values.bind(last)}`
  const held = patterns.map((pattern) => ` and instr(search_text, ${values.bind(pattern)}) > 0`).join('')
  const sql = `select ${values.bind(total)} + (select count(*) from ${since}${held}) as total, last, changes
    from (select coalesce((select max(id) from students), 0) as last) cross join student_changes
    where changes = ${values.bind(changes)} and last <= ${values.bind(last + maxRecounted)}`
  return { sql, parameters: values.all }
}

/** All students by id. Blocks of ids are skipped whole, so that a deep page costs little more than the first. */
function allById(rows: Rows, values: BoundValues): string {
  const { limit, offset } = rows
  const page = `select ${selectedColumns} from students cross join classes on classes.id = students.class_id`
  if (offset < idsInBlock) return `${page} order by students.id ${limited(rows, values)}`
  const skipped = values.bind(offset)
  return `with start as materialized (
      select block, before from (
        select block, sum(students) over (order by block) - students as before from student_blocks
      ) where before <= ${skipped} order by block desc limit 1
    )
    ${page} where students.id >= (select block * ${idsInBlock} from start)
    order by students.id limit ${limit} offset ${skipped} - coalesce((select before from start), 0)`
}

function rowsOf(ids: string): string {
  return `select ${selectedColumns} from (${ids}) as ids
    cross join students on students.id = ids.id
    cross join classes on classes.id = students.class_id`
}

function idsOf(chosen: Chosen, sort: Sort, rows: Rows, values: BoundValues, isCommon: boolean): string {
  const { patterns, classes } = chosen
  if (patterns.length > 0) return idsOfMatches(lookUp(chosen, isCommon), sort, rows, values)
  if (classes === 'all')
    return orderOf(sort).columns[0] === 'folded_name'
      ? idsByName(sort, rows, values)
      : idsOfAll(sort, rows, values)
  return mergesClasses(chosen, sort)
    ? idsOfMergedClasses(classes, sort, rows, values)
    : idsOfClasses(classes, sort, rows, values)
}

function idsOfMatches(lookup: Lookup, sort: Sort, rows: Rows, values: BoundValues): string {
  const { columns, direction } = orderOf(sort)
  const isById = columns.length === 0
  const found = matches(lookup, values, !isById)
  const order = isById ? `student_search.rowid ${direction}` : ordering(sort)
  return `select student_search.rowid as id from ${found} order by ${order} ${limited(rows, values)}`
}

/** What a lookup finds; with what stands of it in `students`, where that is read besides. */
function matches({ match, texts }: Lookup, values: BoundValues, withStudents = false): string {
  const found = `student_search match ${values.bind(match)}`
  if (texts.length === 0 && !withStudents) return `student_search where ${found}`
  const held = texts.map((text) => ` and instr(students.search_text, ${values.bind(text)}) > 0`).join('')
  const joined = 'student_search cross join students on students.id = student_search.rowid'
  return `${joined} where ${found}${held}`
}

function idsOfAll(sort: Sort, rows: Rows, values: BoundValues): string {
  return `select students.id from students order by ${ordering(sort)} ${limited(rows, values)}`
}

function idsOfClasses(classes: readonly number[], sort: Sort, rows: Rows, values: BoundValues): string {
  return `select students.id from json_each(${values.bind(idList(classes))}) as chosen
    cross join students on students.class_id = chosen.value
    order by ${ordering(sort)} ${limited(rows, values)}`
}

/** The index on the class has each class in the order of ids. */
function idsOfMergedClasses(classes: readonly number[], sort: Sort, rows: Rows, values: BoundValues): string {
  const each = classes.map((id) => `select id from students where class_id = ${values.bind(id)}`)
  return `${each.join(' union all ')} order by id ${orderOf(sort).direction} ${limited(rows, values)}`
}

/**
 * The index on the name has folded names alone. It tells in which of them the page begins; from there on students are
 * read, and those of one folded name put in order.
 */
function idsByName(sort: Sort, { limit, offset }: Rows, values: BoundValues): string {
  const { direction } = orderOf(sort)
  const [from, before] = direction === 'asc' ? ['>=', '<'] : ['<=', '>']
  return `with there as materialized (
      select folded_name, id from students indexed by students_name
      order by folded_name ${direction}, id ${direction} limit 1 offset ${values.bind(offset)}
    )
    select students.id from students indexed by students_name
    where folded_name ${from} (select folded_name from there)
    order by ${ordering(sort)} limit ${limit} offset (
      select count(*) from there cross join students indexed by students_name
      where students.folded_name = there.folded_name and students.id ${before} there.id
    )`
}

/** `order by`. Texts are compared byte by byte, as on PostgreSQL. */
function ordering(sort: Sort): string {
  const { columns, direction } = orderOf(sort)
  return [...columns.map(sortedBy), 'students.id'].map((by) => `${by} ${direction}`).join(', ')
}

function sortedBy(column: SortColumn): string {
  return column === 'created_at' ? createdMilliseconds : `students.${column}`
}

function idList(ids: readonly number[]): string {
  return `[${ids.join()}]`
}
