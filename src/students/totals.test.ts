import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { engine } from '../../test/engine.ts'
import { studentRow } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'

describe('the total of students', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  /** What the server says, and what is kept of it, against the rows themselves. */
  async function check(total: number): Promise<void> {
    assert.equal(await school.count('students'), total)
    for (const query of ['per_page=1', 'page=999', 'per_page=1000', 'per_page=1&search=counted']) {
      const { body } = await school.get(`/api/students?${query}`, registrar)
      assert.equal(body.pagination.total, total, query)
    }
    const kept = engine === 'sqlite' ? ['student_counts', 'student_blocks'] : ['student_counts']
    for (const table of kept) {
      const { rows } = await sql<{ total: number | null }>`
        select sum(students) as total from ${sql.table(table)}`.execute(school.db)
      assert.equal(Number(rows[0]!.total), total, table)
    }
  }

  const create = (admission_number: string, class_id = 1) =>
    school.post('/api/students', { name: 'Counted', admission_number, class_id }, registrar)

  it('is none at first', () => check(0))

  it('grows by one with each student', async () => {
    for (let i = 1; i <= 5; i++) {
      assert.equal((await create(`T-${i}`)).status, 201)
      await check(i)
    }
  })

  it('stays when a creation is refused: the number is taken, the class or the name is none', async () => {
    assert.equal((await create('t-1')).status, 409)
    assert.equal((await create('T-6', 99)).status, 422)
    assert.equal((await school.post('/api/students', { admission_number: 'T-6' }, registrar)).status, 422)
    await check(5)
  })

  it('stays when a work is undone, alone or beside others that are done', async () => {
    const undone = () =>
      write(school.db, byTest, async (db) => {
        await db.insertInto('students').values(studentRow('Counted', crypto.randomUUID())).execute()
        await sql`delete from students where id <= 2`.execute(db)
        throw new Error('changed its mind')
      })
    await assert.rejects(undone(), { message: 'changed its mind' })
    await check(5)
    const works = [undone(), create('T-6'), undone(), create('T-6'), create('T-7'), undone()]
    const outcomes = await Promise.allSettled(works)
    const stored = outcomes.filter(
      (outcome) => outcome.status === 'fulfilled' && outcome.value.status === 201,
    )
    assert.equal(stored.length, 2)
    await check(7)
  })

  it('falls with students that are removed', async () => {
    await write(school.db, byTest, (db) => sql`delete from students where id % 2 = 0`.execute(db))
    await check(await school.count('students'))
    await write(school.db, byTest, (db) => sql`delete from students`.execute(db))
    await check(0)
  })
})
