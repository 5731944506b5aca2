import { type RawBuilder, sql } from 'kysely'
import { type AskingCaller, type DbWithMatches, prepareAdmittedPage } from '../access/admitted-reads.ts'
import { isSameScope, type Scope } from '../access/scope.ts'
import { engineOf } from '../db/engine.ts'
import type { Engine } from '../db/migrations/index.ts'
import type { PageRows, PageValues } from '../db/page.ts'
import type { Placeholders } from '../db/prepare.ts'
import type { Db } from '../db/tables.ts'
import type { Page, PageRequest } from '../http/paging.ts'
import { invalidField, type Problem } from '../problems.ts'
import { isNowhere, maxSearchWords, searchPatterns } from '../text/search-words.ts'
import { isOneOf, type PageStart, startOfPage, totalOfClasses, totalOfStudents } from './counts.ts'
import { keepTotal, keptAmong } from './kept-totals.ts'
import { type ListedStudent, selectStudents, studentColumns } from './queries.ts'
import { classTerm, type LookupKind, lookUp, matchingIds } from './search.ts'
import { ordering, type Sort, sortColumns } from './sorting.ts'

/** Which students a list is of, and how they stand in it. */
export interface StudentList {
  readonly search: string
  readonly classId: number | undefined
  readonly sort: Sort
}

/** Pages of all students by id, each from where `startOfPage` lets it begin. */
const selectPage = prepareAdmittedPage<PageStart, ListedStudent>({
  total: totalOfStudents,
  page: (db, { from, limit, skip }) =>
    selectStudents(db).where('students.id', '>=', from).orderBy('students.id').limit(limit).offset(skip),
})

type ListValues = Record<string, string | number>

/** What the statements of any other list depend on. */
interface ListKind extends LookupKind {
  readonly engine: Engine
  readonly sort: Sort
  /** Whether the total is one of those that are kept. */
  readonly isKept: boolean
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
      if (kind.isKept) {
        return db
          .selectFrom('search_totals')
          .select('students as total')
          .where('pattern', '=', pattern as RawBuilder<string>)
      }
      if (isSearch) return db.selectFrom('matches').select((q) => q.fn.countAll<number>().as('total'))
      return ofClasses ? totalOfClasses(db, engine, classes as RawBuilder<string>) : totalOfStudents(db)
    },
    page: isSearch && sort === 'id' && !kind.skipsMany ? pageOfMatches : pageById(kind),
    order: ordering(engine, sort, 'work'),
  })
})

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
      .select(sortColumns(sort).map((column) => sql.ref(`students.${column}`).as(column)))
      .orderBy(ordering(engine, sort, 'students'))
}

/** The ids of a page, by the index of the sort's columns alone where there is no search. */
function idsOf(
  db: DbWithMatches,
  { engine, sort, ofClasses, terms }: ListKind,
  { limit, offset, classes }: Placeholders<ListValues & PageValues>,
) {
  const page = <Query extends { orderBy(order: RawBuilder<unknown>): Query }>(query: Query, table: string) =>
    query.orderBy(ordering(engine, sort, table))
  if (terms > 0 && sort === 'id') {
    return page(db.selectFrom('matches').select('matches.id'), 'matches').limit(limit).offset(offset)
  }
  const students =
    terms > 0
      ? db.selectFrom('matches').innerJoin('students', 'students.id', 'matches.id').select('students.id')
      : db.selectFrom('students').select('students.id')
  const chosen =
    terms === 0 && ofClasses
      ? (students as ReturnType<typeof allIds>).where(
          isOneOf(engine, 'students.class_id', classes as RawBuilder<string>),
        )
      : (students as ReturnType<typeof allIds>)
  return page(chosen, 'students').limit(limit).offset(offset)
}

const allIds = (db: DbWithMatches) => db.selectFrom('students').select('students.id')

function perKind<Made>(make: (kind: ListKind) => Made): (kind: ListKind) => Made {
  const made = new Map<string, Made>()
  return (kind) => {
    const { engine, terms, texts, ofClasses, isKept, skipsMany, sort } = kind
    const key = [engine, terms, texts, ofClasses, isKept, skipsMany, sort].join()
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
  const isWhole = classes === 'all' && patterns.length === 0 && sort === 'id'
  const { rows, total } = isWhole
    ? await selectPage(db, caller, { ...where, ...(await startOfPage(db, caller, where.offset)) })
    : await chosenPage(db, caller, { patterns, classes, sort }, where)
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
  const single = patterns.length === 1 && isSqlite && classes === 'all' ? patterns[0] : undefined
  const isKept = single !== undefined && kept.length === 1
  const lookup = lookUp(db, patterns, new Set(kept))
  const { terms, texts } = lookup
  const skipsMany = !isSqlite || where.offset >= 1_000
  const kind = { engine, terms, texts, ofClasses: classes !== 'all', isKept, skipsMany, sort }
  const ofClasses = classes !== 'all' && { classes: classes.join(), classTerm: classTerm(classes) }
  const values = { ...where, ...lookup.values, ...(isKept && { pattern: single }), ...ofClasses }
  const name = [sort, classes, ...patterns, where.offset, where.limit].join(' ')
  const found = await selectPageOfKind(kind)(db, caller, values, name)
  // Nobody waits for it, and whether it is kept changes no answer.
  if (single !== undefined && !isKept) keepTotal(db, single, found.total).catch(() => {})
  return found
}

function tooManyWords(): Problem {
  return invalidField('/search', 'too_many_words', `must have at most ${maxSearchWords} different words`)
}
