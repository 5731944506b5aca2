import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../test/cleanup.ts'
import { runCommand } from '../../test/command.ts'
import { migratedDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { runSql } from '../../test/postgres.ts'
import { PostgresProxy } from '../../test/postgres-proxy.ts'
import { startServer } from '../../test/server.ts'
import { openDatabase } from './open.ts'
import { settingsAdvice } from './postgres-settings.ts'

/** A database whose sessions would commit without waiting for the disk. */
async function laxDatabase(): Promise<string> {
  const databaseUrl = await migratedDatabaseUrl()
  const name = new URL(databaseUrl).pathname.slice(1)
  await runSql(databaseUrl, `alter database ${name} set synchronous_commit = off`)
  return databaseUrl
}

async function commitOf(databaseUrl: string, limits: boolean): Promise<string> {
  const db = await openDatabase(databaseUrl, { poolSize: 1, limits })
  atEnd(() => db.destroy())
  const { rows } = await sql<{
    commit: string
  }>`select current_setting('synchronous_commit') as commit`.execute(db)
  return rows[0]!.commit
}

describe('PostgreSQL that is set to forget', onlyOn('postgres'), () => {
  it('waits for the disk in sessions of the server, with limits or without; stronger settings stay', async () => {
    const databaseUrl = await laxDatabase()
    assert.deepEqual(await Promise.all([true, false].map((limits) => commitOf(databaseUrl, limits))), [
      'on',
      'on',
    ])
    const stronger = `${databaseUrl}?options=-c%20synchronous_commit%3Dremote_apply`
    assert.equal(await commitOf(stronger, true), 'remote_apply')
  })

  it('is warned of at the start and by check: behind a pooler its sessions are not changed', async () => {
    const databaseUrl = await laxDatabase()
    const pooler = await PostgresProxy.start(databaseUrl)
    pooler.isPooler = true
    assert.equal(await commitOf(pooler.url, true), 'off')
    for (const [url, isTold] of [
      [pooler.url, true],
      [databaseUrl, false],
    ] as const) {
      const server = await startServer(url)
      await server.end('SIGTERM')
      const warned = server.log.filter((line) => /"warn"/.test(line)).join('\n')
      assert.equal(/synchronous_commit off/.test(warned), isTold, warned)
      assert.match(warned, /PostgreSQL has fsync off: .+ Set it to on/) // the tests' own has
      const { status, stdout } = await runCommand(['check'], { databaseUrl: url })
      assert.equal(status, 0)
      assert.equal(/^ {2}PostgreSQL has synchronous_commit off/m.test(stdout), isTold, stdout)
      assert.match(stdout, /^Warnings:\n(.+\n)*? {2}PostgreSQL has fsync off/m)
    }
  })
})

describe('PostgreSQL on a machine with another clock', onlyOn('postgres'), () => {
  it('is warned of from a difference on by which two instances could work on one import', async () => {
    const db = await openDatabase(await migratedDatabaseUrl(), { poolSize: 1 })
    atEnd(() => db.destroy())
    const told = async (seconds: number) => {
      const advice = await settingsAdvice(db, () => new Date(Date.now() + seconds * 1000))
      return advice.find((text) => text.includes('clock'))
    }
    assert.match(
      (await told(720))!,
      /^the clock of this machine is 7(19|20|21) s ahead of PostgreSQL's: keep both in step/,
    )
    assert.match((await told(-720))!, /^the clock of this machine is 7(19|20|21) s behind PostgreSQL's: /)
    assert.equal(await told(0), undefined)
  })
})
