import { sql } from 'kysely'
import { Authority } from '../../access/authority.ts'
import { isInScope } from '../../access/scope.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import type { Db } from '../../db/tables.ts'
import { faultsProblem } from '../../http/validation.ts'
import type { FieldFault } from '../../problems.ts'
import type { Decision, ImportRow } from '../model.ts'
import { authorityOf } from '../planning/basis.ts'
import { placeIn, sheetFault } from '../questions/row-places.ts'
import { planFor } from '../showing/narrowed.ts'

/** What a person decides on a row. */
export interface RowDecision {
  readonly row: number
  /** The name of its sheet; a file with one sheet needs none. */
  readonly sheet?: string | undefined
  /** null: what was decided is taken back. */
  readonly decision: Decision | null
  readonly id?: number | undefined
}

/**
 * Keeps what people decide on doubtful rows, in place of what they decided before.
 * @param userId whose sight counts; undefined: a command decides @throws Problem validation_failed
 */
export async function putDecisions(
  db: Db,
  imported: ImportRow,
  decisions: readonly RowDecision[],
  userId: number | undefined,
): Promise<void> {
  if (decisions.length === 0) return
  const { id, facts } = imported
  const placed = decisions.map((one) => ({ ...one, place: placeIn(facts, one) }))
  const places = placed.flatMap(({ place }) => place ?? [])
  const there = await db
    .selectFrom('import_rows')
    .select('place')
    .where('import_id', '=', id)
    .where('place', 'in', [...places, -1])
    .execute()
  const known = new Set(there.map(({ place }) => place))
  const authority = (await authorityOf(db, userId)) ?? new Authority(new Map())
  const open = await openPlaces(db, imported, places, authority)
  const students = await studentsSeen(db, decisions, authority)
  const faults = placed.flatMap((one, i) => {
    const isRepeated = placed.findIndex(({ place }) => place === one.place) < i
    const ofSheet = sheetFault(facts, one.sheet)
    const fault =
      (ofSheet && { pointer: 'sheet', ...ofSheet }) ??
      rowFault(one.place !== undefined && known.has(one.place), isRepeated) ??
      (one.decision === null || open.has(one.place!) ? undefined : notDoubtful(imported, one)) ??
      studentFault(one, students)
    return fault === undefined ? [] : [{ ...fault, pointer: `/decisions/${i}/${fault.pointer}` }]
  })
  if (faults.length > 0) throw faultsProblem(faults)
  await db.deleteFrom('import_decisions').where('import_id', '=', id).where('place', 'in', places).execute()
  const decided = placed.flatMap(({ place, decision, id: record_id = null }) =>
    decision === null ? [] : [{ import_id: id, place: place!, decision, record_id }],
  )
  if (decided.length > 0) await db.insertInto('import_decisions').values(decided).execute()
}

/** The places of rows that may be decided on: those that are shown to an account as doubtful, or as decided. */
async function openPlaces(
  db: Db,
  imported: ImportRow,
  places: readonly number[],
  authority: Authority,
): Promise<ReadonlySet<number>> {
  const { id, counts } = imported
  const { outcome, isWhole } = await planFor(db, imported, authority)
  const isDoubtful = counts === null ? sql<boolean>`false` : sql<boolean>`${outcome} = 'doubtful'`
  const isDecided = sql<boolean>`place in (select place from import_decisions where import_id = ${id})`
  const open = await db
    .selectFrom('import_plan')
    .select('place')
    .where('import_id', '=', id)
    .where(isOneOf(db, 'place', sql.val(places.join())))
    .where(isWhole ? sql<boolean>`(${isDoubtful} or ${isDecided})` : isDoubtful)
    .execute()
  return new Set(open.map(({ place }) => place))
}

/** Of the students whom decisions name, those whom an account sees. */
async function studentsSeen(
  db: Db,
  decisions: readonly RowDecision[],
  authority: Authority,
): Promise<ReadonlySet<number>> {
  const ids = decisions.flatMap(({ id }) => id ?? [])
  const scope = authority.scopeOf('students.view')
  const named = await db
    .selectFrom('students')
    .select(['id', 'class_id'])
    .where('id', 'in', [...ids, -1])
    .execute()
  return new Set(named.filter(({ class_id }) => isInScope(scope, class_id)).map(({ id }) => id))
}

/** A fault, and the member of the decision that has it. */
type MemberFault = FieldFault | undefined

function rowFault(isThere: boolean, isRepeated: boolean): MemberFault {
  if (!isThere) return { pointer: 'row', code: 'invalid', detail: 'is no row of the file below its header' }
  return isRepeated ? { pointer: 'row', code: 'duplicate', detail: 'must not stand here twice' } : undefined
}

function notDoubtful({ id, counts }: ImportRow, { row }: RowDecision): MemberFault {
  const what =
    counts === null
      ? ', and the import has no plan yet: answer its questions first'
      : `, and row ${row} is not: GET /api/imports/${id}/rows?outcome=doubtful lists them`
  return { pointer: 'row', code: 'invalid', detail: `must be a doubtful row${what}` }
}

function studentFault({ decision, id }: RowDecision, students: ReadonlySet<number>): MemberFault {
  const pointer = 'id'
  if (decision === 'same' && id === undefined)
    return { pointer, code: 'required', detail: 'is required with same' }
  if (id === undefined) return undefined
  if (decision !== 'same') return { pointer, code: 'invalid', detail: 'goes with same alone' }
  if (students.has(id)) return undefined
  return { pointer, code: 'unknown_student', detail: 'must be the id of a student' }
}
