// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, it } from 'node:test'
import { runWell } from '../../test/command.ts'
import { admissionNumbersIn, inFile } from '../../test/files.ts'
import { databaseOf } from '../../test/released/databases.ts'
import { students } from '../../test/released/records.ts'
import { launcher, serverEnvironment, startServer } from '../../test/server.ts'
import { sqlitePath } from '../db/open.ts'

const appliedIn = (databaseUrl: string) =>
  inFile(databaseUrl, (db) => db.prepare('select count(*) as count from schema_migrations').get()!.count)

const said = /^A backup of the database as it was is (.+\/registrar\.before-migration-3-\d{8}T\d{9}Z\.db)\.$/m

/** What was said names a backup that the old version can use. @returns its path */
function checkBackup(output: string): string {
  const backup = said.exec(output)?.[1]
  assert.ok(backup, output)
  assert.equal(statSync(backup).mode & 0o777, 0o600)
  assert.equal(admissionNumbersIn(`sqlite:${backup}`).size, students.length)
  assert.equal(appliedIn(`sqlite:${backup}`), 2)
  return backup
}

describe('a SQLite database that holds records', () => {
  it('is backed up before migrate changes it, and once', async () => {
    const databaseUrl = await databaseOf('0.3.0')
    const { stderr, ...outcome } = await runWell(['migrate', '--json'], { databaseUrl })
    assert.equal(outcome.json().backup, checkBackup(stderr))
    assert.deepEqual(
      readdirSync(dirname(sqlitePath(databaseUrl))).filter((name) => /partial|before/.test(name)).length,
      1,
    )
    assert.equal((await runWell(['migrate'], { databaseUrl })).stderr, '')
  })

  it('is backed up before a server that starts changes it, and once', async () => {
    const databaseUrl = await databaseOf('0.3.0')
    const server = await startServer(databaseUrl)
    const backup = checkBackup(server.log.join('\n'))
    await server.end('SIGTERM')
    assert.ok(existsSync(backup))
    const again = await startServer(databaseUrl)
    assert.doesNotMatch(again.log.join('\n'), said)
  })

  it('is not migrated when the backup fails, which is said with what to do', async () => {
    const databaseUrl = await databaseOf('0.3.0')
    for (const command of ['migrate', 'serve']) {
      const limited = ['-c', 'ulimit -f 100; exec "$@"', 'sh', process.execPath, launcher, command]
      const { status, stderr } = spawnSync('sh', limited, {
        env: serverEnvironment(databaseUrl),
        encoding: 'utf8',
      })
      assert.equal(status, 1)
      assert.match(
        stderr,
        /^Nothing was migrated, since the backup before it failed: The backup [^\n]+ can't be made: [^\n]+\. See to that, and run it again\.\n$/,
      )
      assert.equal(appliedIn(databaseUrl), 2)
      assert.deepEqual(
        readdirSync(dirname(sqlitePath(databaseUrl))).filter((name) => !/\.lock$/.test(name)),
        ['registrar.db'],
      )
    }
  })
})
