// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runWell } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { admissionNumbersIn } from '../../test/files.ts'
import { insertStudents } from '../../test/many-students.ts'
import { launcher, serverEnvironment } from '../../test/server.ts'
import { openDatabase, sqlitePath } from '../db/open.ts'

/** Runs a command, and sends it a signal when a file appears that it is making. @returns by what it ended */
async function signalled(args: string[], databaseUrl: string, folder: string, signal: NodeJS.Signals) {
  const child = spawn(process.execPath, [launcher, ...args], {
    env: serverEnvironment(databaseUrl),
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const made = watch(folder)
  made.on('change', (_, name) => /\.(partial|restoring)$/.test(String(name)) && made.emit('made'))
  await Promise.race([exited, once(made, 'made')])
  made.close()
  child.kill(signal)
  const [code, endedBy] = await exited
  return code ?? endedBy
}

describe('a signal', () => {
  let databaseUrl: string
  const backup = join(temporaryFolder(), 'backup.db')
  const count = 4_000
  before(async () => {
    databaseUrl = await migratedDatabaseUrl()
    const db = await openDatabase(databaseUrl)
    await insertStudents(
      db,
      Array.from({ length: count }, (_, i) => `Student Number${i}`),
    )
    await db.destroy()
    await runWell(['backup', backup], { databaseUrl })
  })

  /** The command ends by the signal and leaves nothing, or it was too quick for it and ends well. One try must meet it. */
  async function leavesNothing(begin: (signal: NodeJS.Signals) => Promise<unknown>, check: () => void) {
    const ended = new Set<unknown>()
    for (let tries = 0; tries < 10 && ended.size < 3; tries++) {
      const signal = (['SIGTERM', 'SIGINT', 'SIGHUP'] as const)[tries % 3]!
      const by = await begin(signal)
      assert.ok(by === signal || by === 0, `ended by ${by}`)
      if (by !== 0) ended.add(by)
      check()
    }
    assert.ok(ended.size > 0, 'no signal came in time')
  }

  it('to backup leaves no part of a copy', async () => {
    const folder = temporaryFolder()
    await leavesNothing(
      (signal) => signalled(['backup', join(folder, 'copy.db')], databaseUrl, folder, signal),
      () => {
        assert.deepEqual(
          readdirSync(folder).filter((name) => name !== 'copy.db'),
          [],
        )
        rmSync(join(folder, 'copy.db'), { force: true })
      },
    )
  })

  it('to export leaves no part of a file, and the log tells that it was not finished', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'all.csv')
    await leavesNothing(
      async (signal) => {
        const by = await signalled(['export', file], databaseUrl, folder, signal)
        const { stdout } = await runWell(['audit', 'list', '--record', 'export', '--json'], { databaseUrl })
        const [{ note }] = JSON.parse(stdout).entries
        assert.equal(note, by === 0 ? `${count} students as csv` : 'students as csv, not finished')
        return by
      },
      () => {
        assert.ok(readdirSync(folder).every((name) => name === 'all.csv'))
        rmSync(file, { force: true })
      },
    )
  })

  it('to restore leaves the present database alone, and whole', async () => {
    const folder = dirname(sqlitePath(databaseUrl))
    await leavesNothing(
      (signal) => signalled(['restore', backup], databaseUrl, folder, signal),
      () => {
        assert.deepEqual(
          readdirSync(folder).filter((name) => /partial|restoring/.test(name)),
          [],
        )
        assert.equal(admissionNumbersIn(databaseUrl).size, count)
      },
    )
  })
})

describe('check', () => {
  it('tells what killed commands left in the folder, what is kept there, and how to remove it', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const path = sqlitePath(databaseUrl)
    const folder = dirname(path)
    const unfinished = [
      'friday.db.7.partial',
      'registrar.db.7.restoring',
      'registrar.db.7.restoring-wal',
      'registrar.db.new',
    ]
    const kept = [
      'registrar.before-migration-6-20260901T080000000Z.db',
      'registrar.db.before-restore-20260901T080000000Z',
      'registrar.db.before-restore-20260901T080000000Z-journal',
    ]
    const others = ['friday.db', 'other.db.before-restore-x', 'registrar.db.7.restoring.txt']
    for (const name of [...unfinished, ...kept, ...others])
      writeFileSync(join(folder, name), 'x'.repeat(150_000))
    const { ok, leftovers } = (await runWell(['check', '--json'], { databaseUrl })).json()
    assert.equal(ok, true)
    assert.deepEqual(
      leftovers.map(({ file, bytes, kind }: Record<string, string>) => [basename(file!), bytes, kind]),
      [
        ...unfinished.map((name) => [name, 150_000, 'unfinished']),
        ...kept.map((name) => [name, 150_000, 'kept']),
      ].sort(),
    )
    const { stdout } = await runWell(['check'], { databaseUrl })
    assert.match(
      stdout,
      /^All is well: [^\n]+\nFiles that can be removed:\n( {2}0\.1 MB, [^\n]+: rm '[^\n]+'\n){7}$/,
    )
    for (const [, file] of stdout.matchAll(/rm '(.+)'/g)) rmSync(file!)
    assert.ok(others.every((name) => existsSync(join(folder, name))))
    assert.deepEqual((await runWell(['check', '--json'], { databaseUrl })).json().leftovers, [])
  })
})
