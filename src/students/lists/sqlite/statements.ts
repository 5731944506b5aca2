import type { BoundStatement } from '../../../db/sqlite-reader.ts'
import { idsInBlock } from '../../../db/tables.ts'
import { type Asked, BoundValues, nullableColumn } from '../asked.ts'
import { asName, type ListColumn, plainColumns, selected } from '../columns.ts'
import { conditionsOf } from '../filter.ts'
import { idsByIndex } from './by-index.ts'
import { idRows, inClasses, restricted } from './ids.ts'
import { orderBy } from './ordering.ts'
import { type Lookup, lookUp } from './search.ts'

/*
 * A page is its ids in order, then what is shown of these. `cross join` keeps SQLite from any other order of loops, and
 * so the ids in their order: else it would read all students to spare a sort.
 */

/** Of more classes than this, all students are gathered and sorted. */
const maxMergedClasses = 32

/** Beyond so many, all students are sorted and then counted off: to keep as many in order as they come takes longer. */
const fewKept = 1_000

/** What is selected of a page, and how it is written as JSON. */
interface Shown {
  readonly selected: string
  readonly json: string
}

const plain = shownAs(plainColumns)

function shownOf({ columns }: Asked): Shown {
  return columns === plainColumns ? plain : shownAs(columns)
}

/** What is selected of these columns, and how it is written as JSON. */
function shownAs(columns: readonly ListColumn[]): Shown {
  const members = columns.map((column) => `'${column.name}', ${asJson(column)}`)
  const json = `cast(json_group_array(json_object(${members.join(', ')})) as blob)`
  return { selected: selected(columns, expressionOf), json }
}

/** The same, without names: each student is an array of values. */
export function valuesAs(columns: readonly ListColumn[]): Shown {
  const json = `json_group_array(json_array(${columns.map(asJson).join(', ')}))`
  return { selected: selected(columns, expressionOf), json }
}

/** A value of a row as JSON has it. */
function asJson(column: ListColumn): string {
  const value = `page.${asName(column)}`
  return ['json', 'own'].includes(column.holds) ? `json(${value})` : value
}

function expressionOf({ source, holds }: ListColumn): string {
  return holds === 'own' ? new BoundValues('?').ownField(source) : source
}

/** How the students of a page are found: each way is a function below. */
type Way =
  /** By the search index. */
  | 'matches'
  /** One by one, and then put in order. */
  | 'chosen'
  /** All by id: blocks are skipped, so that it needs no lookup wherever the page is. */
  | 'all'
  /** All by another index that has their order. */
  | 'index'
  /** By the index of each class, which has it in the order of ids; these are merged as far as the page needs. */
  | 'merged'
  /** By class, and then put in order. */
  | 'classes'

/** How a page is found, without a guardian. */
export function wayOf(asked: Asked): Way {
  const { patterns, classes, conditions, sortedBy, direction } = asked
  if (patterns.length > 0) return 'matches'
  if (conditions.length > 0) return 'chosen'
  if (classes === 'all') return sortedBy.length === 0 && direction === 'asc' ? 'all' : 'index'
  if (nullableColumn(asked) !== undefined) return 'chosen'
  return sortedBy.length === 0 && classes.length <= maxMergedClasses ? 'merged' : 'classes'
}

/** What is known besides of how much a page finds. */
interface Known {
  /** As `lookUp` has it. */
  readonly isCommon?: boolean
  /** Whether most students are in the classes, so that all are read. */
  readonly areMost?: boolean
}

/** A page: how many rows, and these as JSON (a `PageRow`). */
export function pageStatement(asked: Asked, known: Known = {}): BoundStatement {
  const values = new BoundValues('?')
  return { sql: pageOfIds(asked, idsOf(asked, values, known)), parameters: values.all }
}

/** Reads the students of these ids, in their order, as one row: how many there are, and these as JSON. */
export function pageOfIds(asked: Asked, ids: string): string {
  const { selected, json } = shownOf(asked)
  return `select count(*) as count, ${json} as json from (${rowsOf(selected, ids)}) as page`
}

/**
 * How many there are in all, without a search. Triggers keep the counts of classes. Students that meet a condition are
 * counted here.
 */
export function totalStatement(asked: Asked, areMost = false): BoundStatement {
  const { classes, conditions } = asked
  if (conditions.length > 0) {
    const values = new BoundValues('?')
    return { sql: `select count(*) as total from ${chosen(asked, values, areMost)}`, parameters: values.all }
  }
  if (classes === 'all') return { sql: 'select sum(students) as total from student_counts', parameters: [] }
  const values = new BoundValues('?')
  const ofClasses = inClasses(classes, values, 'class_id')
  const total = `select coalesce(sum(students), 0) as total from class_counts where ${ofClasses}`
  return { sql: total, parameters: values.all }
}

