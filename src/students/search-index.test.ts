// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { runWell } from '../../test/command.ts'
import { newDatabaseUrl } from '../../test/engine.ts'
import { inFile } from '../../test/files.ts'
import { insertStudents, studentRow } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open.ts'
import { searchIndexFaults } from '../db/sqlite-check.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'

async function countersOf(db: Db) {
  const total = await sql<{ total: number }>`select sum(students) as total from student_counts`.execute(db)
  const blocks = await sql<{ block: number; students: number }>`
    select block, students from student_blocks where students <> 0 order by block`.execute(db)
  const counted = await sql<{ block: number; students: number }>`
    select id / 4096 as block, count(*) as students from students group by 1 order by 1`.execute(db)
  return { total: total.rows[0]!.total, blocks: blocks.rows, counted: counted.rows }
}

async function idsOf(school: School, viewer: Person, search: string): Promise<number[]> {
  const answer = await school.get(`/api/students?per_page=1000&search=${encodeURIComponent(search)}`, viewer)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ id }: { id: number }) => id)
}

/** The index holds exactly what it should, by its own account; seen from another connection. */
function checkIndex(databaseUrl: string): void {
  inFile(databaseUrl, (db) => assert.deepEqual(searchIndexFaults(db), []))
}

describe('a database that the first version made', () => {
  const names = Array.from({ length: 6_000 }, (_, i) => `Student Number${i + 1}`)
  let databaseUrl: string
  before(async () => {
    databaseUrl = await newDatabaseUrl()
    const db = await openDatabase(databaseUrl, { create: true })
    await migrate(db, migrations.slice(0, 1))
    await insertStudents(db, ['Zoë Müller', '李小龙', ...names, 'Last One'])
    await write(db, byTest, (db) => sql`delete from students where id between 1000 and 1499`.execute(db))
    await db.destroy()
  })

  it('is migrated with its students: found by their words, counted, and nothing is wrong with it', async () => {
    assert.deepEqual((await runWell(['migrate', '--json'], { databaseUrl })).json().ran, [
      'scale',
      'administration',
    ])
    const { faults, not_checked } = (await runWell(['check', '--json'], { databaseUrl })).json()
    assert.deepEqual([faults, not_checked], [[], []])

    const school = await openSchool({ databaseUrl })
    const viewer = await school.person('viewer')
    const finds: [search: string, ids: number[]][] = [
      ['zoe', [1]],
      ['m üll', [1]],
      ['小龙', [2]],
      ['number4093', [4095]],
      ['umber409', [411, ...Array.from({ length: 10 }, (_, i) => 4092 + i)]],
      ['number1200', []],
      ['5999 stud', [5999, 6001]],
      ['last one', [6003]],
    ]
    for (const [search, ids] of finds) assert.deepEqual(await idsOf(school, viewer, search), ids, search)
    const { body } = await school.get('/api/students?page=5503&per_page=1', viewer)
    assert.deepEqual([body.data[0].id, body.pagination.total], [6003, 5503])
    const { total, blocks, counted } = await countersOf(school.db)
    assert.equal(total, 5503)
    assert.deepEqual(blocks, counted)
  })
})

describe('the search index of SQLite', () => {
  let school: School
  let viewer: Person
  const change = (statement: ReturnType<typeof sql>) =>
    write(school.db, byTest, (db) => statement.execute(db))
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    await insertStudents(school.db, ['Anna Old', 'Boris Old', 'Clara Old', 'Dora 李'])
  })

  const found = (search: string) => idsOf(school, viewer, search)

  it('follows a student whose name is changed', async () => {
    const { name, search_text, folded_name } = studentRow('Anna New', '1')
    await change(
      sql`update students set name = ${name}, folded_name = ${folded_name}, search_text = ${search_text} where id = 1`,
    )
    assert.deepEqual([await found('old'), await found('new'), await found('n')], [[2, 3], [1], [1]])
    assert.deepEqual(await found('anna'), [1])
    checkIndex(school.databaseUrl)
  })

  it('stays as it is when something else of a student is changed', async () => {
    await change(sql`update students set class_id = 2`)
    await change(sql`update students set search_text = search_text`)
    assert.deepEqual(await found('old'), [2, 3])
    checkIndex(school.databaseUrl)
  })

  it('forgets students that are removed, and knows who takes their id', async () => {
    await change(sql`delete from students where id in (2, 4)`)
    assert.deepEqual([await found('old'), await found('boris'), await found('李')], [[3], [], []])
    checkIndex(school.databaseUrl)
    const row = { id: 2, ...studentRow('Emil Another', '2') }
    await write(school.db, byTest, (db) => db.insertInto('students').values(row).execute())
    assert.deepEqual([await found('boris'), await found('emil')], [[], [2]])
    checkIndex(school.databaseUrl)
  })

  it('and the counters know nothing of what was undone', async () => {
    const counters = await countersOf(school.db)
    const undone = write(school.db, byTest, async (db) => {
      await db.insertInto('students').values(studentRow('Undone', '77')).execute()
      await sql`update students set search_text = '  undone' where id = 1`.execute(db)
      await sql`delete from students where id = 3`.execute(db)
      throw new Error('changed its mind')
    })
    await assert.rejects(undone, { message: 'changed its mind' })
    const taken = write(school.db, byTest, (db) =>
      db
        .insertInto('students')
        .values([studentRow('First', '78'), studentRow('Taken', '1')])
        .execute(),
    )
    await assert.rejects(taken)
    assert.deepEqual([await found('undone'), await found('first'), await found('old')], [[], [], [3]])
    assert.deepEqual(await countersOf(school.db), counters)
    assert.deepEqual([counters.total, counters.blocks], [3, counters.counted])
    checkIndex(school.databaseUrl)
  })

  it('holds long words and long names', async () => {
    const names = ['abcdefgh'.repeat(31), 'ﷺ'.repeat(255), 'x '.repeat(127), '𑀅'.repeat(255)]
    await write(school.db, byTest, async (db) => {
      const rows = names.map((name, i) => studentRow(name.trim(), `L-${i}`))
      await db.insertInto('students').values(rows).execute()
    })
    assert.equal((await found('gha'.concat('bcdefgh'.repeat(1)))).length, 1)
    assert.equal((await found('𑀅'.repeat(100))).length, 1)
    assert.equal((await found('صلى')).length, 1)
    checkIndex(school.databaseUrl)
  })
})
