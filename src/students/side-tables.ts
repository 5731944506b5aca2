import type { Db } from '../db/tables.ts'
import { releaseIdentifiers, takeIdentifiers } from './identifiers.ts'
import { deleteGuardianTexts, insertGuardianTexts } from './lists/guardians.ts'

/** The columns of a student of which tables of their own are made, as the table holds them. */
interface Sources {
  readonly guardians?: string | null
  readonly identifiers?: string | null
}

/**
 * Writes what of a new student stands in tables of its own; inside the write that creates it.
 * @throws Problem identifier_taken
 */
export async function insertSideRows(db: Db, id: number, { guardians, identifiers }: Sources): Promise<void> {
  await takeIdentifiers(db, id, identifiers ?? null)
  await insertGuardianTexts(db, id, guardians ?? null)
}

/**
 * The same of a student that changes: of the columns that are given, all rows are made anew.
 * @throws Problem identifier_taken
 */
export async function replaceSideRows(
  db: Db,
  id: number,
  { guardians, identifiers }: Sources,
): Promise<void> {
  if (identifiers !== undefined) {
    await releaseIdentifiers(db, id)
    await takeIdentifiers(db, id, identifiers)
  }
  if (guardians !== undefined) {
    await deleteGuardianTexts(db, id)
    await insertGuardianTexts(db, id, guardians)
  }
}
