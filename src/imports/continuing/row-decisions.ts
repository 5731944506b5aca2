import type { Authority } from '../../access/authority.ts'
import type { Db } from '../../db/tables.ts'
import type { Static } from '../../http/json-schema.ts'
import type { FieldFault } from '../../problems.ts'
import { type ImportRow, namesStudent, type Outcome, outcomes } from '../model.ts'
import { aboutKept } from '../planning/asked-anew.ts'
import { sightOrNone } from '../planning/basis.ts'
import { decidedRowsAt } from '../planning/plan-rows.ts'
import type * as schema from '../row-messages.ts'
import { placeIn, sheetFault } from '../row-places.ts'
import { planFor } from '../showing/narrowed.ts'
import { idsSeen } from '../showing/shown-rows.ts'

/** What a person decides on a row. */
export type RowDecision = Readonly<Static<typeof schema.RowDecision>>

/**
 * Keeps what people decide on rows, in place of what they decided before. Of who a row is, they decide where it is
 * doubtful; they leave out any row that would be imported.
 * @param userId whose sight counts; undefined: a command decides
 * @returns what is wrong: then nothing is kept
 */
export async function putDecisions(
  db: Db,
  imported: ImportRow,
  decisions: readonly RowDecision[],
  userId: number | undefined,
): Promise<readonly FieldFault[]> {
  if (decisions.length === 0) return []
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
  const authority = await sightOrNone(db, userId)
  const plan = await shownPlan(db, imported, places, authority)
  const named = decisions.flatMap(({ id }) => id ?? [])
  const students = await idsSeen(db, authority, named)
  const faults = placed.flatMap((one, i) => {
    const isRepeated = placed.findIndex(({ place }) => place === one.place) < i
    const ofSheet = sheetFault(facts, one.sheet)
    const ofRow =
      (ofSheet && { pointer: 'sheet', ...ofSheet }) ??
      rowFault(one.place !== undefined && known.has(one.place), isRepeated) ??
      outcomeFault(imported, one, plan.get(one.place!))
    const found = [ofRow, studentFault(one, students)].flatMap((fault) => fault ?? [])
    return found.map((fault) => ({ ...fault, pointer: `/decisions/${i}/${fault.pointer}` }))
  })
  if (faults.length > 0) return faults
  await db.deleteFrom('import_decisions').where('import_id', '=', id).where('place', 'in', places).execute()
  const decided = placed.flatMap(({ place, decision, id: record_id = null }) =>
    decision === null
      ? []
      : [{ import_id: id, place: place!, decision, record_id, about: plan.get(place!)?.about ?? null }],
  )
  if (decided.length > 0) await db.insertInto('import_decisions').values(decided).execute()
  return []
}

/** What an account is shown of a row of the plan. */
interface ShownPlanned {
  readonly outcome: Outcome
  readonly isDecided: boolean
  /** What a decision on it is about: see `aboutKept`. */
  readonly about: string | null
}

async function shownPlan(
  db: Db,
  imported: ImportRow,
  places: readonly number[],
  authority: Authority,
): Promise<ReadonlyMap<number, ShownPlanned>> {
  const { id } = imported
  const { outcome, isWhole } = await planFor(db, imported, authority)
  const rows = await decidedRowsAt(db, id, places)
    .select(['import_plan.place', outcome.as('outcome'), 'decision', 'import_plan.cells', 'about'])
    .execute()
  return new Map(
    rows.map(({ place, outcome, decision, cells, about }) => {
      const isDecided = isWhole && decision !== null
      return [place, { outcome, isDecided, about: aboutKept(cells, about) }]
    }),
  )
}

/** A fault, and the member of the decision that has it. */
type MemberFault = FieldFault | undefined

function rowFault(isThere: boolean, isRepeated: boolean): MemberFault {
  if (!isThere)
    return { pointer: 'row', code: 'unknown_row', detail: 'is no row of the file below its header' }
  return isRepeated ? { pointer: 'row', code: 'duplicate', detail: 'must not stand here twice' } : undefined
}

const canBeLeftOut = outcomes.filter((outcome) => outcome !== 'refused')

/** Why this can't be decided on a row, by what the plan makes of it. */
function outcomeFault(
  { counts }: ImportRow,
  { row, decision }: RowDecision,
  shown: ShownPlanned | undefined,
): MemberFault {
  if (decision === null || shown?.isDecided) return undefined
  const pointer = 'row'
  if (counts === null) {
    const detail = 'must be a row of the plan, and there is none yet: answer the questions first'
    return { pointer, code: 'no_plan', detail }
  }
  if (shown?.outcome === 'doubtful') return undefined
  const wrong = (accepted: readonly Outcome[], detail: string): MemberFault => ({
    ...{ pointer, code: 'wrong_outcome', detail: `must be ${detail}`, params: { accepted } },
  })
  if (decision === 'leave_out') {
    if (shown?.outcome !== 'refused') return undefined
    return wrong(canBeLeftOut, `a row that can be imported, and row ${row} is refused`)
  }
  const found = shown === undefined ? `row ${row} is not` : `the outcome of row ${row} is ${shown.outcome}`
  return wrong(['doubtful'], `a doubtful row, and ${found}`)
}

function studentFault({ decision, id }: RowDecision, students: ReadonlySet<number>): MemberFault {
  const pointer = 'id'
  if (namesStudent(decision) && id === undefined)
    return { pointer, code: 'required', detail: `is required with ${decision}` }
  if (id === undefined) return undefined
  if (!namesStudent(decision))
    return { pointer, code: 'invalid', detail: 'goes with same and same_keep_name alone' }
  if (students.has(id)) return undefined
  return { pointer, code: 'unknown_student', detail: 'must be the id of a student' }
}
