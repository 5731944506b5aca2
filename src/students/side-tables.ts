import type { Db } from '../db/tables.ts'
import { releaseIdentifiers, takeIdentifiers } from './identifiers.ts'
import { deleteGuardianTexts, insertGuardianTexts } from './lists/guardians.ts'
import { type OwnFields, writeValueKeys } from './own-fields.ts'

/** The columns of a student of which tables of their own are made, as the table holds them; undefined: they stay. */
interface SideColumns {
  readonly id: number
  readonly guardians?: string | null | undefined
  readonly identifiers?: string | null | undefined
  readonly own?: OwnFields | undefined
}

/**
 * Writes what of new students stands in tables of its own; inside the write that creates them. One statement a table,
 * however many students there are.
 * @throws Problem identifier_taken
 */
export async function insertSideRows(db: Db, students: readonly SideColumns[]): Promise<void> {
  const ofIdentifiers = students.map(({ id, identifiers = null }) => ({ id, identifiers }))
  await takeIdentifiers(db, ofIdentifiers)
  await insertGuardianTexts(
    db,
    students.map(({ id, guardians = null }) => ({ id, guardians })),
  )
  await writeValueKeys(
    db,
    students.flatMap(({ id, own }) => (own === undefined ? [] : [{ id, own }])),
  )
}

/**
 * The same of students who change: of the columns that are given, all rows are made anew.
 * @throws Problem identifier_taken
 */
export async function replaceSideRows(db: Db, students: readonly SideColumns[]): Promise<void> {
  const idsWith = (column: 'identifiers' | 'guardians') =>
    students.filter((student) => student[column] !== undefined).map(({ id }) => id)
  const [ofIdentifiers, ofGuardians] = [idsWith('identifiers'), idsWith('guardians')]
  if (ofIdentifiers.length > 0) await releaseIdentifiers(db, ofIdentifiers)
  if (ofGuardians.length > 0) await deleteGuardianTexts(db, ofGuardians)
  await insertSideRows(db, students)
}
