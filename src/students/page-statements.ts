import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type DbWithMatches, prepareAdmittedPage } from '../access/admitted-reads.ts'
import { isOneOf } from '../db/is-one-of.ts'
import type { Engine } from '../db/migrations/index.ts'
import type { PageValues } from '../db/page.ts'
import type { Placeholders } from '../db/prepare.ts'
import type { Tables } from '../db/tables.ts'
import { totalOfClasses, totalOfStudents } from './counts.ts'
import { type ListedStudent, selectStudents, studentColumns } from './queries.ts'
import { listedMembers } from './schema.ts'
import { type LookupKind, matchingIds } from './search.ts'
import { ordering, orderingOfAll, type Sort } from './sorting.ts'

/** What is bound: the parts of a lookup, and the classes in the forms that statements want. */
export type ListValues = Record<string, string | number>

/** What the statements of a list depend on. */
export interface ListKind extends LookupKind {
  readonly engine: Engine
  readonly sort: Sort
  /** Where the total is from, if a full page tells it. */
  readonly total: 'counted' | 'kept' | 'unasked'
  /** Whether so many are skipped that their ids are found first, and what stands under them is not read. */
  readonly skipsMany: boolean
}

/** Pages of a list, prepared for each kind when it is first asked for. */
export const selectPageOfKind = perKind((kind) => {
  const isSearch = kind.terms > 0
  const { engine, ofClasses } = kind
  return prepareAdmittedPage<ListValues, ListedStudent>({
    ...(isSearch && {
      matches: (db, values, areAllRead = false) => matchingIds(db, { ...kind, areAllRead }, values),
    }),
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
    members: listedMembers,
    isCounted: kind.total !== 'unasked',
    isPlanned: isSearch && kind.isPlanned,
    mayTakeLong: isSearch || ofClasses || kind.skipsMany,
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
      .orderBy(ordering(engine, sort, 'students'))
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
