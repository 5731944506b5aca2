import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../../test/engine.ts'
import { Importer } from '../../../test/import-calls.ts'
import { insertStudents } from '../../../test/many-students.ts'
import { openSchool } from '../../../test/school.ts'
import type { Db } from '../../db/tables.ts'
import { everything } from './basis.ts'
import { Newcomers } from './newcomers.ts'

/** Logs a change set of students, from one id to another; all but one of them. @returns its id */
async function logChanges(
  db: Db,
  { records: [first, last], but = 0 }: { readonly records: readonly [number, number]; readonly but?: number },
): Promise<number> {
  const { id } = await db
    .insertInto('change_sets')
    .values({ kind: 'edit', made_at: '2026-09-01T08:00:00.000Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into events (change_set_id, place, record, record_id, action, fields)
    select ${id}, id, 'student', id, 'changed', '{}' from generate_series(${sql.lit(first)}, ${sql.lit(last)}) as id
    where id <> ${sql.lit(but)}`.execute(db)
  return id
}

/** Has PostgreSQL take every change set for one of two. */
async function takenForSmall(db: Db): Promise<void> {
  for (let i = 0; i < 30; i++) await logChanges(db, { records: [1, 2] })
  await sql`vacuum analyze`.execute(db)
}

describe('an import of which PostgreSQL knows nothing yet', onlyOn('postgres'), () => {
  const fileOf = (name: string, count: number, numbers = 'st') => {
    const lines = Array.from({ length: count }, (_, i) => `${name} ${i} Berg,${numbers}-${i},Class 1\n`)
    return `name,admission_number,class\n${lines.join('')}`
  }

  it('is planned all the same: no statement joins each of its rows with each', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    // Now it knows of one small import, and takes every other for empty.
    const known = async () => void (await sql`analyze`.execute(school.db))
    await importer.planned(fileOf('Small', 200))
    await known()
    const first = await importer.planned(fileOf('Ada', 15_000))
    assert.equal(first.counts.create, 15_000)
    await known()
    assert.equal((await importer.applied(first)).state, 'applied')
    await known()
    const second = await importer.planned(fileOf('Bo', 15_000), '?mode=mirror')
    assert.deepEqual([second.counts.change, second.counts.missing], [15_000, 0])
    const third = await importer.planned(fileOf('Ada', 15_000, 'other'), '?mode=mirror')
    assert.deepEqual([third.counts.doubtful, third.counts.missing], [15_000, 0])
  })

  it('tells its students from newcomers without reading its whole change set for each of them', async () => {
    const { db } = await openSchool()
    await takenForSmall(db)
    await insertStudents(db, [...Array.from({ length: 2_000 }, (_, i) => `Ada ${i}`), 'Bo Newcomer'])
    const changeSet = await logChanges(db, { records: [1, 50_000], but: 2_001 })

    const newcomers = new Newcomers(changeSet)
    const began = performance.now()
    const planned = { makes: { fields: [], newest: 0 }, applied_to: null }
    await newcomers.begin(db, everything(), planned, 2_001)
    const milliseconds = performance.now() - began
    const mayHave = (folded_name: string) =>
      newcomers.mayHave({ folded_name, date_of_birth: null, class_id: 1 })
    assert.deepEqual([mayHave('bo newcomer'), mayHave('ada 7')], [true, false])
    assert.ok(milliseconds < 2_000, `it took ${milliseconds} ms`)
  })

  it('is compared with what was changed since without reading all of that for each of its students', async () => {
    const school = await openSchool()
    await takenForSmall(school.db)
    const importer = new Importer(school, await school.person('registrar'))
    const { id } = await importer.applied(await importer.planned(fileOf('Ada', 10_000)))
    const learnt = await sql<{
      rows: number
    }>`select reltuples as rows from pg_class where relname = 'students'`
    const [{ rows: students }] = (await learnt.execute(school.db)).rows as [{ rows: number }]
    assert.ok(students > 9_000, `PostgreSQL knows of ${students} students`)
    const { newest } = await school.db
      .selectFrom('students')
      .select((q) => q.fn.max<number>('id').as('newest'))
      .executeTakeFirstOrThrow()
    await logChanges(school.db, { records: [newest, newest + 20_000] })
    const began = performance.now()
    const rows = await importer.rows(id, '&changed_since=true')
    const milliseconds = performance.now() - began
    assert.deepEqual(
      rows.map(({ row }) => row),
      [10_001],
    )
    assert.ok(milliseconds < 2_000, `it took ${milliseconds} ms`)
  })
})