/** How many a search finds, and up to which id and change that holds. */
export function countStatement(asked: Asked): BoundStatement {
  const values = new BoundValues('?')
  const found = matches(lookUp(asked, false), asked, values)
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

/** Selects the students of these ids, in their order. */
export function rowsOf(selected: string, ids: string): string {
  return `select ${selected} from (${ids}) as ids
    cross join students on students.id = ids.id
    cross join classes on classes.id = students.class_id`
}

function idsOf(asked: Asked, values: BoundValues, { isCommon = false, areMost = false }: Known): string {
  const classes = asked.classes === 'all' ? [] : asked.classes
  switch (wayOf(asked)) {
    case 'matches':
      return idsOfMatches(lookUp(asked, isCommon), asked, values)
    case 'chosen':
      return idsOfChosen(asked, values, areMost)
    case 'all':
      return idsOfAll(asked, values)
    case 'index':
      return idsByIndex(asked, values)
    case 'merged':
      return idsOfMergedClasses(classes, asked, values)
    case 'classes':
      return idsOfClasses(classes, asked, values)
  }
}

/** All ids in order. Blocks of them are skipped whole, so that a deep page costs little more than the first. */
function idsOfAll(asked: Asked, values: BoundValues): string {
  const { limit, offset } = asked
  if (offset < idsInBlock) return `select id from students order by id ${values.limited(asked)}`
  const skipped = values.bind(offset)
  return `with start as materialized (
      select block, before from (
        select block, sum(students) over (order by block) - students as before from student_blocks
      ) where before <= ${skipped} order by block desc limit 1
    )
    select id from students where id >= (select block * ${idsInBlock} from start)
    order by id limit ${limit} offset ${skipped} - coalesce((select before from start), 0)`
}

function idsOfMatches(lookup: Lookup, asked: Asked, values: BoundValues): string {
  const isById = asked.sortedBy.length === 0
  const found = matches(lookup, asked, values, !isById)
  const order = isById ? `student_search.rowid ${asked.direction}` : orderBy(asked)
  return `select student_search.rowid as id from ${found} order by ${order} ${values.limited(asked)}`
}

/** What a lookup finds; with what stands of it in `students`, where that is read besides. */
function matches(
  { match, texts }: Lookup,
  { conditions }: Asked,
  values: BoundValues,
  withStudents = false,
): string {
  const found = `student_search match ${values.bind(match)}`
  if (texts.length === 0 && conditions.length === 0 && !withStudents) return `student_search where ${found}`
  const held = texts.map((text) => `instr(students.search_text, ${values.bind(text)}) > 0`)
  const joined = 'student_search cross join students on students.id = student_search.rowid'
  return `${joined} where ${[found, ...held, ...conditionsOf(conditions, values)].join(' and ')}`
}

/** Whether a quarter of all students or more are in these classes: then it is quicker to read all than by class. */
export function shareStatement(classes: readonly number[]): BoundStatement {
  const values = new BoundValues('?')
  const ofClasses = inClasses(classes, values, 'class_id')
  const share = `select (select sum(students) from class_counts where ${ofClasses}) * 4
    >= (select sum(students) from student_counts) as is_large`
  return { sql: share, parameters: values.all }
}

/**
 * The students that meet the conditions, of all or of some classes. No index in the order of the list is walked: that
 * would take long where few students meet them.
 */
function chosen(asked: Asked, values: BoundValues, areMost: boolean): string {
  const { classes, conditions } = asked
  if (classes === 'all' || areMost)
    return `students not indexed where ${restricted(asked, values).join(' and ')}`
  const ofClasses = ['students.class_id = chosen.value', ...conditionsOf(conditions, values)].join(' and ')
  return `${idRows(classes, values)} as chosen cross join students on ${ofClasses}`
}

function idsOfChosen(asked: Asked, values: BoundValues, areMost: boolean): string {
  const ids = `select students.id from ${chosen(asked, values, areMost)} order by ${orderBy(asked)}`
  if (asked.offset < fewKept) return `${ids} ${values.limited(asked)}`
  return `with sorted as materialized (${ids}) select id from sorted ${values.limited(asked)}`
}

function idsOfClasses(classes: readonly number[], asked: Asked, values: BoundValues): string {
  return `select students.id from ${idRows(classes, values)} as chosen
    cross join students on students.class_id = chosen.value
    order by ${orderBy(asked)} ${values.limited(asked)}`
}

/** The index on the class has each class in the order of ids. */
function idsOfMergedClasses(classes: readonly number[], asked: Asked, values: BoundValues): string {
  const each = classes.map((id) => `select id from students where class_id = ${values.bind(id)}`)
  return `${each.join(' union all ')} order by id ${asked.direction} ${values.limited(asked)}`
}
