// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { call, createStudentAt, logInAt } from '../../test/calls.ts'
import { temporaryFolder } from '../../test/cleanup.ts'
import { addUser, runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl, newDatabaseUrl } from '../../test/engine.ts'
import { admissionNumbersIn, damage, fingerprint, inFile, makeNewer } from '../../test/files.ts'
import { startServer } from '../../test/server.ts'
import { sqlitePath } from '../db/open.ts'

/** A school with one record in its backup, and another that came after it. The token is from before the backup. */
async function schoolWithBackup() {
  const databaseUrl = await migratedDatabaseUrl()
  const backup = join(temporaryFolder(), 'backup.db')
  const server = await startServer(databaseUrl)
  await addUser(databaseUrl, 'office@school.example', 'registrar')
  const token = await logInAt(server, 'office@school.example')
  await createStudentAt(server, token, 'before')
  await runWell(['backup', backup], { databaseUrl })
  await createStudentAt(server, token, 'after')
  return { databaseUrl, path: sqlitePath(databaseUrl), backup, server, token }
}

const namesBeside = (path: string) =>
  readdirSync(dirname(path))
    .filter((name) => !name.endsWith('.lock'))
    .sort()

/** One that nothing has spoilt. Its server has ended. */
let school: Awaited<ReturnType<typeof schoolWithBackup>>
before(async () => {
  school = await schoolWithBackup()
  await school.server.end('SIGTERM')
})

describe('restore', () => {
  it('refuses while a server runs; then puts the backup in place, ends every session and keeps the old file', async () => {
    const { databaseUrl, path, backup, server, token } = await schoolWithBackup()
    assert.ok(existsSync(`${path}.last-backup`))
    const early = await runCommand(['restore', backup], { databaseUrl })
    assert.equal(early.status, 1)
    assert.match(early.stderr, /^Another Registrar server is using [^\n]+\n$/)
    await server.end('SIGKILL')
    const { stdout } = await runWell(['restore', backup], { databaseUrl })
    const [, aside = ''] =
      /^Restored .+; every session is ended\. The database that was there is (.+)\.\n$/.exec(stdout)!
    assert.deepEqual(admissionNumbersIn(`sqlite:${aside}`), new Set(['before', 'after']))
    // Nobody has backed up what stands there now: the time of the last backup is of the database before it.
    const names = ['registrar.db', aside.slice(dirname(path).length + 1)]
    assert.deepEqual(namesBeside(path), names)
    assert.deepEqual([statSync(path).mode & 0o777, statSync(aside).mode & 0o777], [0o600, 0o600])

    const again = await startServer(databaseUrl)
    assert.equal((await call(again, 'GET', '/api/students', { token })).status, 401)
    const fresh = await logInAt(again, 'office@school.example')
    const { body } = await call(again, 'GET', '/api/students', { token: fresh })
    assert.deepEqual(
      body.data.map((student: { admission_number: string }) => student.admission_number),
      ['before'],
    )
  })

  it('makes the database where there is none, and says so to programs', async () => {
    const { backup } = school
    const databaseUrl = await newDatabaseUrl()
    const { stdout } = await runWell(['restore', backup, '--json'], { databaseUrl })
    assert.deepEqual(JSON.parse(stdout), {
      database: sqlitePath(databaseUrl),
      restored: backup,
      kept: null,
    })
    assert.deepEqual(admissionNumbersIn(databaseUrl), new Set(['before']))
  })

  it('takes the place of a damaged database, of which it keeps every part', async () => {
    const { databaseUrl, path, backup, server } = await schoolWithBackup()
    await server.end('SIGKILL')
    writeFileSync(path, 'no database at all')
    const wal = fingerprint(`${path}-wal`)
    const { kept } = (await runWell(['restore', backup, '--json'], { databaseUrl })).json()
    assert.equal(statSync(kept).size, 18)
    assert.equal(fingerprint(`${kept}-wal`), wal)
    assert.equal(existsSync(`${path}-wal`), false)
    assert.deepEqual(admissionNumbersIn(databaseUrl), new Set(['before']))
  })
})

describe('restore refuses, and leaves the present database as it is,', () => {
  async function refuses(spoil: (file: string) => void, because: RegExp): Promise<void> {
    const { databaseUrl, path, backup } = school
    const file = join(temporaryFolder(), 'spoilt.db')
    copyFileSync(backup, file)
    spoil(file)
    const [present, names] = [fingerprint(path), namesBeside(path)]
    const { status, stdout, stderr } = await runCommand(['restore', file], { databaseUrl })
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /^[^\n]+\n$/)
    assert.match(stderr, because)
    assert.equal(fingerprint(path), present)
    assert.deepEqual(namesBeside(path), names)
  }

  it('a file with a damaged page', () => refuses(damage, /can't be restored, and nothing was changed/))
  it('a truncated file', () =>
    refuses((file) => truncateSync(file, 10 * 4096), /can't be restored, and nothing was changed/))
  it('an empty file', () => refuses((file) => truncateSync(file, 0), /it is empty/))
  it('a file of something else', () =>
    refuses((file) => writeFileSync(file, 'x'.repeat(8192)), /file is not a database/))
  it("another program's SQLite file", () =>
    refuses(
      (file) => inFile(`sqlite:${file}`, (db) => db.exec('pragma application_id = 7')),
      /it is not a Registrar database/,
    ))
  it('a backup of a newer Registrar', () =>
    refuses((file) => makeNewer(`sqlite:${file}`), /migrated by a newer Registrar/))
  it('a backup into which someone has put a trigger', () =>
    refuses(
      (file) =>
        inFile(`sqlite:${file}`, (db) =>
          db.exec('create trigger t after delete on sessions begin delete from students; end'),
        ),
      /the trigger t is not Registrar's/,
    ))
  it('a backup whose search index does not match its students', () =>
    refuses(
      (file) =>
        inFile(`sqlite:${file}`, (db) =>
          db.exec("insert into student_search (rowid, words) values (77, 'ghost')"),
        ),
      /the search index does not match the students/,
    ))
  it('a plain copy of a database in use', () =>
    refuses((file) => appendFileSync(`${file}-wal`, 'x'), /a database in use, or a plain copy of one/))
  it('a file that is not there, and the database itself', async () => {
    const { databaseUrl, path } = school
    const absent = await runCommand(['restore', '/nowhere.db'], { databaseUrl })
    const itself = await runCommand(['restore', path], { databaseUrl })
    assert.deepEqual([absent.status, itself.status], [1, 1])
    assert.equal(absent.stderr, 'There is no file /nowhere.db.\n')
    assert.match(itself.stderr, /is the present database itself/)
  })
  it('while another program has the database open', async () => {
    // A process of its own: this one loses SQLite's locks when it reads the file by itself.
    const reading = `const db = new (require('node:sqlite').DatabaseSync)(process.argv[1])
      db.exec('begin; select count(*) from students')
      db.prepare('select count(*) from students').get()
      console.log('reading')
      process.stdin.resume()`
    const other = spawn(process.execPath, ['-e', reading, school.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exited = once(other, 'exit')
    try {
      await once(other.stdout, 'data')
      await refuses(() => {}, /^Another program has .+ open\. End it, and run the command again/)
    } finally {
      other.kill()
      await exited
    }
  })
})
