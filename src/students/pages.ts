import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type AskingCaller, type DbWithMatches, prepareAdmittedPage } from '../access/admitted-reads.ts'
import { isSameScope, type Scope } from '../access/scope.ts'
import { engineOf } from '../db/engine.ts'
import { isOneOf } from '../db/is-one-of.ts'
import type { Engine } from '../db/migrations/index.ts'
import type { PageRows, PageValues } from '../db/page.ts'
import type { Placeholders } from '../db/prepare.ts'
import type { Db, Tables } from '../db/tables.ts'
import type { Page, PageRequest } from '../http/paging.ts'
import { invalidField, type Problem } from '../problems.ts'
import { isNowhere, maxSearchWords, searchPatterns } from '../text/search-words.ts'
import { areOfFewClasses, pageOfFewClasses } from './class-pages.ts'
import { type PageStart, startOfPage, totalOfClasses, totalOfStudents } from './counts.ts'
import { keepTotal, keptAmong } from './kept-totals.ts'
import { type ListedStudent, selectStudents, studentColumns } from './queries.ts'
import { classTerm, type Lookup, type LookupKind, lookUp, matchingIds } from './search.ts'
import { columnsBesides, ordering, orderingOfAll, type Sort } from './sorting.ts'

/** Which students a list is of, and how they stand in it. */
export interface StudentList {
  readonly search: string
  readonly classId: number | undefined
  readonly sort: Sort
}

/** SQLite: pages of all students by id, each from where `startOfPage` lets it begin. */
const selectPageFrom = prepareAdmittedPage<PageStart, ListedStudent>({
  total: totalOfStudents,
  page: (db, { from, limit, skip }) =>
    selectStudents(db).where('students.id', '>=', from).orderBy('students.id').limit(limit).offset(skip),
})

type ListValues = Record<string, string | number>

/** What the statements of any other list depend on. */
interface ListKind extends LookupKind {
  readonly engine: Engine
  readonly sort: Sort
  /** Where the total is from, if a full page tells it. */
  readonly total: 'counted' | 'kept' | 'unasked'
  /** Whether so many are skipped that their ids are found first, and what stands under them is not read. */
  readonly skipsMany: boolean
}

/** Pages of a list, prepared for each kind when it is first asked for. */
const selectPageOfKind = perKind((kind) => {
  const isSearch = kind.terms > 0
  const { engine, sort, ofClasses } = kind
  return prepareAdmittedPage<ListValues, ListedStudent>({
    ...(isSearch && { matches: (db, values) => matchingIds(db, kind, values) }),
    total: (db, { pattern, classes }) => {
      const counted = db.selectFrom('matches').select((q) => q.fn.countAll<number>().as('total'))
      if (kind.total === 'kept') {
        // Counted only where the row is there no more, which was deleted by hand.
        return db
          .selectFrom('search_totals')
          .select((q) => q.fn.coalesce(q.fn.max('students'), counted).as('total'))
          .where('pattern', '=', pattern as RawBuilder<string>)
      }
      if (isSearch) return counted
      return ofClasses ? totalOfClasses(db, engine, classes as RawBuilder<string>) : totalOfStudents(db)
    },
    page: pageOf(kind),
    order: ordering(engine, sort, 'work'),
    isCounted: kind.total !== 'unasked',
    isPlanned: isSearch && kind.isPlanned,
  })
})

function pageOf(kind: ListKind) {
  const { engine, terms, ofClasses, skipsMany, sort } = kind
  if (skipsMany) return pageById(kind)
  if (terms > 0) return sort === 'id' ? pageOfMatches : pageById(kind)
  return engine === 'postgres' && !ofClasses ? pageOfAll(kind) : pageById(kind)
}

/** PostgreSQL's indexes have all students in the order of each list. */
function pageOfAll({ engine, sort }: ListKind) {
  return (db: DbWithMatches, { limit, offset }: Placeholders<PageValues>) =>
    selectStudents(db)
      .select(sortedBy(sort))
      .orderBy(ordering(engine, sort, 'students'))
      .limit(limit)
      .offset(offset)
}

function pageOfMatches(db: DbWithMatches, { limit, offset }: Placeholders<PageValues>) {
  return db
    .selectFrom('matches')
    .innerJoin('students', 'students.id', 'matches.id')
    .innerJoin('classes', 'classes.id', 'students.class_id')
    .select(studentColumns)
    .orderBy('matches.id')
    .limit(limit)
    .offset(offset)
}

