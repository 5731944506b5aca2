import type { BoundStatement } from '../../../db/sqlite-reader.ts'
import { idsInBlock } from '../../../db/tables.ts'
import { type Asked, BoundValues, type SortColumn } from '../asked.ts'
import { members, selectedColumns } from '../columns.ts'
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
export function mergesClasses({ patterns, classes, sortedBy }: Asked): boolean {
  const isById = sortedBy.length === 0
  return patterns.length === 0 && isById && classes !== 'all' && classes.length <= maxMergedClasses
}

/** Whether the page is of all students by id: it needs no lookup, wherever it is. */
export function isAllById({ patterns, classes, sort }: Asked): boolean {
  return patterns.length === 0 && classes === 'all' && sort === 'id'
}

/**
 * A page: how many rows, and these as JSON (a `PageRow`).
 * @param isCommon as `lookUp` has it
 */
export function pageStatement(asked: Asked, isCommon = false): BoundStatement {
  const values = new BoundValues('?')
  const page = isAllById(asked) ? allById(asked, values) : rowsOf(idsOf(asked, values, isCommon))
  return { sql: jsonOf(page), parameters: values.all }
}

/** What reads a page as one row: how many rows there are, and these as JSON. */
export function jsonOf(page: string): string {
  return `select count(*) as count, ${json} as json from (${page}) as page`
}

/** How many there are in all, without a search: triggers count students. */
export function totalStatement({ classes }: Asked): BoundStatement {
  if (classes === 'all') return { sql: 'select sum(students) as total from student_counts', parameters: [] }
  const values = new BoundValues('?')
  const ofClasses = `class_id in (select value from json_each(${values.bind(idList(classes))}))`
  const total = `select coalesce(sum(students), 0) as total from class_counts where ${ofClasses}`
  return { sql: total, parameters: values.all }
}

/** How many a search finds, and up to which id and change that holds. */
export function countStatement(asked: Asked): BoundStatement {
  const values = new BoundValues('?')
  const found = matches(lookUp(asked, false), values)
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
function allById(asked: Asked, values: BoundValues): string {
  const { limit, offset } = asked
  const page = `select ${selectedColumns} from students cross join classes on classes.id = students.class_id`
  if (offset < idsInBlock) return `${page} order by students.id ${values.limited(asked)}`
  const skipped = values.bind(offset)
  return `with start as materialized (
      select block, before from (
        select block, sum(students) over (order by block) - students as before from student_blocks
      ) where before <= ${skipped} order by block desc limit 1
    )
    ${page} where students.id >= (select block * ${idsInBlock} from start)
    order by students.id limit ${limit} offset ${skipped} - coalesce((select before from start), 0)`
}

/** What a list shows of the students of these ids, in their order. */
export function rowsOf(ids: string): string {
  return `select ${selectedColumns} from (${ids}) as ids
    cross join students on students.id = ids.id
    cross join classes on classes.id = students.class_id`
}

function idsOf(asked: Asked, values: BoundValues, isCommon: boolean): string {
  const { patterns, classes, sortedBy } = asked
  if (patterns.length > 0) return idsOfMatches(lookUp(asked, isCommon), asked, values)
  if (classes === 'all')
    return sortedBy[0] === 'folded_name' ? idsByName(asked, values) : idsOfAll(asked, values)
  return mergesClasses(asked)
    ? idsOfMergedClasses(classes, asked, values)
    : idsOfClasses(classes, asked, values)
}

function idsOfMatches(lookup: Lookup, asked: Asked, values: BoundValues): string {
  const isById = asked.sortedBy.length === 0
  const found = matches(lookup, values, !isById)
  const order = isById ? `student_search.rowid ${asked.direction}` : ordering(asked)
  return `select student_search.rowid as id from ${found} order by ${order} ${values.limited(asked)}`
}

/** What a lookup finds; with what stands of it in `students`, where that is read besides. */
function matches({ match, texts }: Lookup, values: BoundValues, withStudents = false): string {
  const found = `student_search match ${values.bind(match)}`
  if (texts.length === 0 && !withStudents) return `student_search where ${found}`
  const held = texts.map((text) => ` and instr(students.search_text, ${values.bind(text)}) > 0`).join('')
  const joined = 'student_search cross join students on students.id = student_search.rowid'
  return `${joined} where ${found}${held}`
}

function idsOfAll(asked: Asked, values: BoundValues): string {
  return `select students.id from students order by ${ordering(asked)} ${values.limited(asked)}`
}

function idsOfClasses(classes: readonly number[], asked: Asked, values: BoundValues): string {
  return `select students.id from json_each(${values.bind(idList(classes))}) as chosen
    cross join students on students.class_id = chosen.value
    order by ${ordering(asked)} ${values.limited(asked)}`
}

/** The index on the class has each class in the order of ids. */
function idsOfMergedClasses(classes: readonly number[], asked: Asked, values: BoundValues): string {
  const each = classes.map((id) => `select id from students where class_id = ${values.bind(id)}`)
  return `${each.join(' union all ')} order by id ${asked.direction} ${values.limited(asked)}`
}

/**
 * The index on the name has folded names alone. It tells in which of them the page begins; from there on students are
 * read, and those of one folded name put in order.
 */
function idsByName(asked: Asked, values: BoundValues): string {
  const { limit, offset, direction } = asked
  const [from, before] = direction === 'asc' ? ['>=', '<'] : ['<=', '>']
  return `with there as materialized (
      select folded_name, id from students indexed by students_name
      order by folded_name ${direction}, id ${direction} limit 1 offset ${values.bind(offset)}
    )
    select students.id from students indexed by students_name
    where folded_name ${from} (select folded_name from there)
    order by ${ordering(asked)} limit ${limit} offset (
      select count(*) from there cross join students indexed by students_name
      where students.folded_name = there.folded_name and students.id ${before} there.id
    )`
}

/** `order by`. Texts are compared byte by byte, as on PostgreSQL. */
export function ordering({ sortedBy, direction }: Asked): string {
  return [...sortedBy.map(expressionOf), 'students.id'].map((by) => `${by} ${direction}`).join(', ')
}

function expressionOf(column: SortColumn): string {
  return column === 'created_at' ? createdMilliseconds : `students.${column}`
}

/** Ids as a JSON array. */
export function idList(ids: readonly number[]): string {
  return `[${ids.join()}]`
}
