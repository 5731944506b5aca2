import type { Db } from '../src/db/tables.ts'
import { write } from '../src/events/write.ts'
import { postgresDerived, sqliteDerived } from '../src/students/lists/derived.ts'
import type { Guardian } from '../src/students/record.ts'
import { engine } from './engine.ts'
import { byTest } from './school.ts'

/** A student as `GET /api/students` shows it with every column. */
export interface RecordedStudent {
  readonly id: number
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
  readonly class: string
  readonly preferred_name: string | null
  readonly given_name: string | null
  readonly family_name: string | null
  readonly former_names: string | null
  readonly date_of_birth: string | null
  readonly gender: string | null
  readonly email: string | null
  readonly address: string | null
  readonly notes: string | null
  readonly identifiers: null
  readonly guardians: Guardian[] | null
  readonly created_at: string
  readonly updated_at: string
}

/** Numbers from 0 to below `end`, the same each time. */
export function dice(seed: number): (end: number) => number {
  let state = seed
  return (end) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
}

/** Stores students of five classes, with any of their fields or without, many alike. @returns them, in the order of ids */
export async function insertRecorded(db: Db, count: number): Promise<RecordedStudent[]> {
  const roll = dice(20_260_901)
  const one = <Value>(...values: Value[]): Value => values[roll(values.length)]!
  const students = Array.from({ length: count }, (_, i): RecordedStudent => {
    const class_id = 1 + roll(5)
    const born = `20${10 + roll(4)}-0${1 + roll(3)}-1${roll(3)}`
    const second = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString()
    return {
      id: i + 1,
      name: one('Zoë Müller', 'zoe muller', 'Anh Nguyễn', 'ÅSA', '李小龙', 'Ann-Marie O’Brien'),
      admission_number: `N-${(i * 37) % count}`,
      class_id,
      class: `Class ${class_id}`,
      preferred_name: one(null, 'Zo', '"Zozo"'),
      given_name: one(null, 'Zoë', 'Anh'),
      family_name: one(null, 'Müller', 'Muller', 'Nguyễn', '李', 'O’Brien'),
      former_names: one(null, null, 'Meier'),
      date_of_birth: one(null, born, born, born),
      gender: one(null, 'female', 'Female', 'male', 'x'),
      email: one(null, `s${i}@school.example`),
      address: one(null, 'Lindenweg 4\n12345 Berlin'),
      notes: one(null, null, 'Allergic to "nuts"\tand \\'),
      guardians: one(null, [
        {
          name: 'Jörg "M"',
          relation: 'father',
          phone: null,
          email: 'j@family.example',
          address: null,
          note: null,
        },
      ]),
      identifiers: null,
      created_at: second(roll(60)),
      updated_at: second(60 + roll(60)),
    }
  })
  const rows = students.map(({ id: _, class: __, guardians, ...student }) => ({
    ...student,
    ...(engine === 'postgres' ? postgresDerived : sqliteDerived)(student),
    guardians: guardians === null ? null : JSON.stringify(guardians),
  }))
  await write(db, byTest, async (db) => {
    for (let i = 0; i < rows.length; i += 200)
      await db
        .insertInto('students')
        .values(rows.slice(i, i + 200))
        .execute()
  })
  return students
}
