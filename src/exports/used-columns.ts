import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../access/scope.ts'
import { bytewise, engineOf } from '../db/engine.ts'
import { isOneOf } from '../db/is-one-of.ts'
import { countBeside, rowsBeside } from '../db/read-beside.ts'
import type { Db } from '../db/tables.ts'
import { invalidField } from '../problems.ts'
import type { ListRequest } from '../students/lists/asked.ts'
import { uniqueKey } from '../text/normalise.ts'
import type { SheetPlan } from './sheet-plan.ts'

/** How many systems of identifiers have a column each, where nothing else is said. */
export const usualSystems = 200

/**
 * Finds how many columns the list's guardians and identifiers take: what the students of its classes have, found by
 * its filters or not.
 * @throws Problem validation_failed where there are too many systems of identifiers
 */
export async function planSheet(
  db: Db,
  { classes, columns }: Pick<ListRequest, 'classes' | 'columns'>,
  mostSystems = usualSystems,
): Promise<SheetPlan> {
  const names = columns.map(({ name }) => name)
  const guardians = names.includes('guardians') ? await mostGuardians(db, classes) : 0
  const hasIdentifiers = names.includes('identifiers')
  if (hasIdentifiers && (await countSystems(db, classes, mostSystems)) > mostSystems)
    throw tooManySystems(mostSystems)
  const spellings = hasIdentifiers ? await spellingsOfSystems(db, classes) : []
  const byKey = Map.groupBy(spellings, uniqueKey)
  const systems = [...byKey.values()].map((spellings) => ({ name: spellings[0]!, spellings }))
  return { columns: names, guardians, systems }
}

function tooManySystems(mostSystems: number) {
  const detail = `must name columns without identifiers: these are of more than ${mostSystems} systems, and each would be a column`
  return invalidField('/columns', { code: 'too_many', detail, params: { limit: mostSystems } })
}

/** There is a column for one where nobody has any, so that the header tells what it is called. */
async function mostGuardians(db: Db, classes: Scope): Promise<number> {
  const guardians = engineOf(db) === 'postgres' ? sql`guardians::json` : sql`guardians`
  const query = sql<{ most: number | null }>`
    select max(json_array_length(${guardians})) as most from students where ${inClasses(db, classes)}`
  const [row] = await rowsBeside(db, query)
  return Math.max(1, row?.most ?? 0)
}

/** Counts no further than one more than there may be; a system is one in however many ways it is written. */
async function countSystems(db: Db, classes: Scope, most: number): Promise<number> {
  const ofStudents =
    classes === 'all'
      ? sql``
      : sql`where student_id in (select id from students where ${inClasses(db, classes)})`
  return countBeside(
    db,
    sql`select count(*) as count from (
      select distinct system_key from student_identifiers ${ofStudents} limit ${sql.lit(most + 1)}
    ) as systems`,
  )
}

/** In the order of the texts. */
async function spellingsOfSystems(db: Db, classes: Scope): Promise<string[]> {
  const each =
    engineOf(db) === 'postgres'
      ? sql`cross join lateral json_array_elements(identifiers::json) as one (value)`
      : sql`cross join json_each(students.identifiers) as one`
  const query = sql<{ system: string }>`
    select system from (
      select distinct one.value ->> 'system' as system from students ${each} where ${inClasses(db, classes)}
    ) as systems order by system ${bytewise(db)}`
  const rows = await rowsBeside(db, query)
  return rows.map(({ system }) => system)
}

function inClasses(db: Db, classes: Scope): RawBuilder<boolean> {
  return classes === 'all' ? sql`true` : isOneOf(db, 'class_id', classes)
}
