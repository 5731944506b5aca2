import { type AskingCaller, prepareAdmittedPage } from '../access/admitted-reads.ts'
import { isSameScope, type Scope } from '../access/scope.ts'
import { engineOf } from '../db/engine.ts'
import type { JsonPage, PageValues } from '../db/page.ts'
import { andThen, type Soon } from '../db/soon.ts'
import type { Db } from '../db/tables.ts'
import type { PageRequest } from '../http/paging.ts'
import { invalidField, type Problem } from '../problems.ts'
import { isNowhere, maxSearchWords, searchPatterns } from '../text/search-words.ts'
import { areOfFewClasses, pageOfFewClasses } from './class-pages.ts'
import { type PageStart, startOfPage, totalOfStudents } from './counts.ts'
import { keepTotal, keptAmong } from './kept-totals.ts'
import { selectPageOfKind } from './page-statements.ts'
import { type ListedStudent, selectStudents } from './queries.ts'
import { listedMembers } from './schema.ts'
import { classTerm, lookUp } from './search.ts'
import type { Sort } from './sorting.ts'

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
  members: listedMembers,
})

/**
 * One page, and the exact total of the same snapshot; of those students alone that are in the caller's scope.
 * @throws Problem validation_failed when the search has too many words
 */
export function pageOfStudents(
  db: Db,
  caller: AskingCaller,
  list: StudentList,
  where: PageRequest,
): Soon<JsonPage> {
  const patterns = searchPatterns(list.search)
  const { admission } = caller
  if (patterns.length > maxSearchWords) throw tooManyWords()
  // PostgreSQL learns the scope from the statement that it is made for: it seldom differs from the last one.
  const inExpectedScope = (): Soon<JsonPage> => {
    const scope = admission.expectedScope
    return andThen(pageInScope(db, caller, scope, patterns, list, where), (page) =>
      isSameScope(scope, admission.scope) ? page : inExpectedScope(),
    )
  }
  return inExpectedScope()
}

function pageInScope(
  db: Db,
  caller: AskingCaller,
  scope: Scope,
  patterns: readonly string[],
  { classId, sort }: StudentList,
  { page, perPage }: PageRequest,
): Soon<JsonPage> {
  const where = { limit: perPage, offset: (page - 1) * perPage }
  const classes = classId === undefined ? scope : within(scope, classId)
  if (classes.length === 0 || patterns.some(isNowhere))
    return andThen(caller.admission.check(), () => asPage([], 0))
  const isWhole = classes === 'all' && patterns.length === 0 && sort === 'id' && engineOf(db) === 'sqlite'
  const chosen = { patterns, classes, sort }
  if (isWhole) {
    const start = startOfPage(db, where.offset)
    return andThen(start, (start) => selectPageFrom(db, caller, { ...where, ...start }))
  }
  if (patterns.length === 0 && areOfFewClasses(chosen)) return pageOfFewClasses(db, caller, chosen, where)
  return chosenPage(db, caller, chosen, where)
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
function chosenPage(db: Db, caller: AskingCaller, chosen: Chosen, where: PageValues): Soon<JsonPage> {
  if (engineOf(db) === 'postgres') return readChosen(db, caller, chosen, where, [])
  const { patterns, classes, sort } = chosen
  return andThen(keptAmong(db, patterns), (kept) => {
    const read = () => readChosen(db, caller, chosen, where, kept)
    if (classes === 'all' || sort !== 'id' || kept.length > 0) return read()
    return andThen(hitsIfFew(db, caller, patterns), (few) =>
      few === undefined ? read() : pageAmong(few, classes, where),
    )
  })
}

/** @param kept on SQLite: those of the patterns whose totals are kept */
function readChosen(
  db: Db,
  caller: AskingCaller,
  { patterns, classes, sort }: Chosen,
  where: PageValues,
  kept: readonly string[],
): Soon<JsonPage> {
  const engine = engineOf(db)
  const isSqlite = engine === 'sqlite'
  const ofClasses = classes !== 'all'
  const single = patterns.length === 1 && isSqlite && !ofClasses ? patterns[0] : undefined
  const isKept = single !== undefined && kept.length === 1
  // In another order all that one word finds are read, and no early end is worth reading texts.
  const { values: parts, ...lookup } = lookUp(db, patterns, new Set(isKept && sort !== 'id' ? [] : kept))
  const { terms } = lookup
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
  return andThen(select(db, caller, values, name), (found) => {
    // Nobody waits for it, and whether it is kept changes no answer.
    if (single !== undefined && !isKept) keepTotal(db, single, found.total).catch(() => {})
    return found
  })
}

/** SQLite tells the classes of so many hits sooner by reading them than by its index. One more is a usual limit. */
const maxFewHits = 99
/** Searches that find more, so that they are not tried again; what is forgotten is tried. */
const findMany = new Set<string>()
const maxRemembered = 10_000

/** All that a search finds in all classes, unless that is much. */
function hitsIfFew(
  db: Db,
  caller: AskingCaller,
  patterns: readonly string[],
): Soon<ListedStudent[] | undefined> {
  const { values, ...lookup } = lookUp(db, patterns)
  const search = patterns.join(' ')
  if (lookup.terms === 0 || findMany.has(search)) return undefined
  const kind = { ...lookup, engine: 'sqlite', sort: 'id', skipsMany: false } as const
  const select = selectPageOfKind({ ...kind, ofClasses: false, total: 'unasked' })
  const hits = select(db, caller, { ...values, limit: maxFewHits + 1, offset: 0 }, search)
  return andThen(hits, ({ json, total }) => {
    if (total <= maxFewHits) return JSON.parse(Buffer.from(json).toString())
    if (findMany.size >= maxRemembered) findMany.clear()
    findMany.add(search)
    return undefined
  })
}

function pageAmong(
  hits: readonly ListedStudent[],
  classes: readonly number[],
  { limit, offset }: PageValues,
): JsonPage {
  const inClasses = hits.filter(({ class_id }) => classes.includes(class_id))
  return asPage(inClasses.slice(offset, offset + limit), inClasses.length)
}

function asPage(students: readonly ListedStudent[], total: number): JsonPage {
  return { json: Buffer.from(JSON.stringify(students)), total }
}

function tooManyWords(): Problem {
  return invalidField('/search', {
    code: 'too_many_words',
    detail: `must have at most ${maxSearchWords} different words`,
    params: { limit: maxSearchWords },
  })
}
