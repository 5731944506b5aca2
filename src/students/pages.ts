import type { RawBuilder } from 'kysely'
import { type AskingCaller, type DbWithMatches, prepareAdmittedPage } from '../access/admitted-reads.ts'
import { engineOf } from '../db/engine.ts'
import type { PageRows, PageValues } from '../db/page.ts'
import type { Placeholders } from '../db/prepare.ts'
import type { Db } from '../db/tables.ts'
import type { Page, PageRequest } from '../http/paging.ts'
import { invalidField, type Problem } from '../problems.ts'
import { maxSearchWords, searchPatterns } from '../text/search-words.ts'
import { type PageStart, startOfPage, totalOfStudents } from './counts.ts'
import { keepTotal, keptAmong } from './kept-totals.ts'
import { type Student, selectStudents, studentColumns } from './queries.ts'
import { isNowhere, type LookupKind, lookUp, matchingIds } from './search.ts'

/** Pages of all students, each from where `startOfPage` lets it begin. */
const selectPage = prepareAdmittedPage<PageStart, Student>({
  total: totalOfStudents,
  page: (db, { from, limit, skip }) =>
    selectStudents(db).where('students.id', '>=', from).orderBy('students.id').limit(limit).offset(skip),
})

type SearchValues = Record<string, string | number>

/** What the statements of a search depend on. */
interface SearchKind extends LookupKind {
  /** Whether the total is one of those that are kept. */
  readonly isKept: boolean
  /** Whether so many are skipped that their ids are found first, and what stands under them is not read. */
  readonly skipsMany: boolean
}

/** Pages of a search, prepared for each kind when it is first asked for. */
const selectMatchingPage = perKind((kind) =>
  prepareAdmittedPage<SearchValues, Student>({
    matches: (db, values) => matchingIds(db, kind, values),
    total: (db, { pattern }) =>
      kind.isKept
        ? db
            .selectFrom('search_totals')
            .select('students as total')
            .where('pattern', '=', pattern as RawBuilder<string>)
        : db.selectFrom('matches').select((q) => q.fn.countAll<number>().as('total')),
    page: kind.skipsMany ? pageById : pageOfMatches,
  }),
)

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

function pageById(db: DbWithMatches, { limit, offset }: Placeholders<PageValues>) {
  return db
    .selectFrom((q) =>
      q
        .selectFrom('matches')
        .select('matches.id')
        .orderBy('matches.id')
        .limit(limit)
        .offset(offset)
        .as('ids'),
    )
    .innerJoin('students', 'students.id', 'ids.id')
    .innerJoin('classes', 'classes.id', 'students.class_id')
    .select(studentColumns)
    .orderBy('ids.id')
}

function perKind<Made>(make: (kind: SearchKind) => Made): (kind: SearchKind) => Made {
  const made = new Map<string, Made>()
  return ({ terms, texts, isKept, skipsMany }) => {
    const key = [terms, texts, isKept, skipsMany].join()
    if (!made.has(key)) made.set(key, make({ terms, texts, isKept, skipsMany }))
    return made.get(key)!
  }
}

/**
 * One page, ordered by id, and the exact total of the same snapshot.
 * @throws Problem validation_failed when the search has too many words
 */
export async function pageOfStudents(
  db: Db,
  caller: AskingCaller,
  search: string,
  { page, perPage }: PageRequest,
): Promise<Page<Student>> {
  const limit = perPage
  const offset = (page - 1) * perPage
  const patterns = searchPatterns(search)
  if (patterns.length > maxSearchWords) throw tooManyWords()
  if (patterns.some(isNowhere)) {
    await caller.admission.check()
    return { items: [], total: 0 }
  }
  const { rows, total } =
    patterns.length === 0
      ? await selectPage(db, caller, { limit, offset, ...(await startOfPage(db, caller, offset)) })
      : await searchedPage(db, caller, patterns, { limit, offset })
  return { items: rows, total }
}

/** A page of what all patterns find. */
async function searchedPage(
  db: Db,
  caller: AskingCaller,
  patterns: readonly string[],
  where: PageValues,
): Promise<PageRows<Student>> {
  const isPostgres = engineOf(db) === 'postgres'
  if (!isPostgres) await caller.admission.check()
  const kept = isPostgres ? [] : await keptAmong(db, patterns)
  const single = patterns.length === 1 && !isPostgres ? patterns[0] : undefined
  const isKept = single !== undefined && kept.length === 1
  const lookup = lookUp(db, patterns, new Set(kept))
  const kind = { ...lookup, isKept, skipsMany: isPostgres || where.offset >= 1_000 }
  const values = { ...where, ...lookup.values, ...(isKept && { pattern: single }) }
  const name = [...patterns, where.offset, where.limit].join(' ')
  const found = await selectMatchingPage(kind)(db, caller, values, name)
  // Nobody waits for it, and whether it is kept changes no answer.
  if (single !== undefined && !isKept) keepTotal(db, single, found.total).catch(() => {})
  return found
}

function tooManyWords(): Problem {
  return invalidField('/search', 'too_many_words', `must have at most ${maxSearchWords} different words`)
}
