import type { Db } from '../db/tables.ts'

/** Which of a person's names the school writes first. */
export type NameOrder = 'given_first' | 'family_first'

/** The school's order of names. Inside a write, give its transaction. */
export async function nameOrderOf(_db: Db): Promise<NameOrder> {
  return 'given_first'
}
