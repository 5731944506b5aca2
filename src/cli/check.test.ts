// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl, newDatabaseUrl } from '../../test/engine.ts'
import { damage, inFile, makeNewer } from '../../test/files.ts'
import { startServer } from '../../test/server.ts'
import { migrations } from '../db/migrations/index.ts'
import { sqlitePath } from '../db/open.ts'
import { applicationId } from '../db/sqlite-file.ts'

/** What `check` finds, as `where: what`. */
async function faultsIn(databaseUrl: string, env: Record<string, string> = {}): Promise<string[]> {
  const outcome = await runCommand(['check', '--json'], { databaseUrl, env })
  const { ok, faults } = outcome.json()
  assert.equal(outcome.status, ok ? 0 : 1)
  return faults.map((fault: { in: string; detail: string }) => `${fault.in}: ${fault.detail}`)
}

describe('check', () => {
  it('finds nothing wrong with a fresh database, beside a running server too', async () => {
    const { databaseUrl } = await startServer()
    const { stdout } = await runWell(['check'], { databaseUrl })
    assert.match(stdout, /^All is well: .+ search index not compared: a server is running\.\n$/)
    const beside = (await runWell(['check', '--json'], { databaseUrl })).json()
    assert.deepEqual([beside.faults, beside.not_checked], [[], ['search index']])
    const alone = (await runWell(['check', '--json'], { databaseUrl: await migratedDatabaseUrl() })).json()
    assert.deepEqual([alone.faults, alone.not_checked], [[], []])
  })

  it('finds an overwritten page', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    damage(sqlitePath(databaseUrl))
    assert.match((await faultsIn(databaseUrl))[0]!, /^database: /)
    const { status, stdout, stderr } = await runCommand(['check'], { databaseUrl })
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /^Faults:\n {2}database: /)
  })

  it('finds rows that refer to nothing, an altered schema, and a search index that misses a student', async () => {
    const orphan = await migratedDatabaseUrl()
    inFile(orphan, (db) =>
      db.exec(
        "pragma foreign_keys = off; insert into user_roles values (7, 1, '2026-09-01T08:00:00.000Z', 1)",
      ),
    )
    assert.deepEqual(await faultsIn(orphan), [
      'database: rows of user_roles refer to rows that are not there',
    ])
    const altered = await migratedDatabaseUrl()
    inFile(altered, (db) => db.exec('drop index students_class; create table extra (x)'))
    assert.deepEqual(await faultsIn(altered), [
      'schema: the index students_class is missing',
      "schema: the table extra is not Registrar's",
    ])
    const index = await migratedDatabaseUrl()
    inFile(index, (db) => db.exec("insert into student_search (rowid, words) values (7, 'nobody')"))
    assert.deepEqual(await faultsIn(index), ['search index: the search index does not match the students'])
  })

  it('finds students that are not counted as they are, in all or in a block of ids', async () => {
    for (const wrong of [
      'update student_counts set students = 7',
      'insert into student_blocks (block, students) values (0, 1)',
      'insert into student_blocks (block, students) values (0, 1), (1, -1)',
      'insert into class_counts (class_id, slot, students) values (1, 0, 1)',
    ]) {
      const counted = await migratedDatabaseUrl()
      inFile(counted, (db) => db.exec(wrong))
      assert.deepEqual(await faultsIn(counted), [
        'database: the counters of students do not match the students',
      ])
    }
    const emptied = await migratedDatabaseUrl()
    inFile(emptied, (db) => db.exec('insert into student_blocks (block, students) values (3, 0)'))
    assert.deepEqual(await faultsIn(emptied), [])
  })

  it('lists all faults of the configuration beside those of the database', async () => {
    const faults = await faultsIn(await newDatabaseUrl(), { PORT: 'x', LOG_LEVEL: 'loud' })
    assert.equal(faults.length, 3)
    assert.match(
      faults.join('\n'),
      /^configuration: PORT.*\nconfiguration: LOG_LEVEL.*\ndatabase: There is no database at /,
    )
  })

  it('reads ADMIN_PASSWORD_FILE, and looks at ADMIN_EMAIL', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const file = { ADMIN_EMAIL: 'head@school.example', ADMIN_PASSWORD_FILE: '/no/such/file' }
    assert.match(
      (await faultsIn(databaseUrl, file)).join(),
      /^configuration: The password in ADMIN_PASSWORD_FILE can't be read: /,
    )
    const address = { ...file, ADMIN_EMAIL: 'head' }
    assert.match((await faultsIn(databaseUrl, address)).join(), /^configuration: ADMIN_EMAIL must be /)
  })

  it('tells a folder that it may not write in', {
    skip: process.getuid?.() === 0 && 'root may',
  }, async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const folder = dirname(sqlitePath(databaseUrl))
    chmodSync(folder, 0o500)
    const [fault, ...others] = await faultsIn(databaseUrl)
    assert.match(fault!, /^database: this user may not write .+Run this as the user that serves/)
    assert.deepEqual(others, [])
    chmodSync(folder, 0o700)
  })

  it('tells a lock that cannot be taken for another reason than a server', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    mkdirSync(`${sqlitePath(databaseUrl)}.lock`)
    assert.match((await faultsIn(databaseUrl)).join(), /^database: The lock /)
  })

  it('tells a schema that is newer, and one that is not there yet', async () => {
    const newer = await migratedDatabaseUrl()
    makeNewer(newer)
    assert.match((await faultsIn(newer)).join(), /^schema: The database was migrated by a newer Registrar/)
    const empty = await newDatabaseUrl()
    const db = new DatabaseSync(sqlitePath(empty))
    db.exec(`pragma application_id = ${applicationId}; create table t (x); drop table t`)
    db.close()
    assert.deepEqual(await faultsIn(empty), ['schema: it holds no schema yet'])
    const refused = await runCommand(['user', 'list'], { databaseUrl: empty })
    assert.deepEqual(
      [refused.status, refused.stderr],
      [1, 'The database holds no schema yet. Run: ./registrar.js migrate\n'],
    )
    assert.deepEqual(
      (await runWell(['migrate', '--json'], { databaseUrl: empty })).json().ran,
      migrations.map(({ name }) => name),
    )
    assert.deepEqual(await faultsIn(empty), [])
  })
})