function pageById(kind: ListKind) {
  const { engine, sort } = kind
  return (db: DbWithMatches, values: Placeholders<ListValues & PageValues>) =>
    db
      .selectFrom(() => idsOf(db, kind, values).as('ids'))
      .innerJoin('students', 'students.id', 'ids.id')
      .innerJoin('classes', 'classes.id', 'students.class_id')
      .select(studentColumns)
      .select(sortedBy(sort))
      .orderBy(ordering(engine, sort, 'students'))
}

function sortedBy(sort: Sort) {
  return columnsBesides(sort).map((column) => sql.ref(`students.${column}`).as(column))
}

type IdQuery = SelectQueryBuilder<Tables & { matches: { id: number } }, 'students', { id: number }>

/** The ids of a page; where there is no search, by an index that has them in the order of the list. */
function idsOf(db: DbWithMatches, kind: ListKind, values: Placeholders<ListValues & PageValues>) {
  const { engine, sort, terms } = kind
  const { limit, offset } = values
  if (terms > 0 && sort === 'id') {
    return db.selectFrom('matches').select('matches.id').orderBy('matches.id').limit(limit).offset(offset)
  }
  const isOfAll = terms === 0 && !kind.ofClasses
  if (engine === 'sqlite' && isOfAll && sort.endsWith('name')) return idsByName(sort, values)
  return chosenStudents(db, kind, values)
    .orderBy(isOfAll ? orderingOfAll(engine, sort) : ordering(engine, sort, 'students'))
    .limit(limit)
    .offset(offset)
}

/**
 * All students by name. SQLite's index has the folded names alone, and tells in which of them the page begins; from
 * there on students are read, and those of one folded name put in order.
 */
function idsByName(sort: Sort, { limit, offset }: Placeholders<PageValues>) {
  const isDown = sort.startsWith('-')
  const direction = sql.raw(isDown ? 'desc' : 'asc')
  return sql<{ id: number }>`(
    with there as materialized (
      select folded_name, id from students order by folded_name ${direction}, id ${direction} limit 1 offset ${offset}
    )
    select students.id from students where folded_name ${sql.raw(isDown ? '<=' : '>=')} (select folded_name from there)
    order by ${ordering('sqlite', sort, 'students')} limit ${limit} offset (
      select count(*) from students, there
      where students.folded_name = there.folded_name and students.id ${sql.raw(isDown ? '>' : '<')} there.id
    )
  )`
}

function chosenStudents(
  db: DbWithMatches,
  { engine, ofClasses, terms }: ListKind,
  { classes }: Placeholders<ListValues>,
): IdQuery {
  const all = db.selectFrom('students').select('students.id')
  if (terms > 0) return all.innerJoin('matches', 'matches.id', 'students.id') as unknown as IdQuery
  return ofClasses ? all.where(isOneOf(engine, 'students.class_id', classes as RawBuilder<string>)) : all
}

function perKind<Made>(make: (kind: ListKind) => Made): (kind: ListKind) => Made {
  const made = new Map<string, Made>()
  return (kind) => {
    const { engine, terms, texts, isPlanned, ofClasses, total, skipsMany, sort } = kind
    const key = [engine, terms, texts, isPlanned, ofClasses, total, skipsMany, sort].join()
    if (!made.has(key)) made.set(key, make(kind))
    return made.get(key)!
  }
}

/**
 * One page, and the exact total of the same snapshot; of those students alone that are in the caller's scope.
 * @throws Problem validation_failed when the search has too many words
 */
export async function pageOfStudents(
  db: Db,
  caller: AskingCaller,
  list: StudentList,
  where: PageRequest,
): Promise<Page<ListedStudent>> {
  const patterns = searchPatterns(list.search)
  if (patterns.length > maxSearchWords) throw tooManyWords()
  const { admission } = caller
  if (engineOf(db) === 'sqlite' || patterns.some(isNowhere)) await admission.check()
  // PostgreSQL learns the scope from the statement that it is made for: it seldom differs from the last one.
  for (;;) {
    const scope = admission.expectedScope
    const page = await pageInScope(db, caller, scope, patterns, list, where)
    if (isSameScope(scope, admission.scope)) return page
  }
}

