import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { atEnd } from '../../test/cleanup.ts'
import { migratedDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { personHolding } from '../../test/grants.ts'
import { persistently } from '../../test/persistently.ts'
import { runSql } from '../../test/postgres.ts'
import { PostgresProxy } from '../../test/postgres-proxy.ts'
import { openSchool, type School } from '../../test/school.ts'
import { startServer } from '../../test/server.ts'
import { checkServes } from './engine.ts'
import { openDatabase } from './open.ts'
import { postgresReadsOf } from './postgres-adapter.ts'
import { isTimeLimit } from './violations.ts'

/** Ten times what a read may take: a test allows for a noisy machine. */
const allowedMs = 50_000

// The first waits while the other runs.
describe('reads on PostgreSQL, by a role without limits,', { ...onlyOn('postgres'), concurrency: 2 }, () => {
  let databaseUrl: string
  let locker: pg.Client

  before(async () => {
    databaseUrl = await migratedDatabaseUrl()
    locker = new pg.Client({ connectionString: databaseUrl })
    atEnd(() => locker.end())
    await locker.connect()
  })

  /** Statements that still wait for a lock, of the connections of this name. */
  const waitersOf = (application: string) =>
    runSql(
      databaseUrl,
      `select query from pg_stat_activity where application_name = '${application}' and wait_event_type = 'Lock'`,
    )

  /** Asks for students, whom somebody has locked: at once as many as share connections, and as many as have their own. */
  async function refuses(school: School, reader: Awaited<ReturnType<typeof personHolding>>) {
    const paths = ['/api/students', '/api/students/1', '/api/students?search=stud+ent']
    const ask = (path: string) => persistently(() => school.get(path, reader))
    const asked = paths.flatMap((path) => Array.from({ length: 4 }, () => ask(path)))
    const answers = await Promise.race([Promise.all(asked), pause(allowedMs, [])])
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.code]),
      Array(12).fill([503, 'database_unavailable']),
    )
    assert.equal((await ask('/api/classes')).status, 200)
    assert.equal((await ask('/api/health')).status, 200)
  }

  /** Has the one connection of a pool cancel a read, and then run a write that takes longer than the cancel may. */
  async function writeAfterCancelled(url: string): Promise<void> {
    const db = await openDatabase(url, { poolSize: 1 })
    atEnd(() => db.destroy())
    await checkServes(db)
    await assert.rejects(postgresReadsOf(db)!.alone('select pg_sleep(60)', []), isTimeLimit)
    await db.transaction().execute((tx) => sql`select pg_sleep(1)`.execute(tx))
  }

  it('end after 5 s, straight and through poolers, and free their connections for others', async () => {
    const pooler = await PostgresProxy.start(databaseUrl)
    pooler.isPooler = true
    const deaf = await PostgresProxy.start(databaseUrl)
    deaf.isPooler = true
    deaf.passesCancels = false
    const schools: School[] = []
    const waiting = `${databaseUrl}?options=-c%20lock_timeout%3D60s` // which statement_timeout ends
    for (const url of [databaseUrl, waiting, `${pooler.url}?application_name=pooled`, deaf.url])
      schools.push(await openSchool({ databaseUrl: url }))
    const reader = await personHolding(schools[0]!, [['students.view', 'classes.view'], 'all'])
    await locker.query('begin; lock table students in access exclusive mode')
    try {
      await Promise.all([
        ...schools.map((school) => refuses(school, reader)),
        writeAfterCancelled(pooler.url),
      ])
      const deadline = performance.now() + allowedMs
      while ((await waitersOf('pooled')).length > 0) assert.ok(performance.now() < deadline)
    } finally {
      await locker.query('rollback')
    }
    for (const school of schools) assert.equal((await school.get('/api/students', reader)).status, 200)
  })

  it('are told of at the start, with what to do', async () => {
    const warned = (log: readonly string[]) => log.filter((line) => /"warn".+statement_timeout/.test(line))
    const databaseUrl = await migratedDatabaseUrl()
    const name = new URL(databaseUrl).pathname.slice(1)
    const server = await startServer(databaseUrl)
    await server.end('SIGTERM')
    assert.match(warned(server.log).join(), /^[^\n]+ALTER ROLE[^\n]+postgres-init\.sql[^\n]+$/)
    await runSql(databaseUrl, `alter database ${name} set statement_timeout = '5s'`)
    const limited = await startServer(databaseUrl)
    await limited.end('SIGTERM')
    assert.deepEqual(warned(limited.log), [])
  })
})
