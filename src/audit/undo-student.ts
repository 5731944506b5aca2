import { openClasses } from '../classes/queries.ts'
import { lockDefinitions } from '../fields/definitions.ts'
import { areTaken, type Identifier } from '../students/identifiers.ts'
import { readOwnFieldsBy } from '../students/own-fields.ts'
import { findNumberHolder, restoreStudent, selectRecords } from '../students/queries.ts'
import type { StudentRow } from '../students/record.ts'
import { giveBack, requireFor, returningOf, separate } from './give-back.ts'
import type { EventUndone, Undoing, UndoneEvent } from './undoing.ts'

/** Undoes one change of a student. @throws Problem change_set_not_found or permission_denied */
export async function undoStudentEvent(undoing: Undoing, event: UndoneEvent): Promise<EventUndone> {
  const { id, action, fields } = event
  const row = await selectRecords(undoing.tx).where('students.id', '=', id).executeTakeFirst()
  if (action === 'removed') return restore(undoing, event, row)
  if (row === undefined) {
    // Nobody may be told more of a record that is gone than that it is kept as it is.
    requireFor(undoing, event, 'students.update', Number((fields.class_id ?? [])[1] ?? 0))
    return { kept: Object.keys(fields) }
  }
  const [undone] = await giveBack(undoing, [returningOf(undoing, event, row)])
  return undone!
}

async function restore(
  undoing: Undoing,
  event: UndoneEvent,
  row: StudentRow | undefined,
): Promise<EventUndone> {
  const { tx, now } = undoing
  const { id, fields } = event
  const back = Object.fromEntries(Object.entries(fields).map(([name, [from]]) => [name, from]))
  const [classId, kept]: [number, string[]] = [Number(back.class_id), []]
  requireFor(undoing, event, 'students.create', classId)
  const isTaken =
    (await areTaken(tx, id, back.identifiers as Identifier[] | null)) ||
    row !== undefined ||
    (await findNumberHolder(tx, String(back.admission_number))) !== undefined
  if (isTaken) return { kept: ['admission_number'] }
  if (!(await openClasses(tx, [classId])).has(classId)) return { kept: ['class_id'] }
  const definitions = await lockDefinitions(tx)
  const { plain, given } = separate(definitions, { back, kept }, null)
  const own = given && readOwnFieldsBy(definitions, given, null, true)
  await restoreStudent(tx, id, plain, now.toISOString(), own)
  return { undone: [], kept }
}
