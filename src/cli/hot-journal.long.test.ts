// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { admissionNumbersIn, fingerprint, inFile } from '../../test/files.ts'
import { killMidWrite } from '../../test/hot-journal.ts'
import { insertStudents } from '../../test/many-students.ts'
import { startServer } from '../../test/server.ts'
import { openDatabase, sqlitePath } from '../db/open.ts'
import { checkDatabase, lockForServing } from '../db/sqlite-file.ts'

const count = 1_000
const names = Array.from({ length: count }, (_, i) => `Student Number${i + 1}`)

let filled: string
let interrupted: string
before(async () => {
  filled = await migratedDatabaseUrl()
  const db = await openDatabase(filled)
  await insertStudents(db, names)
  await db.destroy()
  interrupted = copyOf(filled)
  await killMidWrite(interrupted)
  assert.ok(statSync(`${sqlitePath(interrupted)}-journal`).size > 1_000)
})

/** A database of a test's own, with what lies beside the one it is a copy of. */
function copyOf(databaseUrl: string): string {
  const [from, to] = [sqlitePath(databaseUrl), join(temporaryFolder(), 'registrar.db')]
  for (const ending of ['', '-journal']) {
    if (existsSync(`${from}${ending}`)) copyFileSync(`${from}${ending}`, `${to}${ending}`)
  }
  return `sqlite:${to}`
}

/** Without the program under test: what a file holds by itself. */
const studentsIn = (databaseUrl: string) => admissionNumbersIn(databaseUrl).size

describe('a database whose writer was killed in the middle of a write', () => {
  const commands = [
    ['check'],
    ['user', 'list'],
    ['class', 'add', 'Owls'],
    ['migrate'],
    ['backup', join(temporaryFolder(), 'backup.db')],
  ]
  for (const args of commands) {
    it(`is as before that write for ${args[0]}${args.length > 1 ? ` ${args[1]?.replace(/.*\//, '')}` : ''}`, async () => {
      const databaseUrl = copyOf(interrupted)
      await runWell(args, { databaseUrl })
      assert.equal(existsSync(`${sqlitePath(databaseUrl)}-journal`), false)
      assert.equal(studentsIn(databaseUrl), count)
    })
  }

  it('is served as before that write', async () => {
    const databaseUrl = copyOf(interrupted)
    const server = await startServer(databaseUrl)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.equal(studentsIn(databaseUrl), count)
  })

  it('is in the mode of the write-ahead log again before anybody reads, who would keep it from that', () => {
    const path = sqlitePath(copyOf(interrupted))
    const modeIn = () => readFileSync(path)[18]
    assert.equal(modeIn(), 1)
    checkDatabase(path)
    assert.equal(modeIn(), 2)
  })

  it('is kept as before that write when a backup takes its place', async () => {
    const databaseUrl = copyOf(interrupted)
    const backup = join(temporaryFolder(), 'backup.db')
    await runWell(['backup', backup], { databaseUrl: await migratedDatabaseUrl() })
    const { kept } = (await runWell(['restore', backup, '--json'], { databaseUrl })).json()
    assert.deepEqual([studentsIn(databaseUrl), studentsIn(`sqlite:${kept}`)], [0, count])
  })

  it('is left as it is while a server holds its lock, and while it is not Registrar’s', async () => {
    const databaseUrl = copyOf(interrupted)
    const path = sqlitePath(databaseUrl)
    const parts = () => [fingerprint(path), fingerprint(`${path}-journal`)]
    const present = parts()
    const lock = lockForServing(path)
    const served = await runCommand(['user', 'list'], { databaseUrl })
    lock.release()
    assert.match(served.stderr, /^Another Registrar server is using [^\n]+ Stop it first[^\n]+\n$/)
    assert.deepEqual(parts(), present)

    const foreign = `sqlite:${join(temporaryFolder(), 'foreign.db')}`
    const db = new DatabaseSync(sqlitePath(foreign))
    db.exec(
      'create table students (x); insert into students with recursive n (i) as (select 1 union all select i + 1 from n where i < 99) select randomblob(2000) from n',
    )
    db.close()
    await killMidWrite(foreign)
    const before = fingerprint(sqlitePath(foreign))
    const refused = await runCommand(['check'], { databaseUrl: foreign })
    assert.match(refused.stderr, /is not a Registrar database/)
    assert.equal(fingerprint(sqlitePath(foreign)), before)
  })
})

describe('what a killed write left beside a database that was moved away', () => {
  for (const [part, mode] of [
    ['-journal', 'delete'],
    ['-wal', 'wal'],
  ] as const) {
    it(`as ${part} is never played into the restored one, and is kept`, async () => {
      const databaseUrl = copyOf(filled)
      const path = sqlitePath(databaseUrl)
      const backup = join(temporaryFolder(), 'backup.db')
      await runWell(['backup', backup], { databaseUrl: filled })
      await killMidWrite(databaseUrl, mode, mode === 'wal' ? 'delete from students; commit' : undefined)
      const left = fingerprint(`${path}${part}`)
      renameSync(path, join(temporaryFolder(), 'away.db'))

      const none = await runCommand(['serve'], { databaseUrl })
      assert.equal(none.status, 1)
      assert.match(
        none.stderr,
        /^There is no database at [^\n]+, but [^\n]+, which is a part of one\. Put that database back [^\n]+\n$/,
      )
      const { stdout } = await runWell(['restore', backup], { databaseUrl })
      const kept = / The database that was there is (\S+)\.\n$/.exec(stdout)![1]!
      assert.equal(fingerprint(kept), left)
      assert.equal(existsSync(`${path}${part}`), false)
      assert.equal(studentsIn(databaseUrl), count)
      inFile(databaseUrl, (db) =>
        assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' }),
      )
    })
  }
})
