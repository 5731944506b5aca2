import { type RawBuilder, sql } from 'kysely'
import type { Authority } from '../access/authority.ts'
import { isOneOf } from '../db/is-one-of.ts'
import { rowsBeside } from '../db/read-beside.ts'
import type { Db } from '../db/tables.ts'
import { type Author, write } from '../events/write.ts'
import { Problem } from '../problems.ts'
import { basisFor } from './basis.ts'
import { holderOf, importState, moveOn } from './import-state.ts'
import type { Counts, ImportRow } from './model.ts'

/** What is asked for with a request to apply. */
export interface AskedToApply {
  /** Whose request it is; its account is the one that applies. */
  readonly by: Author<unknown>
  readonly now: Date
  /** `skip`: refused rows are left. */
  readonly refused?: 'skip' | undefined
  /** The counts of the plan, where it changes very many students. */
  readonly confirm?: Partial<Counts> | undefined
}

/** Below so many changes nothing has to be confirmed. */
const neverTooMany = 50

/**
 * Has a plan applied. The caller has compared its entity tag; wake the jobs in any case.
 * @param imported as its tag was compared with
 * @throws Problem import_state, plan_outdated (then it is planned anew, for this account), threshold_exceeded, or
 * precondition_failed where it changed meanwhile
 */
export async function applyRequested(db: Db, imported: ImportRow, asked: AskedToApply): Promise<void> {
  const { by, now, refused, confirm } = asked
  const { id, counts, state } = imported
  if (state !== 'planned' || counts === null)
    throw importState('Only a plan can be applied: the import is at another state.')
  if (counts.doubtful > 0)
    throw importState(`Decide on the doubtful rows first: there are ${counts.doubtful}.`)
  if (counts.refused > 0 && refused !== 'skip')
    throw importState(
      `There are ${counts.refused} refused rows: correct the file, or send refused: "skip" to apply the others.`,
    )
  const basis = await basisFor(db, by.userId)
  const isForAnother = holderOf(imported) !== by.userId
  const { planned_scopes: scopes } = imported
  const outdated = isForAnother || scopes !== basis.fingerprint ? 0 : await countOutdated(db, id)
  if (isForAnother || scopes !== basis.fingerprint || outdated > 0) {
    await planAnew(db, imported, asked, outdated > 0)
    throw planOutdated(outdated)
  }
  await checkThreshold(db, basis.authority, counts, confirm)
  const started = await write(db, by, (db) =>
    moveOn(db, imported, ['planned', 'applying'], now.toISOString(), {
      ...changedBy(by),
      total: counts.create + counts.change,
    }),
  )
  if (!started) throw changedMeanwhile()
}

/** The account of a request, and where it came from, as an import keeps them. */
export function changedBy({ userId, command, address, requestId }: Author<unknown>) {
  return {
    planned_for: userId ?? null,
    ...(command !== undefined && { command }),
    address: address ?? null,
    request_id: requestId ?? null,
  }
}

export function changedMeanwhile(): Problem {
  return new Problem(
    'precondition_failed',
    'The import was changed since you read it: read it again, and send its new ETag in If-Match.',
  )
}

function planOutdated(rows: number): Problem {
  const why =
    rows > 0
      ? `${rows} of its rows touch records that changed since; they are marked as outdated`
      : 'permissions, classes, fields or the order of names changed since, or it was made for another account'
  return new Problem('plan_outdated', `The plan is out of date: ${why}. It is made anew: look at it again.`)
}

async function planAnew(
  db: Db,
  imported: ImportRow,
  { by, now }: AskedToApply,
  hasOutdated: boolean,
): Promise<void> {
  const { id } = imported
  const begun = await write(db, by, async (db) => {
    if (hasOutdated)
      await sql`update import_plan set outdated = 1
        where import_id = ${id} and place in (select import_plan.place ${outdatedRows(id)})`.execute(db)
    return moveOn(db, imported, ['planned', 'reading'], now.toISOString(), changedBy(by))
  })
  if (!begun) throw changedMeanwhile()
}

/** Rows whose record changed since it was planned or is gone, or whose number somebody else has by now. */
function outdatedRows(importId: number): RawBuilder<unknown> {
  return sql`from import_plan
    left join students on students.id = import_plan.record_id
    left join students as holders on holders.admission_key = import_plan.number_key
    where import_plan.import_id = ${importId} and import_plan.outcome in ('create', 'change')
      and ((import_plan.record_id is not null
          and (students.id is null or students.version <> import_plan.record_version))
        or (holders.id is not null
          and (import_plan.record_id is null or holders.id <> import_plan.record_id)))`
}

async function countOutdated(db: Db, importId: number): Promise<number> {
  const query = sql<{ count: number }>`select count(*) as count ${outdatedRows(importId)}`
  const [row] = await rowsBeside(db, query.compile(db), ['count'])
  return Number(row!.count)
}

/** @throws Problem threshold_exceeded */
async function checkThreshold(
  db: Db,
  authority: Authority,
  counts: Counts,
  confirm: Partial<Counts> | undefined,
): Promise<void> {
  const seen = await countSeen(db, authority)
  if (counts.change <= Math.max(neverTooMany, seen / 10)) return
  const names = Object.keys(counts) as (keyof Counts)[]
  if (confirm !== undefined && names.every((name) => confirm[name] === counts[name])) return
  throw new Problem(
    'threshold_exceeded',
    `It changes ${counts.change} of ${seen} students. If that is meant, repeat the counts of the plan in confirm.`,
  )
}

/** How many students an account may see. */
async function countSeen(db: Db, authority: Authority): Promise<number> {
  const scope = authority.scopeOf('students.view') ?? []
  let counts = db.selectFrom('class_counts').select(sql<number>`coalesce(sum(students), 0)`.as('count'))
  if (scope !== 'all') counts = counts.where(isOneOf(db, 'class_id', sql`${scope.join()}`))
  return Number((await counts.executeTakeFirstOrThrow()).count)
}
