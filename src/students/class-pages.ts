import { type RawBuilder, sql } from 'kysely'
import { type AskingCaller, prepareAdmittedPage } from '../access/admitted-reads.ts'
import type { Scope } from '../access/scope.ts'
import { engineOf } from '../db/engine.ts'
import type { Engine } from '../db/migrations/index.ts'
import type { JsonPage, PageValues } from '../db/page.ts'
import type { Placeholders } from '../db/prepare.ts'
import type { Soon } from '../db/soon.ts'
import type { Db } from '../db/tables.ts'
import { totalOfFewClasses } from './counts.ts'
import { type ListedStudent, selectStudents } from './queries.ts'
import { listedMembers } from './schema.ts'
import type { Sort } from './sorting.ts'

/** Of more classes than this, all students are gathered and sorted. */
const maxClasses = 32

/** All students of few classes, by id. */
export interface FewClasses {
  readonly classes: readonly number[]
  readonly sort: 'id' | '-id'
}

export function areOfFewClasses(chosen: { classes: Scope; sort: Sort }): chosen is FewClasses {
  const { classes, sort } = chosen
  return sort.endsWith('id') && classes !== 'all' && classes.length <= maxClasses
}

/** The classes' ids, as `class0`, `class1` … */
type ClassValues = Record<`class${number}`, number>

const names = Array.from({ length: maxClasses }, (_, i) => `class${i}` as const)

interface Kind {
  readonly engine: Engine
  readonly classes: number
  readonly sort: FewClasses['sort']
  /** Whether so many are skipped that their ids are found first, and what stands under them is not read. */
  readonly skipsMany: boolean
}

/**
 * By id: what the index has in this order for each class is merged, and no more is read than the page needs.
 * PostgreSQL, which would read all, is told how much that is.
 */
function preparePage({ engine, classes, sort, skipsMany }: Kind) {
  const direction = sort === 'id' ? 'asc' : 'desc'
  type Values = Placeholders<ClassValues & PageValues>
  const idsOf = (values: Values) => names.slice(0, classes).map((name): RawBuilder<number> => values[name]!)

  const pageOfRows = (db: Pick<Db, 'selectFrom'>, values: Values) => {
    const [first, ...others] = idsOf(values).map((id) =>
      selectStudents(db).where('students.class_id', '=', id),
    )
    return others
      .reduce((all, one) => all.unionAll(one), first!)
      .orderBy(sql`1`, direction) // the id
      .limit(values.limit)
      .offset(values.offset)
  }

  const pageOfIds = (db: Pick<Db, 'selectFrom'>, values: Values) => {
    const needed = sql<number>`cast(${values.offset} as bigint) + ${values.limit}`
    const [first, ...others] = idsOf(values).map((id) => {
      const ids = db.selectFrom('students').select('students.id').where('students.class_id', '=', id)
      if (engine === 'sqlite') return ids
      return db
        .selectFrom(ids.orderBy('students.id', direction).limit(needed).as('students'))
        .select('students.id')
    })
    const ids = others
      .reduce((all, one) => all.unionAll(one), first!)
      .orderBy('id', direction)
      .limit(values.limit)
      .offset(values.offset)
    return selectStudents(db)
      .innerJoin(ids.as('ids'), 'ids.id', 'students.id')
      .orderBy('students.id', direction)
  }

  return prepareAdmittedPage<ClassValues, ListedStudent>({
    total: (db, values) => totalOfFewClasses(db, engine, idsOf(values as Values)),
    page: engine === 'sqlite' && !skipsMany ? pageOfRows : pageOfIds,
    members: listedMembers,
    mayTakeLong: skipsMany,
  })
}

const prepared = new Map<string, ReturnType<typeof preparePage>>()

export function pageOfFewClasses(
  db: Db,
  caller: AskingCaller,
  { classes, sort }: FewClasses,
  where: PageValues,
): Soon<JsonPage> {
  const skipsMany = where.offset >= 1_000
  const engine = engineOf(db)
  const key = `${engine} ${classes.length} ${sort} ${skipsMany}`
  let page = prepared.get(key)
  if (page === undefined) {
    page = preparePage({ engine, classes: classes.length, sort, skipsMany })
    prepared.set(key, page)
  }
  const values: ClassValues & PageValues = { ...where }
  for (const [i, id] of classes.entries()) values[names[i]!] = id
  // The first pages are always quick.
  const name = skipsMany ? [sort, classes, where.offset, where.limit].join(' ') : undefined
  return page(db, caller, values, name)
}
