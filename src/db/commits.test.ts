// Runs once, and measures times: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { sqlitePath } from './open.ts'

const insertClass = (school: School, label: string) =>
  write(school.db, byTest, (db) => {
    const now = school.now().toISOString()
    return db
      .insertInto('classes')
      .values({ label, label_key: label.toLowerCase(), created_at: now, updated_at: now })
      .execute()
  })

const labelsFrom = async (school: School, id: number) =>
  (await school.db.selectFrom('classes').select('label').where('id', '>', id).orderBy('id').execute()).map(
    ({ label }) => label,
  )

const create = (school: School, as: Person) =>
  school.post('/api/students', { name: 'A', admission_number: crypto.randomUUID(), class_id: 1 }, as)

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

describe('writes', () => {
  it('flush at every commit: synchronous is FULL on the writing connection, also after a write', async () => {
    const school = await openSchool()
    const pragma = (name: string) =>
      write(
        school.db,
        byTest,
        async (db) => Object.values((await sql.raw(`pragma ${name}`).execute(db)).rows[0] as object)[0],
      )
    assert.equal(await pragma('synchronous'), 2)
    await insertClass(school, 'A')
    assert.equal(await pragma('synchronous'), 2)
    assert.equal(await pragma('journal_mode'), 'wal')
    assert.equal(await pragma('foreign_keys'), 1)
    assert.equal(await pragma('trusted_schema'), 0)
    assert.equal(await pragma('secure_delete'), 1)
    assert.ok(Number(await pragma('busy_timeout')) <= 250)
  })

  it('miss nothing of what they write through the one door, and cannot be made beside it', async () => {
    const school = await openSchool()
    await assert.rejects(school.db.deleteFrom('classes').execute(), (error: Error) =>
      /readonly|read-only/i.test(error.message),
    )
    assert.equal(await school.count('classes'), 12)
  })

  it('are seen by no reader before they are whole, and by every reader when they are answered', async () => {
    const school = await openSchool()
    await write(school.db, byTest, async (db) => {
      const now = school.now().toISOString()
      const values = { label: 'A', label_key: 'a', created_at: now, updated_at: now }
      await db.insertInto('classes').values(values).execute()
      assert.deepEqual(await labelsFrom(school, 12), [])
    })
    assert.deepEqual(await labelsFrom(school, 12), ['A'])
  })

  it('that fail undo themselves and none of those that share their commit', async () => {
    const school = await openSchool({ flushDelayMs: 100 })
    const works = Array.from({ length: 40 }, (_, i) => {
      if (i % 4 === 1) return insertClass(school, 'taken')
      if (i % 4 === 2)
        return write(school.db, byTest, async (db) => {
          await db.deleteFrom('classes').execute()
          throw new Error('changed its mind')
        })
      if (i % 4 === 3)
        return write(school.db, byTest, (db) => sql`insert into nowhere values (1)`.execute(db))
      return insertClass(school, `own ${i}`)
    })
    const outcomes = (await Promise.allSettled(works)).map(({ status }) => status)
    const failed = outcomes.filter((status) => status === 'rejected').length
    assert.equal(failed, 29, 'nine of ten doubles, ten that throw, ten without a table')
    const kept = await labelsFrom(school, 12)
    assert.equal(kept.length, 11)
    assert.equal(await school.count('classes'), 23)
  })

  it('share commits: with a slow disk, 64 clients create many times what one does', async () => {
    // Slow enough that the time goes into flushes, and not into what else runs on the machine.
    const school = await openSchool({ flushDelayMs: 100 })
    const registrar = await school.person('registrar')
    await create(school, registrar)
    const alone = await millisecondsOf(async () => {
      for (let i = 0; i < 8; i++) assert.equal((await create(school, registrar)).status, 201)
    })
    const together = await millisecondsOf(() =>
      Promise.all(
        Array.from({ length: 64 }, async () => {
          for (let i = 0; i < 2; i++) assert.equal((await create(school, registrar)).status, 201)
        }),
      ),
    )
    const ratio = alone / 8 / (together / 128)
    assert.ok(ratio >= 5, `${ratio.toFixed(1)} times`)
  })

  it('that flush do not hold up readers', async () => {
    const school = await openSchool({ flushDelayMs: 500 })
    const registrar = await school.person('registrar')
    let created = false
    const creating = create(school, registrar).then((answer) => {
      created = true
      return answer
    })
    let reads = 0
    for (; !created; reads++) {
      await school.get('/api/students', registrar)
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal((await creating).status, 201)
    assert.ok(reads >= 3, `${reads} reads while one write was flushed`)
  })

  it('are 503 within a second while another process holds the file, and reads and health go on', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const other = new DatabaseSync(sqlitePath(school.databaseUrl))
    other.exec('begin immediate')
    const attempts = [
      () => create(school, registrar),
      () => school.login(registrar.email),
      () => school.post('/api/auth/logout', undefined, registrar),
      () => school.post('/api/auth/register', { name: 'A', email: 'a@b', password: 'a long password' }),
    ]
    for (const attempt of attempts) {
      let refused = false
      const waiting = attempt().then((answer) => {
        refused = true
        return answer
      })
      const waited = millisecondsOf(() => waiting)
      let reads = 0
      for (; !refused; reads++) {
        assert.equal((await school.get('/api/students', registrar)).status, 200)
        assert.equal((await school.get('/api/health')).status, 200)
        await new Promise((resolve) => setImmediate(resolve))
      }
      const answer = await waiting
      assert.deepEqual([answer.status, answer.body.code], [503, 'database_unavailable'])
      assert.equal(answer.headers['retry-after'], '1')
      assert.ok((await waited) < 10_000) // ten times the second
      assert.ok(reads >= 3, `${reads} reads while one write waited`)
    }
    other.exec('rollback')
    other.close()
    assert.equal((await create(school, registrar)).status, 201, 'and work again without a restart')
    assert.equal((await school.login(registrar.email)).status, 200)
    assert.equal(await school.count('students'), 1, 'what was refused was not done later')
  })

  it('are 503 while the disk is full, each whole or not at all, and work again when there is room', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const setLimit = (pages: number) =>
      write(school.db, byTest, (db) => sql.raw(`pragma max_page_count = ${pages}`).execute(db))
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(school.db)
    await setLimit(rows[0]!.page_count + 3)
    let stored = 0
    let refusals = 0
    for (let i = 0; i < 2_000 && refusals < 5; i++) {
      const answer = await create(school, registrar)
      if (answer.status === 201) stored++
      else {
        refusals++
        assert.deepEqual([answer.status, answer.body.code], [503, 'database_unavailable'])
      }
    }
    assert.equal(refusals, 5)
    const sick = await school.get('/api/health')
    assert.deepEqual([sick.status, sick.body.code], [503, 'database_unavailable'])
    const { body } = await school.get('/api/students', registrar)
    assert.equal(body.pagination.total, stored)
    const indexed = await sql<{
      count: number
    }>`select count(*) as count from student_search where student_search match '"a"'`.execute(school.db)
    assert.equal(indexed.rows[0]!.count, stored, 'rows and index agree')
    await setLimit(100_000)
    assert.equal((await create(school, registrar)).status, 201)
    while ((await school.get('/api/health')).status !== 200)
      await new Promise((resolve) => setImmediate(resolve)) // the disk is asked whether it has room
    const told = school.log.filter((line) => /(Nothing can be|can be) written/.test(line))
    // Between two refusals a write that needs no room may be tried, and then the fault ends and comes again.
    const kinds = told.map((line) => (/Nothing can be/.test(line) ? 'fault' : 'end'))
    assert.ok(kinds.length >= 2)
    for (const [i, kind] of kinds.entries())
      assert.equal(kind, i % 2 === 0 ? 'fault' : 'end', 'each fault is logged once, and its end')
  })

  it('are 503 once their thread is lost, those under way too, and reads go on', {
    timeout: 60_000,
  }, async () => {
    let thread: Worker | undefined
    process.once('worker', (worker) => (thread = worker))
    const school = await openSchool({ flushDelayMs: 500 })
    const registrar = await school.person('registrar')
    const underWay = create(school, registrar)
    await new Promise((resolve) => setImmediate(resolve))
    await thread!.terminate()
    for (const answer of [await underWay, await create(school, registrar)])
      assert.deepEqual([answer.status, answer.body.code], [503, 'database_unavailable'])
    const { body } = await school.get('/api/students', registrar)
    assert.equal(body.pagination.total, 0)
  })
})
