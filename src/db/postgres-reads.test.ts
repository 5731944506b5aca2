import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../test/cleanup.ts'
import { migratedDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { personHolding } from '../../test/grants.ts'
import { runSql } from '../../test/postgres.ts'
import { PostgresProxy } from '../../test/postgres-proxy.ts'
import { openSchool, type School } from '../../test/school.ts'
import { askedFor } from '../students/lists/asked.ts'
import { plainColumns } from '../students/lists/columns.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { checkServes } from './engine.ts'
import { type OpenOptions, openDatabase } from './open.ts'
import { postgresReadsOf } from './postgres-adapter.ts'
import type { PostgresReads } from './postgres-reads.ts'

const count = 40

describe('reads on PostgreSQL', onlyOn('postgres'), () => {
  let databaseUrl: string
  let proxy: PostgresProxy
  let school: School
  let reader: Awaited<ReturnType<typeof personHolding>>

  before(async () => {
    databaseUrl = await migratedDatabaseUrl()
    proxy = await PostgresProxy.start(databaseUrl)
    school = await openSchool({ databaseUrl: proxy.url })
    const writer = await personHolding(school, [['students.create', 'classes.manage'], 'all'])
    reader = await personHolding(school, [['students.view'], 'all'])
    await school.post('/api/classes', { label: '1A' }, writer)
    for (let i = 1; i <= count; i++) {
      const student = { name: `Student ${i}`, admission_number: `A${i}`, class_id: 1 }
      assert.equal((await school.post('/api/students', student, writer)).status, 201)
    }
  })

  beforeEach(() => {
    proxy.mostUnanswered = 0
  })

  /** Reads of a database that is opened anew. */
  async function readsOn(options: OpenOptions = {}): Promise<PostgresReads> {
    const db = await openDatabase(proxy.url, options)
    atEnd(() => db.destroy())
    await checkServes(db) // Kysely closes nothing that it has not used
    return postgresReadsOf(db)!
  }

  /** Asks for every student at once, and for two more by some who may not. */
  async function readAll(): Promise<void> {
    const nobody = await personHolding(school)
    const asked = Array.from({ length: count }, (_, i) => school.get(`/api/students/${i + 1}`, reader))
    const refused = school.get('/api/students/1', nobody)
    const missing = school.get(`/api/students/${count + 1}`, reader)
    for (const [i, answer] of (await Promise.all(asked)).entries()) {
      assert.equal(answer.status, 200)
      assert.equal(answer.body.data.name, `Student ${i + 1}`)
    }
    assert.deepEqual([(await refused).status, (await missing).status], [403, 404])
  }

  it('that come together and are quick share connections, and each has its own answer', async () => {
    await readAll()
    assert.ok(proxy.mostUnanswered > 1 && proxy.mostUnanswered <= 8, `${proxy.mostUnanswered} at once`)
  })

  it('that may take long have a connection to themselves', async () => {
    const lists = openStudentLists(school.db)
    const all = { classes: 'all', sort: 'id', columns: plainColumns } as const
    const searches = ['student', 'stud ent'].map((search) => ({ ...all, search, page: 1 }))
    const asked = [...searches, { ...all, page: 41 }].flatMap(({ page, ...list }) =>
      Array.from({ length: 20 }, () => lists.page(askedFor(list, { page, perPage: 100 })!)),
    )
    for (const { total } of await Promise.all(asked)) assert.equal(total, count)
    assert.equal(proxy.mostUnanswered, 1)
  })

  it('are tried once more where the connection that they share is lost', async () => {
    await readAll()
    proxy.cutAt = 4
    await readAll()
    assert.equal(proxy.cuts, 1)
    await readAll()
  })

  it('are all answered where many more come than connections take, and come while others wait', async () => {
    const reads = await readsOn({ poolSize: 1 })
    const ask = async (n: number) => {
      for (let i = 0; i < 5; i++) {
        const { rows } = await reads.together('select $1::int as n', [n + i])
        assert.equal(rows[0].n, n + i)
      }
    }
    await Promise.all(Array.from({ length: 60 }, (_, i) => ask(1_000 * i)))
    assert.equal(proxy.mostUnanswered, 8)
  })

  it('that share a connection wait for a lock no longer than one of them alone', async () => {
    await runSql(
      databaseUrl,
      `alter database ${new URL(databaseUrl).pathname.slice(1)} set lock_timeout = 200`,
    )
    const reads = await readsOn()
    const locker = new pg.Client({ connectionString: databaseUrl })
    atEnd(() => locker.end())
    await locker.connect()
    const read = (id: number) => reads.together('select name from students where id = $1', [id])
    for (const id of [1, 2]) await Promise.all(Array.from({ length: 8 }, () => read(id)))
    await locker.query('begin; lock table students in access exclusive mode')
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => read(i + 1)))
    await locker.query('rollback')
    const codes = results.map((one) => (one.status === 'rejected' ? one.reason.code : 'none'))
    const waited = codes.filter((code) => code === '55P03').length
    assert.ok(waited >= 1 && waited <= 4, `${waited} of 8 waited: ${codes}`)
    assert.ok(!codes.includes('none'))
    assert.equal((await read(1)).rows[0].name, 'Student 1')
  })

  it('that share a connection fail each by itself', async () => {
    const reads = postgresReadsOf(school.db)!
    const results = await Promise.allSettled(
      [2, 0, 5, 0, 10].map((by) => reads.together('select 10 / $1::int as part', [by])),
    )
    assert.deepEqual(
      results.map((one) => (one.status === 'fulfilled' ? one.value.rows[0].part : one.reason.code)),
      [5, '22012', 2, '22012', 1],
    )
    assert.ok(proxy.mostUnanswered > 1)
  })

  it('are sent one by one through a pooler, which may lose what is sent before the last is answered', async () => {
    proxy.isPooler = true
    const reads = await readsOn()
    const numbers = Array.from({ length: count }, (_, i) => i)
    const results = await Promise.all(numbers.map((n) => reads.together('select $1::int as n', [n])))
    assert.deepEqual(
      results.map(({ rows }) => rows[0].n),
      numbers,
    )
    assert.equal(proxy.mostUnanswered, 1)
  })
})
