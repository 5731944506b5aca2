// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { inFile } from '../../test/files.ts'
import { checkSearchIndex, insertStudents, studentRow } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { keepHouse } from '../cli/housekeeping.ts'
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
    const { name, folded_name } = studentRow('Anna New', '1')
    await change(sql`update students set name = ${name}, folded_name = ${folded_name} where id = 1`)
    assert.deepEqual([await found('old'), await found('new'), await found('n')], [[2, 3], [1], [1]])
    assert.deepEqual(await found('anna'), [1])
    await checkSearchIndex(school.db)
  })

  it('stays as it is when something else of a student is changed', async () => {
    await change(sql`update students set class_id = 2`)
    await change(sql`update students set folded_name = folded_name, further_words = further_words`)
    assert.deepEqual(await found('old'), [2, 3])
    await checkSearchIndex(school.db)
  })

  it('follows each column that a student is found by', async () => {
    await change(sql`update students set further_words = 'nick' where id = 1`)
    await change(sql`update students set admission_key = 'new-1' where id = 1`)
    assert.deepEqual([await found('nick'), await found('new-1'), await found('1')], [[1], [1], []])
    await change(sql`update students set further_words = ' key', admission_key = '1' where id = 1`)
    assert.deepEqual([await found('nick'), await found('key'), await found('1')], [[], [1], []])
    await change(sql`update students set further_words = '' where id = 1`)
    assert.deepEqual([await found('key'), await found('1')], [[], [1]])
    await checkSearchIndex(school.db)
  })

  it('forgets students that are removed, and knows who takes their id', async () => {
    await change(sql`delete from students where id in (2, 4)`)
    assert.deepEqual([await found('old'), await found('boris'), await found('李')], [[3], [], []])
    await checkSearchIndex(school.db)
    const row = { id: 2, ...studentRow('Emil Another', '2') }
    await write(school.db, byTest, (db) => db.insertInto('students').values(row).execute())
    assert.deepEqual([await found('boris'), await found('emil')], [[], [2]])
    await checkSearchIndex(school.db)
  })

  it('and the counters know nothing of what was undone', async () => {
    const counters = await countersOf(school.db)
    const undone = write(school.db, byTest, async (db) => {
      await db.insertInto('students').values(studentRow('Undone', '77')).execute()
      await sql`update students set further_words = 'undone' where id = 1`.execute(db)
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
    await checkSearchIndex(school.db)
  })

  it('is not said to be wrong where another writer keeps it from being looked at', async () => {
    const { databaseUrl } = await openSchool()
    inFile(databaseUrl, (writer) => {
      writer.exec('begin immediate')
      inFile(databaseUrl, (db) => assert.deepEqual(searchIndexFaults(db), ['database is locked']))
      writer.exec("insert into student_search (rowid, words) values (7, 'nobody'); commit")
      const mismatch = ['the search index does not match the students']
      inFile(databaseUrl, (db) => assert.deepEqual(searchIndexFaults(db), mismatch))
    })
  })

  it('is looked at together with the index of guardians', async () => {
    const { databaseUrl } = await openSchool()
    inFile(databaseUrl, (db) => {
      assert.deepEqual(searchIndexFaults(db), [])
      db.exec("insert into guardian_search (rowid, names) values (7, '  nobody')")
      assert.deepEqual(searchIndexFaults(db), ['the index of guardians does not match the guardians'])
    })
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
    await checkSearchIndex(school.db)
  })

  it('grows by a part with each commit, which are soon merged, and by housekeeping into one', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const countParts = async () => {
      const { rows } = await sql<{ parts: number }>`
        select count(distinct segid) as parts from student_search_idx`.execute(school.db)
      return rows[0]!.parts
    }
    const create = (i: number) =>
      school.post('/api/students', { name: `Ada ${i}`, admission_number: `P-${i}`, class_id: 1 }, registrar)
    await insertStudents(
      school.db,
      Array.from({ length: 300 }, (_, i) => `Grace ${i}`),
    )
    // Left to itself, the index has a part for each of the last fourteen, and one of the first sixteen.
    for (let i = 0; i < 30; i++) assert.equal((await create(i)).status, 201)
    const latest = Date.now() + 10_000
    while ((await countParts()) > 6 && Date.now() < latest) await turn()
    assert.ok((await countParts()) <= 6, `${await countParts()} parts`)
    for (const number of [30, 31]) {
      await keepHouse(school.db, () => school.now(), 600)
      assert.equal(await countParts(), 1)
      assert.equal((await create(number)).status, 201) // a part unlike the one there is
    }
    assert.equal((await idsOf(school, registrar, 'ada')).length, 32)
    await checkSearchIndex(school.db)
  })
})
