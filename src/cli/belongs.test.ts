// Runs once: what it shows concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl, newDatabaseUrl } from '../../test/engine.ts'
import { launcher, serverEnvironment, startServer } from '../../test/server.ts'
import { sqlitePath } from '../db/open.ts'

/** Who serves: where root runs this, somebody else. */
const server = process.getuid?.() === 0 ? 65_534 : process.getuid?.()

/** A folder of whoever serves. */
function folderOfServer(): string {
  const folder = temporaryFolder()
  chownSync(folder, server!, statSync(folder).gid)
  return folder
}
const ownerOf = (path: string) => statSync(path).uid

describe('what a command leaves for the server', () => {
  it('belongs to whoever serves, also where root runs the command', async () => {
    const path = join(folderOfServer(), 'registrar.db')
    const databaseUrl = `sqlite:${path}`
    await runWell(['migrate'], { databaseUrl })
    const backup = join(temporaryFolder(), 'copy.db')
    await runWell(['backup', backup], { databaseUrl })
    const { kept } = (await runWell(['restore', backup, '--json'], { databaseUrl })).json()
    await runWell(['backup', `${backup}.2`], { databaseUrl })
    for (const file of [path, kept, `${path}.last-backup`, `${path}.lock`])
      assert.equal(ownerOf(file), server, file)
  })

  it('is the note of the last backup too, though that of another user stands there', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const note = `${sqlitePath(databaseUrl)}.last-backup`
    writeFileSync(note, 'of somebody else\n')
    chmodSync(note, 0o400)
    const { stdout } = await runWell(['backup', join(temporaryFolder(), 'copy.db')], { databaseUrl })
    assert.doesNotMatch(stdout, /not told/)
    assert.equal(statSync(note).mode & 0o777, 0o600)
  })
})

describe('a backup that cannot be copied', () => {
  it('is told in a sentence, and nothing is changed', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const path = sqlitePath(databaseUrl)
    const backup = join(temporaryFolder(), 'copy.db')
    await runWell(['backup', backup], { databaseUrl })
    const before = statSync(path).ino
    // As a full disk fails for everybody, root too: no file may be longer than 8 KiB.
    const limited = ['-c', 'ulimit -f 16 && exec "$@"', 'sh', process.execPath, launcher, 'restore', backup]
    const env = { ...serverEnvironment(databaseUrl), NODE_COMPILE_CACHE: temporaryFolder() }
    const { status, stderr } = spawnSync('sh', limited, { env, encoding: 'utf8' })
    assert.equal(status, 1, stderr)
    const said = /^\S+copy\.db can't be copied beside the database, and nothing was changed: EFBIG[^\n]+\n$/
    assert.match(stderr, said)
    assert.equal(statSync(path).ino, before)
  })
})

describe('a database that is not in its place', () => {
  it('is not made anew beside the log of one that was moved away, though the log is empty', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const path = sqlitePath(databaseUrl)
    renameSync(path, `${path}.moved`)
    writeFileSync(`${path}-wal`, '')
    for (const command of ['check', 'migrate', 'serve', 'user list']) {
      const { status, stderr } = await runCommand(command.split(' '), { databaseUrl })
      assert.equal(status, 1, command)
      const said = `There is no database at ${path}, but ${path}-wal, which is a part of one. Put that database back in its place, or move ${path}-wal away.`
      assert.ok(stderr.includes(said), `${command}: ${stderr}`)
    }
    assert.equal(existsSync(path), false)
  })

  it('is made anew with a warning where a setting names it: its disk may be missing', async () => {
    const databaseUrl = await newDatabaseUrl()
    const first = await startServer(databaseUrl)
    await first.end('SIGTERM')
    const said = `There was no database at ${sqlitePath(databaseUrl)}, so a new, empty one was made.`
    const told = (log: readonly string[]) =>
      log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === said)
    assert.deepEqual(
      told(first.log).map(({ level }) => level),
      ['warn'],
    )
    const second = await startServer(databaseUrl)
    await second.end('SIGTERM')
    assert.deepEqual(told(second.log), [])
  })
})
