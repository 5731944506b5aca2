import { sql } from 'kysely'
import { isOneOf } from '../db/is-one-of.ts'
import { jsonRows } from '../db/json-rows.ts'
import { hasRows } from '../db/pages.ts'
import type { Db } from '../db/tables.ts'
import { type FieldFault, Problem } from '../problems.ts'
import { uniqueKey } from '../text/normalise.ts'

/** What a student is called elsewhere: a value in some outside system. A pair names one student. */
export interface Identifier {
  readonly system: string
  readonly value: string
}

/** Identifiers as the table of students holds them: JSON; null: there are none. */
export function storedIdentifiers(identifiers: readonly Identifier[] | null | undefined): string | null {
  if (!identifiers?.length) return null
  return JSON.stringify(identifiers.map(({ system, value }): Identifier => ({ system, value })))
}

/** The same, as they are shown. */
export function shownIdentifiers(stored: string | null): Identifier[] | null {
  return stored === null ? null : (JSON.parse(stored) as Identifier[])
}

interface Key {
  readonly system_key: string
  readonly value_key: string
}

const keyOf = ({ system, value }: Identifier): Key => ({
  system_key: uniqueKey(system),
  value_key: uniqueKey(value),
})
const textOf = ({ system_key, value_key }: Key) => JSON.stringify([system_key, value_key])

/** @throws Problem validation_failed when a pair stands twice; what looks alike counts as one */
export function checkIdentifiers(identifiers: readonly Identifier[] | null | undefined): void {
  const keys = identifiers?.map((one) => textOf(keyOf(one))) ?? []
  const errors = keys.flatMap((key, i): FieldFault[] =>
    keys.indexOf(key) < i
      ? [{ pointer: `/identifiers/${i}`, code: 'duplicate', detail: 'must not be there twice' }]
      : [],
  )
  if (errors.length === 0) return
  const told = errors.map(({ pointer, detail }) => `${pointer} ${detail}`)
  throw new Problem('validation_failed', `${told.join('; ')}.`, { errors })
}

/** What a student is called elsewhere, as the table of students holds it. */
interface StoredIdentifiers {
  readonly id: number
  readonly identifiers: string | null
}

/**
 * Takes these pairs for students, inside a write. Of two who take one at once, the second waits for the first.
 * @throws Problem identifier_taken
 */
export async function takeIdentifiers(db: Db, students: readonly StoredIdentifiers[]): Promise<void> {
  const keys = students.flatMap(({ id, identifiers }) =>
    (shownIdentifiers(identifiers) ?? []).map((one, at) => ({ ...keyOf(one), student_id: id, at })),
  )
  if (keys.length === 0) return
  const columns = { system_key: 'text', value_key: 'text', student_id: 'integer' } as const
  // In one order, so that two who take the same ones do not wait for each other.
  const { rows } = await sql<Key>`
    insert into student_identifiers (system_key, value_key, student_id)
    select system_key, value_key, student_id from ${jsonRows(db, keys, columns)} where true order by 1, 2
    on conflict do nothing returning system_key, value_key`.execute(db)
  const taken = new Set(rows.map(textOf))
  const refused = keys.flatMap((key) => (taken.delete(textOf(key)) ? [] : [key.at]))
  if (refused.length > 0) throw identifierTaken(refused)
}

/** Whether another student has one of these. */
export async function areTaken(
  db: Db,
  studentId: number,
  identifiers: readonly Identifier[] | null | undefined,
): Promise<boolean> {
  for (const { system_key, value_key } of identifiers?.map(keyOf) ?? []) {
    const holders = db
      .selectFrom('student_identifiers')
      .select('student_id')
      .where('system_key', '=', system_key)
      .where('value_key', '=', value_key)
    if (await hasRows(holders.where('student_id', '!=', studentId))) return true
  }
  return false
}

/** Gives up all that students have. */
export async function releaseIdentifiers(db: Db, studentIds: readonly number[]): Promise<void> {
  const ofStudents = isOneOf(db, 'student_id', studentIds)
  await db.deleteFrom('student_identifiers').where(ofStudents).execute()
}

function identifierTaken(places: readonly number[]): Problem {
  return new Problem(
    'identifier_taken',
    'Another student has this identifier; those that look alike count as one.',
    {
      errors: places.map((i) => ({
        pointer: `/identifiers/${i}`,
        code: 'taken',
        detail: 'is an identifier of another student',
      })),
    },
  )
}
