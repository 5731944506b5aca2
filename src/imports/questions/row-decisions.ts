import { isInScope } from '../../access/scope.ts'
import type { Db } from '../../db/tables.ts'
import { faultsProblem } from '../../http/validation.ts'
import type { Fault, FieldFault } from '../../problems.ts'
import { type Decision, type FileFacts, type ImportRow, placeOf } from '../model.ts'
import { sightOfStudents } from '../school-facts.ts'

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
 * Keeps what people decide on rows, in place of what they decided before.
 * @param userId whose sight of students counts; undefined: a command decides @throws Problem validation_failed
 */
export async function putDecisions(
  db: Db,
  { id, facts }: Pick<ImportRow, 'id' | 'facts'>,
  decisions: readonly RowDecision[],
  userId: number | undefined,
): Promise<void> {
  if (decisions.length === 0) return
  const placed = decisions.map((one) => ({ ...one, place: placeIn(facts, one) }))
  const places = placed.flatMap(({ place }) => place ?? [])
  const there = await db
    .selectFrom('import_rows')
    .select('place')
    .where('import_id', '=', id)
    .where('place', 'in', [...places, -1])
    .execute()
  const known = new Set(there.map(({ place }) => place))
  const students = await studentsSeen(db, decisions, userId)
  const faults = placed.flatMap((one, i) => {
    const isRepeated = placed.findIndex(({ place }) => place === one.place) < i
    const ofSheet = sheetFault(facts, one.sheet)
    const fault =
      (ofSheet && { pointer: 'sheet', ...ofSheet }) ??
      rowFault(one.place !== undefined && known.has(one.place), isRepeated) ??
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

/** Of the students whom decisions name, those whom an account sees by its permission to import. */
async function studentsSeen(
  db: Db,
  decisions: readonly RowDecision[],
  userId: number | undefined,
): Promise<ReadonlySet<number>> {
  const ids = decisions.flatMap(({ id }) => id ?? [])
  const scope = await sightOfStudents(db, userId ?? null)
  const named = await db
    .selectFrom('students')
    .select(['id', 'class_id'])
    .where('id', 'in', [...ids, -1])
    .execute()
  return new Set(named.filter(({ class_id }) => isInScope(scope, class_id)).map(({ id }) => id))
}

/** Where a row of a file stands, as `placeOf` has it. @returns undefined where the file has no such sheet */
export function placeIn(
  facts: FileFacts | null,
  { row, sheet }: Pick<RowDecision, 'row' | 'sheet'>,
): number | undefined {
  const sheets = facts?.sheets ?? []
  const imported = sheets.flatMap(({ header_row }, i) => (header_row === null ? [] : [i]))
  const at = sheet === undefined ? imported[0] : sheets.findIndex(({ name }) => name === sheet)
  if (at === undefined || at < 0 || (sheet === undefined && imported.length > 1)) return undefined
  return placeOf(at, row)
}

/** A fault, and the member of the decision that has it. */
type MemberFault = FieldFault | undefined

/** What is wrong with the name of a row's sheet, or with there being none. */
export function sheetFault(facts: FileFacts | null, sheet: string | undefined): Fault | undefined {
  if (facts === null) return undefined // no row is known then
  const names = facts.sheets.flatMap(({ name, header_row }) =>
    name === null || header_row === null ? [] : [name],
  )
  if (sheet === undefined) {
    const detail = `is required: the sheets of the file are ${names.join(', ')}`
    return names.length > 1 ? { code: 'required', detail } : undefined
  }
  if (names.includes(sheet)) return undefined
  if (names.length === 0)
    return { code: 'invalid', detail: 'must be left out: the file has no sheets with names' }
  const detail = `must be one of ${names.join(', ')}`
  return { code: 'not_allowed', detail, params: { accepted: names } }
}

function rowFault(isThere: boolean, isRepeated: boolean): MemberFault {
  if (!isThere) return { pointer: 'row', code: 'invalid', detail: 'is no row of the file below its header' }
  return isRepeated ? { pointer: 'row', code: 'duplicate', detail: 'must not stand here twice' } : undefined
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