async function pageInScope(
  db: Db,
  caller: AskingCaller,
  scope: Scope,
  patterns: readonly string[],
  { classId, sort }: StudentList,
  { page, perPage }: PageRequest,
): Promise<Page<ListedStudent>> {
  const where = { limit: perPage, offset: (page - 1) * perPage }
  const classes = classId === undefined ? scope : within(scope, classId)
  if (classes.length === 0 || patterns.some(isNowhere)) {
    await caller.admission.check()
    return { items: [], total: 0 }
  }
  const isWhole = classes === 'all' && patterns.length === 0 && sort === 'id' && engineOf(db) === 'sqlite'
  const chosen = { patterns, classes, sort }
  const { rows, total } = isWhole
    ? await selectPageFrom(db, caller, { ...where, ...(await startOfPage(db, caller, where.offset)) })
    : patterns.length === 0 && areOfFewClasses(chosen)
      ? await pageOfFewClasses(db, caller, chosen, where)
      : await chosenPage(db, caller, chosen, where)
  return { items: rows, total }
}

function within(scope: Scope, classId: number): readonly number[] {
  return scope === 'all' || scope.includes(classId) ? [classId] : []
}

interface Chosen {
  readonly patterns: readonly string[]
  readonly classes: Scope
  readonly sort: Sort
}

/** A page of what all patterns find in these classes. */
async function chosenPage(
  db: Db,
  caller: AskingCaller,
  { patterns, classes, sort }: Chosen,
  where: PageValues,
): Promise<PageRows<ListedStudent>> {
  const engine = engineOf(db)
  const isSqlite = engine === 'sqlite'
  const kept = isSqlite ? await keptAmong(db, patterns) : []
  const ofClasses = classes !== 'all'
  const single = patterns.length === 1 && isSqlite && !ofClasses ? patterns[0] : undefined
  const isKept = single !== undefined && kept.length === 1
  // In another order all that one word finds are read, and no early end is worth reading texts.
  const { values: parts, ...lookup } = lookUp(db, patterns, new Set(isKept && sort !== 'id' ? [] : kept))
  const { terms } = lookup
  if (isSqlite && ofClasses && terms > 0 && sort === 'id' && kept.length === 0) {
    const few = await hitsIfFew(db, caller, patterns, { ...lookup, values: parts })
    if (few !== undefined) return pageAmong(few, classes, where)
  }
  const skipsMany = where.offset >= 1_000 || (!isSqlite && terms > 0)
  const total = isKept ? 'kept' : 'counted'
  const values = {
    ...where,
    ...parts,
    ...(isKept && { pattern: single }),
    ...(ofClasses && { classes: classes.join(), classTerm: classTerm(classes) }),
  }
  const name = [sort, classes, ...patterns, where.offset, where.limit].join(' ')
  const isPlanned = lookup.isPlanned || ofClasses
  const select = selectPageOfKind({ ...lookup, isPlanned, engine, ofClasses, total, skipsMany, sort })
  const found = await select(db, caller, values, name)
  // Nobody waits for it, and whether it is kept changes no answer.
  if (single !== undefined && !isKept) keepTotal(db, single, found.total).catch(() => {})
  return found
}

/** SQLite tells the classes of so many hits sooner by reading them than by its index. */
const maxFewHits = 100
/** Searches that find more, so that they are not tried again; what is forgotten is tried. */
const findMany = new Set<string>()
const maxRemembered = 10_000

/** All that a search finds in all classes, unless that is much. */
async function hitsIfFew(
  db: Db,
  caller: AskingCaller,
  patterns: readonly string[],
  { values, ...lookup }: Lookup,
): Promise<ListedStudent[] | undefined> {
  const search = patterns.join(' ')
  if (findMany.has(search)) return undefined
  const kind = { ...lookup, engine: 'sqlite', sort: 'id', skipsMany: false } as const
  const select = selectPageOfKind({ ...kind, ofClasses: false, total: 'unasked' })
  const { rows } = await select(db, caller, { ...values, limit: maxFewHits + 1, offset: 0 }, search)
  if (rows.length <= maxFewHits) return rows
  if (findMany.size >= maxRemembered) findMany.clear()
  findMany.add(search)
  return undefined
}

function pageAmong(
  hits: readonly ListedStudent[],
  classes: readonly number[],
  { limit, offset }: PageValues,
): PageRows<ListedStudent> {
  const rows = hits.filter(({ class_id }) => classes.includes(class_id))
  return { rows: rows.slice(offset, offset + limit), total: rows.length }
}

function tooManyWords(): Problem {
  return invalidField('/search', 'too_many_words', `must have at most ${maxSearchWords} different words`)
}
