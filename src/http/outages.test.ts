import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fastify } from 'fastify'
import { atEnd } from '../../test/cleanup.ts'
import { engine, migratedDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { runSql } from '../../test/postgres.ts'
import { PostgresProxy } from '../../test/postgres-proxy.ts'
import { openSchool } from '../../test/school.ts'
import { sqlitePath } from '../db/open.ts'
import { Outages } from './outages.ts'

/** A database that can be taken away: by a lock of another program, or a network that is down. */
async function fragileDatabase() {
  const databaseUrl = await migratedDatabaseUrl()
  if (engine === 'sqlite') {
    const other = new DatabaseSync(sqlitePath(databaseUrl))
    atEnd(() => other.close())
    return { databaseUrl, take: () => other.exec('begin immediate'), giveBack: () => other.exec('rollback') }
  }
  const proxy = await PostgresProxy.start(databaseUrl)
  return { databaseUrl: proxy.url, take: () => proxy.cutOff(true), giveBack: () => proxy.cutOff(false) }
}

describe('an outage of the database', () => {
  it('is a line in the log at its beginning and one at its end, with how many requests it cost', async () => {
    const database = await fragileDatabase()
    const school = await openSchool(database)
    const registrar = await school.person('registrar')
    const lines = () => school.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request')
    const create = () => school.student(registrar).then(Boolean, () => false)

    for (let outage = 1; outage <= 2; outage++) {
      school.log.length = 0
      database.take()
      for (let i = 0; i < 2; i++)
        assert.deepEqual(await Promise.all(Array.from({ length: 5 }, create)), Array(5).fill(false))
      if (engine === 'postgres') assert.equal((await school.get('/api/health')).status, 503)
      const requests = engine === 'postgres' ? 11 : 10
      const [begun, ...others] = lines()
      assert.deepEqual([begun.level, begun.msg], ['error', 'the database is unavailable'])
      assert.deepEqual(Object.keys(begun.fault), ['type', 'message'])
      assert.deepEqual(others, [])
      assert.equal(school.log.filter((line) => line.includes('"status":503')).length, requests)

      database.giveBack()
      while (!(await create()));
      school.passSeconds(90)
      while (lines().length < 2) await pause(20)
      const ended = lines().find(({ level }) => level === 'warn')
      assert.equal(ended.msg, 'the database is available again')
      assert.ok(ended.requests >= requests && ended.seconds < 60, JSON.stringify(ended))
      assert.equal(lines().length, 2)
    }
  })

  it('of which one request learned lasts as long as the database gives no answer', async (t) => {
    const log: Record<string, unknown>[] = []
    const app = fastify({ logger: { stream: { write: (line: string) => log.push(JSON.parse(line)) } } })
    t.after(() => app.close())
    let now = 0
    const answers = [false, false, true]
    const check = async () => {
      now += 30_000
      if (!answers.shift()) throw new Error('away')
    }
    new Outages(app, () => new Date(now), check).note(new Error('away'))
    while (log.length < 2) await pause(20)
    assert.deepEqual([log[1]?.requests, log[1]?.seconds], [1, 60])
  })

  it('that a server does not outlive is summed up as it stops', async () => {
    const database = await fragileDatabase()
    const school = await openSchool({ ...database })
    const registrar = await school.person('registrar')
    database.take()
    await assert.rejects(school.student(registrar))
    await school.app.close()
    database.giveBack()
    const last = school.log.map((line) => JSON.parse(line)).find(({ requests }) => requests !== undefined)
    assert.deepEqual([last.msg, last.requests], ['stopped while the database was unavailable', 1])
  })

  it('that comes while nobody asks is none: the connections are made anew', onlyOn('postgres'), async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const ofSchool = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    const ended = () => runSql(school.databaseUrl, `select pid ${ofSchool}`)
    await runSql(school.databaseUrl, `select pg_terminate_backend(pid) ${ofSchool}`)
    while ((await ended()).length > 0);
    assert.equal((await school.get('/api/students', registrar)).status, 200)
    assert.equal((await school.get('/api/health')).status, 200)
    assert.ok(!school.log.some((line) => line.includes('unavailable')))
  })
})
