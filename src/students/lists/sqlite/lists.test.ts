import assert from 'node:assert/strict'
import { before, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { onlyOn } from '../../../../test/engine.ts'
import { inFile } from '../../../../test/files.ts'
import { insertStudents, studentRow } from '../../../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../../../test/school.ts'
import { SqliteReaders } from '../../../db/sqlite-readers.ts'
import { write } from '../../../events/write.ts'
import { searchPatterns } from '../../../text/search-words.ts'

describe('a common search on SQLite', onlyOn('sqlite'), () => {
  const names = ['Ana Nguyen', 'Nguyen-Le Bo', 'nguyễn văn', 'Annguyena', 'Xander-Alexanderson Nguyen']
  const searches = ['n', 'ng', 'ngu', 'nguye', 'nguyen', 'alexanders', 'nguyen ale', 'zoe']
  let school: School
  let registrar: Person

  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    await insertStudents(
      school.db,
      Array.from({ length: 12_000 }, (_, i) => `${names[i % names.length]} ${i}`),
    )
    await checkAll() // and what is found is remembered
  })

  /** Compares pages and totals with the rows themselves. */
  async function checkAll(): Promise<void> {
    for (const search of searches) {
      const held = searchPatterns(search).map((pattern) => sql`instr(search_text, ${pattern}) > 0`)
      const { rows } = await sql<{ id: number }>`
        select id from students where ${sql.join(held, sql` and `)} order by id`.execute(school.db)
      const ids = rows.map(({ id }) => id)
      for (const [sort, page] of [
        ['id', 1],
        ['-id', 2],
        ['name', 1],
        ['id', 300],
      ] as const) {
        const path = `/api/students?per_page=7&page=${page}&sort=${sort}&search=${encodeURIComponent(search)}`
        const { body } = await school.get(path, registrar)
        const found = body.data.map(({ id }: { id: number }) => id)
        const name = `${search}, page ${page} by ${sort}`
        assert.equal(body.pagination.total, ids.length, name)
        const inOrder = sort === '-id' ? ids.toReversed() : ids
        if (sort !== 'name') assert.deepEqual(found, inOrder.slice((page - 1) * 7, page * 7), name)
      }
    }
  }

  it('finds the same again', checkAll)

  it('finds students that come', async () => {
    for (const number of ['a', 'b']) {
      const student = { name: 'Nguyen Alexandersson', admission_number: number, class_id: 1 }
      assert.equal((await school.post('/api/students', student, registrar)).status, 201)
    }
    await checkAll()
  })

  it('finds very many students that come at once', async () => {
    await insertStudents(school.db, Array(2_500).fill('Nguyen Another'), 20_001)
    await checkAll()
  })

  it('finds students that are changed, and misses those that go', async () => {
    const patch = { as: registrar, body: { name: 'Zoe' }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', '/api/students/3', patch)).status, 200)
    await checkAll()
    await write(school.db, byTest, (db) => sql`delete from students where id in (4, 14502)`.execute(db))
    await checkAll()
  })

  it('finds a student that comes with an id below others', async () => {
    const row = { id: 4, ...studentRow('Nguyen', 'below') }
    await write(school.db, byTest, (db) => db.insertInto('students').values(row).execute())
    await checkAll()
  })

  it('knows nothing of what was undone', async () => {
    const undone = write(school.db, byTest, async (db) => {
      await db.insertInto('students').values(studentRow('Nguyen', 'undone')).execute()
      await sql`delete from students where id <= 2`.execute(db)
      throw new Error('changed its mind')
    })
    await assert.rejects(undone, { message: 'changed its mind' })
    await checkAll()
  })

  it('finds what another program writes', async () => {
    inFile(school.databaseUrl, (db) => {
      db.exec("update students set folded_name = 'zoe' where id = 10; delete from students where id = 11")
      db.exec("update students set further_words = further_words || ' nguyen' where id = 12")
    })
    await turn() // which ends the snapshot of this one
    await checkAll()
  })

  it('is read on the event loop when it was quick, and its total is counted in a thread alone', async () => {
    let beside = 0
    const { pageBeside } = SqliteReaders.prototype
    mock.method(SqliteReaders.prototype, 'pageBeside', async function (this: SqliteReaders, read: never) {
      beside++
      return { ...(await pageBeside.call(this, read)), ms: 0 }
    })
    const search = async () => {
      beside = 0
      await school.get('/api/students?per_page=9&search=nguyen', registrar)
      return beside
    }
    assert.equal(await search(), 1, 'it is not known')
    let tries = 0
    // A busy machine makes a quick page slow, now and then.
    while ((await search()) > 0) assert.ok(++tries < 1_000)
    const patch = { as: registrar, body: { name: 'Zoe Zoe' }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', '/api/students/3', patch)).status, 200)
    assert.ok((await search()) >= 1, 'it is to be counted') // a busy machine reads the page there too
    mock.restoreAll()
  })
})
