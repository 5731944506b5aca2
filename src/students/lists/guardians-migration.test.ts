import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { engine, newDatabaseUrl } from '../../../test/engine.ts'
import { oldStudentRow } from '../../../test/many-students.ts'
import { byTest, openSchool } from '../../../test/school.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { openDatabase } from '../../db/open.ts'
import { write } from '../../events/write.ts'
import { type Guardian, storedGuardians } from '../record.ts'
import { sqliteDerived } from './derived.ts'
import { guardianTexts } from './guardians.ts'

/** A guardian as it was stored. */
const guardian = (name: string, { relation = null, phone = null, email = null }: Partial<Guardian> = {}) => {
  return { name, relation, phone, email }
}
const guardians = [
  [
    guardian('Jörg Müller-Braun', { phone: '+49 (0)30 901820', email: 'joerg@family.example' }),
    guardian("Ann O’Neil  d'Arc"),
  ],
  null,
  [guardian('李小龙 さくら', { phone: '٠١٢٣٤٥' })],
  [guardian('Ｗｉｄｅ Σίσυφος', { relation: 'uncle', phone: 'none' })],
]

describe('migration 12', () => {
  it('finds the guardians that are there, and gives them the new members, without a new version', async () => {
    const databaseUrl = await newDatabaseUrl({ empty: true })
    const db = await openDatabase(databaseUrl, { create: true })
    const before = migrations.findIndex(({ id }) => id === 12)
    await migrate(db, migrations.slice(0, before))
    await write(db, byTest, async (db) => {
      for (const [i, given] of guardians.entries()) {
        const { search_text, ...row } = oldStudentRow({ name: `Student ${i}`, number: `${i}` })
        const { further_words } = sqliteDerived(row)
        const searched = engine === 'sqlite' ? { further_words } : { search_text }
        const stored = given && JSON.stringify(given)
        await db
          .insertInto('students')
          .values({ ...row, ...searched, guardians: stored } as never)
          .execute()
      }
    })
    await migrate(db)
    const students = await db.selectFrom('students').select(['version', 'guardians']).orderBy('id').execute()
    assert.deepEqual(
      students,
      guardians.map((given) => ({ version: 1, guardians: storedGuardians(given) })),
    )
    const texts = await sql<object>`
      select student_id, names, email, digits from guardian_texts order by student_id, id`.execute(db)
    const expected = guardians.flatMap((given, i) =>
      (given ?? []).map((one) => ({
        student_id: i + 1,
        ...guardianTexts({ ...one, address: null, note: null }),
      })),
    )
    assert.deepEqual(
      texts.rows.map((row) => ({ ...row })),
      expected,
    )
    await db.destroy()

    const school = await openSchool({ databaseUrl })
    const registrar = await school.person('registrar')
    for (const [guardian, id] of [
      ['030 9018', 1],
      ['braun', 1],
      ['arc', 1],
      ['小龙', 3],
      ['12345', 3],
      ['wide σισ', 4],
    ] as const) {
      const path = `/api/students?guardian=${encodeURIComponent(guardian)}`
      const { body } = await school.get(path, registrar)
      assert.deepEqual(
        body.data.map((student: { id: number }) => student.id),
        [id],
        guardian,
      )
    }
    const { body } = await school.get('/api/students/1', registrar)
    assert.deepEqual(body.data.guardians[0], { ...guardians[0]![0], address: null, note: null })
    assert.deepEqual([body.data.identifiers, body.data.family_name], [null, null])
  })
})
