import { sql } from 'kysely'
import { isOneOf } from '../../db/is-one-of.ts'
import { jsonRows } from '../../db/json-rows.ts'
import { heldBack } from '../../db/statement-marks.ts'
import type { Db } from '../../db/tables.ts'
import { dialled, digitsOf } from '../../text/phones.ts'
import { markedWords, soughtWords } from '../../text/search-words.ts'
import type { Guardian } from '../record.ts'

/* How students are found by their guardians. The texts stand in a table of their own: no other search reads them. */

/** What a guardian is found by; null: by nothing of the kind. */
interface GuardianTexts {
  /** The words of the name, marked: see `markedWords`. */
  readonly names: string
  readonly email: string | null
  readonly digits: string | null
}

/** What is looked for in one guardian, by any of these; at least one is given. */
export interface GuardianQuery {
  /** Marked words that the name must all hold; empty: no name will do. */
  readonly names: readonly string[]
  /** How the e-mail address begins. */
  readonly email?: string
  /** What the digits of the phone number hold. */
  readonly digits?: string
}

/**
 * What a text asks for. Four digits or more, without letters, are of a phone number.
 * @returns undefined where there is no word in it
 */
export function guardianQuery(text: string): GuardianQuery | undefined {
  const digits = dialled(text)
  if (digits !== undefined) return { names: [], digits }
  const typed = text.trim().toLowerCase()
  if (typed.includes('@')) return { names: [], email: typed }
  const names = [...new Set(markedWords(soughtWords(text).join(' ')))]
  if (names.length === 0) return undefined
  return /\s/u.test(typed) ? { names } : { names, email: typed }
}

/** What a guardian is found by. */
export function guardianTexts({ name, email, phone }: Guardian): GuardianTexts {
  return { names: markedWords(name).join(''), email, digits: digitsOf(phone ?? '') || null }
}

const mark = sql.raw(heldBack)

/** A student's guardians, as the table of students holds them. */
interface StoredGuardians {
  readonly id: number
  readonly guardians: string | null
}

/** Stores what students' guardians are found by, inside a write. */
export async function insertGuardianTexts(db: Db, students: readonly StoredGuardians[]): Promise<void> {
  const texts = students.flatMap(({ id, guardians }) =>
    guardians === null
      ? []
      : (JSON.parse(guardians) as Guardian[]).map((one) => ({ student_id: id, ...guardianTexts(one) })),
  )
  if (texts.length === 0) return
  const columns = { student_id: 'integer', names: 'text', email: 'text', digits: 'text' } as const
  await sql`${mark}insert into guardian_texts (student_id, names, email, digits)
    select student_id, names, email, digits from ${jsonRows(db, texts, columns)}`.execute(db)
}

/** Forgets them. */
export async function deleteGuardianTexts(db: Db, studentIds: readonly number[]): Promise<void> {
  const ofStudents = isOneOf(db, 'student_id', studentIds)
  await sql`${mark}delete from guardian_texts where ${ofStudents}`.execute(db)
}
