// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { createStudentAt, logInAt } from '../../test/calls.ts'
import { temporaryFolder } from '../../test/cleanup.ts'
import { addUser, runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { admissionNumbersIn } from '../../test/files.ts'
import { killMidWrite } from '../../test/hot-journal.ts'
import { insertStudents } from '../../test/many-students.ts'
import { launcher, serverEnvironment, startServer } from '../../test/server.ts'
import { needs } from '../../test/tools.ts'
import { openDatabase, sqlitePath } from '../db/open.ts'

const inBackup = 300
const names = Array.from({ length: inBackup }, (_, i) => `Student Number${i + 1}`)

/** System calls at which a restore is killed: each time, or each so many times. */
const killedAt = { rename: 1, fsync: 1, unlink: 1, copy_file_range: 1, pwrite64: 8 }

describe('restore that is killed at any system call', needs('strace', '-o', '/dev/null', 'true'), () => {
  const backup = join(temporaryFolder(), 'backup.db')
  let withLog: string
  let withJournal: string
  before(async () => {
    withLog = await migratedDatabaseUrl()
    const db = await openDatabase(withLog)
    await insertStudents(db, names)
    await db.destroy()
    await runWell(['backup', backup], { databaseUrl: withLog })
    await addUser(withLog, 'office@school.example', 'registrar')
    const server = await startServer(withLog)
    await createStudentAt(server, await logInAt(server, 'office@school.example'), 'after')
    await server.end('SIGKILL')
    assert.ok(statSync(`${sqlitePath(withLog)}-wal`).size > 0)
    withJournal = copyOf(withLog)
    await killMidWrite(withJournal)
    assert.ok(statSync(`${sqlitePath(withJournal)}-journal`).size > 1_000)
  })

  /** A database of a try's own, with what its writer left beside it. */
  function copyOf(databaseUrl: string): string {
    const [from, to] = [sqlitePath(databaseUrl), join(temporaryFolder(), 'registrar.db')]
    for (const ending of ['', '-wal', '-journal']) {
      if (existsSync(`${from}${ending}`)) copyFileSync(`${from}${ending}`, `${to}${ending}`)
    }
    return `sqlite:${to}`
  }

  /** @returns whether the restore came to its n-th such call, and was killed there */
  function restoreKilledAt(call: string, n: number, databaseUrl: string): boolean {
    const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${n}`]
    const { status, signal } = spawnSync(
      'strace',
      ['-f', '-o', '/dev/null', ...inject, process.execPath, launcher, 'restore', backup],
      { env: serverEnvironment(databaseUrl), stdio: 'ignore' },
    )
    assert.ok(signal === 'SIGKILL' || status === 0, `${status} ${signal}`)
    return signal === 'SIGKILL'
  }

  /** The old content or the restored one, whole, and the old one kept; every command works. */
  async function checkAfter(databaseUrl: string): Promise<void> {
    const path = sqlitePath(databaseUrl)
    const { stdout, stderr } = await runCommand(['check', '--json'], { databaseUrl })
    assert.deepEqual(JSON.parse(stdout || '{}').faults, [], stderr)
    await runWell(['user', 'list'], { databaseUrl })
    const found = admissionNumbersIn(databaseUrl)
    assert.equal(statSync(path).nlink, 1)
    const kept = readdirSync(dirname(path)).filter((name) => /\.before-restore-\w+Z$/.test(name))
    for (const name of kept)
      assert.equal(admissionNumbersIn(`sqlite:${join(dirname(path), name)}`).size, inBackup + 1)
    if (found.has('after')) assert.equal(found.size, inBackup + 1)
    else assert.deepEqual([found.size, kept.length], [inBackup, 1])
  }

  for (const [call, step] of Object.entries(killedAt)) {
    for (const what of ['log', 'journal']) {
      it(`(${call}, over a database with a ${what}) loses nothing, and stops no command`, async (t) => {
        let killed = 0
        for (let n = 1; ; n += step) {
          const databaseUrl = copyOf(what === 'log' ? withLog : withJournal)
          const wasKilled = restoreKilledAt(call, n, databaseUrl)
          await checkAfter(databaseUrl)
          if (!wasKilled) break
          killed++
          if (n === 1) await runWell(['restore', backup], { databaseUrl })
          rmSync(dirname(sqlitePath(databaseUrl)), { recursive: true })
        }
        t.diagnostic(`killed at ${killed} calls`)
        if (call === 'rename' || call === 'fsync') assert.ok(killed > 0)
      })
    }
  }
})
