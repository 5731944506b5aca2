import { type RawBuilder, sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import { countBeside } from '../../db/read-beside.ts'
import type { Db, Instant } from '../../db/tables.ts'
import type { Author } from '../../events/write.ts'
import type { Static } from '../../http/json-schema.ts'
import { Problem } from '../../problems.ts'
import { accountOf, columnsOfAuthor } from '../acting.ts'
import type { Counts, ImportRow } from '../model.ts'
import { basisFor } from '../planning/basis.ts'
import { rowsOfNewcomers } from '../planning/newcomers.ts'
import { isWritten, updatePlanRows } from '../planning/plan-rows.ts'
import type { applyImport } from '../schema.ts'
import { moveTo, wrongState } from '../states.ts'

/** What is said with a request to apply. */
export type Application = Static<typeof applyImport.body>

/** Whether a plan can be applied as it is, or is to be made anew, and then why. */
interface Judgement {
  readonly outdated: Problem | undefined
  readonly hasOutdatedRows: boolean
  /** The places of rows whose children came since. */
  readonly come: readonly number[]
}

/** Below so many changes nothing has to be confirmed. */
const neverTooMany = 50

/**
 * Judges whether a plan can be applied by an account. It reads much, so it is called before the write; in that, the
 * import must still have the version that was judged.
 * @param userId undefined: a command applies it
 * @throws Problem import_state, counts_differ, rows_undecided or threshold_exceeded
 */
export async function judgePlan(
  db: Db,
  imported: ImportRow,
  userId: number | undefined,
  { refused, confirm }: Application,
): Promise<Judgement> {
  const { counts } = imported
  if (imported.state !== 'planned' || counts === null) throw wrongState(imported, 'applied')
  const basis = await basisFor(db, userId)
  const isOther = accountOf(imported) !== userId || imported.planned_scopes !== basis.fingerprint
  const come = isOther || counts.create === 0 ? [] : await rowsOfNewcomers(db, imported, basis.sight)
  const changed = isOther
    ? 0
    : await countBeside(db, sql`select count(*) as count ${outdatedRows(imported.id)}`)
  const rows = changed + come.length
  if (isOther || rows > 0) return { outdated: planOutdated(rows, userId), hasOutdatedRows: changed > 0, come }
  const differing = differingCounts(counts, confirm)
  if (differing !== undefined) throw differing
  checkDecided(counts, refused)
  await checkThreshold(db, basis.sight, counts, confirm)
  return { outdated: undefined, hasOutdatedRows: false, come: [] }
}

/** What counts that are none of the plan's are answered with. @returns a problem, counts_differ */
export function differingCounts(counts: Counts, confirm: Partial<Counts> = {}): Problem | undefined {
  const confirmed = Object.entries(confirm) as [keyof Counts, number][]
  const told = confirmed.flatMap(([name, count]) =>
    counts[name] === count ? [] : [`${name}=${counts[name]}, and not ${count}`],
  )
  if (told.length === 0) return undefined
  return new Problem('counts_differ', `The plan has ${told.join('; ')}: look at it again.`)
}

/** Has a plan applied, or made anew, as it was judged; inside the write of the request. Wake the jobs afterwards. */
export async function applyOrReplan(
  db: Db,
  { id }: Pick<ImportRow, 'id'>,
  { outdated, hasOutdatedRows, come }: Judgement,
  by: Author,
  now: Instant,
): Promise<void> {
  if (hasOutdatedRows)
    await sql`update import_plan set outdated = 1
      where import_id = ${id} and place in (select import_plan.place ${outdatedRows(id)})`.execute(db)
  const marked = come.map((place) => ({ place, outdated: 1 }))
  if (marked.length > 0) await updatePlanRows(db, id, marked, { outdated: 'integer' })
  if (outdated === undefined) await moveTo(db, id, ['planned'], 'applying', now, columnsOfAuthor(by))
  else
    await moveTo(db, id, ['planned'], 'reading', now, { questions: [], counts: null, ...columnsOfAuthor(by) })
}

function checkDecided({ doubtful, refused }: Counts, skipped: 'skip' | undefined): void {
  if (doubtful > 0)
    throw new Problem(
      'rows_undecided',
      `${rowsAre(doubtful)} doubtful: say of each whether it is the same child, another one, or to be left out.`,
    )
  if (refused > 0 && skipped === undefined)
    throw new Problem(
      'rows_undecided',
      `${rowsAre(refused)} refused: correct the file, or apply the other rows with refused "skip".`,
    )
}

/** How many rows, as a sentence begins with them. */
export const rowsAre = (count: number) => (count === 1 ? 'One row is' : `${count} rows are`)

/** @param userId undefined: a command, which does not make it anew */
function planOutdated(rows: number, userId: number | undefined): Problem {
  const why =
    rows > 0
      ? `${rows === 1 ? 'the record of 1 row' : `the records of ${rows} rows`} changed or came since, marked as outdated`
      : 'permissions, classes, fields or the order of names changed since, or it was made for somebody else'
  const remedy = userId === undefined ? 'Run it again.' : 'It is made anew; look at it, and apply that.'
  return new Problem('plan_outdated', `The plan is out of date: ${why}. ${remedy}`)
}

/** Rows whose record changed since it was planned or is gone, or whose number somebody else has by now. */
function outdatedRows(importId: number): RawBuilder<unknown> {
  return sql`from import_plan
    left join students on students.id = import_plan.record_id
    left join students as holders on holders.admission_key = import_plan.number_key
    where import_plan.import_id = ${importId} and ${isWritten}
      and ((import_plan.record_id is not null
          and (students.id is null or students.version <> import_plan.record_version))
        or (holders.id is not null and import_plan.changes like '%"admission_number":[%'
          and (import_plan.record_id is null or holders.id <> import_plan.record_id)))`
}

/** @throws Problem threshold_exceeded */
async function checkThreshold(
  db: Db,
  authority: Authority,
  counts: Counts,
  confirm: Partial<Counts> | undefined,
): Promise<void> {
  const seen = await countSeen(db, authority)
  if (counts.change <= Math.max(neverTooMany, seen / 10) || confirm?.change !== undefined) return
  throw new Problem(
    'threshold_exceeded',
    `It changes ${counts.change} of ${seen} students. If that is meant, repeat that in confirm: {"change":${counts.change}}.`,
  )
}

/** How many students an account may see. */
async function countSeen(db: Db, authority: Authority): Promise<number> {
  const scope = authority.scopeOf('students.view') ?? []
  let counts = db.selectFrom('class_counts').select(sql<number>`coalesce(sum(students), 0)`.as('count'))
  if (scope !== 'all') counts = counts.where(isOneOf(db, 'class_id', scope))
  return Number((await counts.executeTakeFirstOrThrow()).count)
}
