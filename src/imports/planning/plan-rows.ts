import { hash } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isOneOf } from '../../db/is-one-of.ts'
import { jsonRows } from '../../db/json-rows.ts'
import { executePlanned } from '../../db/planned.ts'
import { countBeside, rowsBeside } from '../../db/read-beside.ts'
import type { Db, Tables } from '../../db/tables.ts'
import { type Counts, type KeptCounts, type Outcome, outcomes, type PlannedCell } from '../model.ts'

/* The rows of a plan, as the table has them. Each statement takes a slice of them. */

/** A row of a plan, as it is stored. */
export type StoredPlanRow = Readonly<Omit<Selectable<Tables['import_plan']>, 'import_id'>>

/** What is written of a row that is planned; what it lacks is null. */
export type PlanRow = Partial<Omit<StoredPlanRow, 'kept'>> &
  Pick<StoredPlanRow, 'place' | 'outdated'> & { readonly outcome: Outcome }

const columns = {
  place: 'integer',
  outcome: 'text',
  record_id: 'integer',
  record_version: 'integer',
  class_id: 'integer',
  number_key: 'text',
  changes: 'text',
  cells: 'text',
  likeness: 'text',
  outdated: 'integer',
} as const

/** The rows that are applied: no others are. */
export const isWritten = sql<boolean>`outcome in ('create', 'change')`

/** The rows that somebody decided on. */
export const isDecided = sql<boolean>`exists (select 1 from import_decisions as decided
  where decided.import_id = import_plan.import_id and decided.place = import_plan.place)`

const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))

export async function insertPlanRows(db: Db, importId: number, rows: readonly PlanRow[]): Promise<void> {
  await sql`insert into import_plan (import_id, ${names})
    select cast(${importId} as bigint), ${names} from ${jsonRows(db, rows, columns)}`.execute(db)
}

/** Rows that turn out to be otherwise than they were planned by themselves. */
export interface Amendment {
  readonly place: number
  readonly outcome: Outcome
  readonly cells: readonly PlannedCell[]
  readonly likeness: string | null
}

export async function amendPlanRows(db: Db, importId: number, rows: readonly Amendment[]): Promise<void> {
  const given = rows.map((row) => ({ ...row, cells: JSON.stringify(row.cells) }))
  await updatePlanRows(db, importId, given, { outcome: 'text', cells: 'text', likeness: 'text' })
}

/**
 * Gives rows of a plan other values. The rows that are given come first, since each has the whole key: else SQLite reads
 * all of them again for each row of the plan.
 * @param columns what is given of each row besides its place
 */
export async function updatePlanRows(
  db: Db,
  importId: number,
  rows: readonly { readonly place: number }[],
  columns: Readonly<Partial<Record<keyof Tables['import_plan'], 'integer' | 'text'>>>,
): Promise<void> {
  const keyed = rows.map((row) => ({ import_id: importId, ...row }))
  const given = jsonRows(db, keyed, { import_id: 'integer', place: 'integer', ...columns })
  const set = Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`)
  const update = sql`update import_plan set ${sql.join(set)} from ${given}
    where import_plan.import_id = given.import_id and import_plan.place = given.place`
  await executePlanned(db, update)
}

/** Equal for changes, or faults, that are equal: rows are grouped by it. */
export function likenessOf(alike: object): string {
  return hash('sha1', JSON.stringify(alike), 'base64')
}

/** The same, whoever has what a row gives, and whichever number nobody has. */
export function likenessOfFaults(cells: readonly PlannedCell[]): string {
  return likenessOf(
    cells.map(({ ids, mayBe, to, ...told }) => (told.code === 'unknown_student' ? told : { to, ...told })),
  )
}

/** Rows of a plan by their places, each beside what was decided on it. */
export function decidedRowsAt(db: Db, importId: number, places: readonly number[]) {
  return db
    .selectFrom('import_plan')
    .leftJoin('import_decisions', (join) =>
      join
        .onRef('import_decisions.import_id', '=', 'import_plan.import_id')
        .onRef('import_decisions.place', '=', 'import_plan.place'),
    )
    .where('import_plan.import_id', '=', importId)
    .where(isOneOf(db, 'import_plan.place', places))
}

/** How many rows are applied where all of these places are. */
export function countWritten(
  db: Db,
  importId: number,
  { from = 0, to }: { readonly from?: number; readonly to: number },
): Promise<number> {
  return countBeside(
    db,
    sql`select count(*) as count from import_plan
      where import_id = ${importId} and place between ${from} and ${to} and ${isWritten}`,
  )
}

interface Met {
  readonly outcome: string
  readonly count: number
}

/** How many rows have each outcome. @param missing see `Counts` */
export async function countPlan(db: Db, importId: number, missing: number): Promise<Counts> {
  return countsOf(await outcomesOf(db, importId, sql`true`), missing)
}

/** The counts of a plan, of how often each outcome is met. */
export function countsOf(found: readonly Met[], missing: number): Counts {
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
  for (const { outcome, count } of found) counts[outcome as Outcome] = Number(count)
  const rows = Object.values(counts).reduce((sum, one) => sum + one, 0)
  return { rows, ...counts, missing }
}

/** Of how many rows an undo left something. */
export async function countKept(db: Db, importId: number): Promise<KeptCounts> {
  const found = await outcomesOf(db, importId, sql`place >= 0 and kept is not null`)
  const of = (one: Outcome) => Number(found.find(({ outcome }) => outcome === one)?.count ?? 0)
  return { kept_create: of('create'), kept_change: of('change') }
}

async function outcomesOf(db: Db, importId: number, met: RawBuilder<boolean>): Promise<Met[]> {
  const query = db
    .selectFrom('import_plan')
    .select(['outcome', sql<number>`count(*)`.as('count')])
    .where('import_id', '=', importId)
    .where(met)
    .groupBy('outcome')
  return rowsBeside(db, query)
}
