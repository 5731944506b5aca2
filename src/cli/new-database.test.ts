// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { atEnd, temporaryFolder } from '../../test/cleanup.ts'
import { runWell } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { launcher, projectFolder, serverEnvironment, startServer } from '../../test/server.ts'
import { needsTerminal, runAtTerminal } from '../../test/terminal.ts'
import { sqlitePath } from '../db/open.ts'

/** An environment that names no database. */
const env = serverEnvironment('')
const newFolder = () => realpathSync(temporaryFolder())
const database = (folder: string) => join(folder, 'data', 'registrar.db')

/** A clone of the program, as after `npm ci`. */
function cloneInto(folder: string): string {
  for (const name of ['registrar.js', 'package.json', 'src'])
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'registrar.js')
}
const said = (folder: string) => `There is no database in the folder ${join(folder, 'data')} yet`

describe('a new database that no setting names', () => {
  it('is made without a question where there is no terminal, and its folder is said', async () => {
    const folder = newFolder()
    const server = await startServer('', {}, [], folder)
    await server.end('SIGTERM')
    assert.ok(server.log[0]!.startsWith(`${said(folder)}: a new one is made there.`), server.log[0])
    assert.ok(existsSync(database(folder)))
    const again = await startServer('', {}, [], folder)
    await again.end('SIGTERM')
    assert.ok(!again.log.some((line) => line.startsWith('There is no database')))
    const other = newFolder()
    const { stderr } = await runWell(['migrate'], { databaseUrl: '', cwd: other })
    assert.equal(stderr, `${said(other)}: a new one is made there.\n`)
  })

  describe('on a terminal', needsTerminal, () => {
    const question = /Make a new, empty database\? \(y\/N\) /

    it('is made after a yes', async () => {
      const folder = newFolder()
      const { status, screen } = await runAtTerminal('migrate', {
        env,
        cwd: folder,
        question,
        typed: ['y\r'],
      })
      assert.equal(status, 0, screen)
      assert.ok(screen.includes(said(folder)))
      assert.ok(existsSync(database(folder)))
      const again = await runAtTerminal('migrate', { env, cwd: folder, question, typed: [] })
      assert.deepEqual([again.status, question.test(again.screen)], [0, false])
    })

    it('is not made after anything else: exit 1, and the folder stays empty', async () => {
      for (const [command, answer] of [
        ['serve', '\r'],
        ['migrate', 'n\r'],
        ['migrate', '\u0004'],
      ] as const) {
        const folder = newFolder()
        const { status, screen } = await runAtTerminal(command, {
          env,
          cwd: folder,
          question,
          typed: [answer],
        })
        assert.equal(status, 1, screen)
        assert.match(screen, /No database was made\. Run this in the folder where the server runs, /)
        assert.equal(existsSync(join(folder, 'data')), false)
      }
    })

    it('is not asked for where DATABASE_URL names it, nor in the folder of the program', async () => {
      const folder = newFolder()
      const named = { ...env, DATABASE_URL: `sqlite:${join(folder, 'named.db')}` }
      const { status, screen } = await runAtTerminal('migrate', { env: named, question, typed: [] })
      assert.deepEqual([status, question.test(screen)], [0, false])
      const program = newFolder()
      const script = cloneInto(program)
      const own = await runAtTerminal('migrate', { env, cwd: program, script, question, typed: [] })
      assert.deepEqual([own.status, question.test(own.screen)], [0, false], own.screen)
      assert.ok(own.screen.includes(said(program)) && existsSync(database(program)))
    })
  })
})

/** Root may enter every folder, so its commands run as nobody, who must be able to reach the program. */
const isRoot = process.getuid?.() === 0
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}
const mayBeReached = (path: string): boolean =>
  path === dirname(path) || (mayBeReached(dirname(path)) && (statSync(path).mode & 0o001) !== 0)
const isReached =
  !isRoot || [projectFolder, process.execPath].every((path) => mayBeReached(realpathSync(path)))
const needsReach = { skip: isReached ? false : 'nobody may enter the folder of this clone' }

describe('a database in a folder that this user may not enter', needsReach, () => {
  it('is not taken for one that is not there', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const path = sqlitePath(databaseUrl)
    chmodSync(join(path, '..'), isRoot ? 0o700 : 0)
    atEnd(() => chmodSync(join(path, '..'), 0o700))
    for (const command of ['user list', 'serve', 'migrate', 'backup /tmp/none.db', 'check']) {
      const { status, stderr } = spawnSync(process.execPath, [launcher, ...command.split(' ')], {
        ...{ cwd: '/', env: serverEnvironment(databaseUrl), encoding: 'utf8', ...nobody },
      })
      assert.equal(status, 1, command)
      assert.ok(stderr.includes(`The database ${path} can't be reached: EACCES`), `${command}: ${stderr}`)
      assert.match(stderr, /Run this as the user that serves, or let this user enter the folder\.\n$/)
    }
  })

  it('is told in a sentence by check, too, where the folder can be entered and not listed', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const path = sqlitePath(databaseUrl)
    chmodSync(join(path, '..'), isRoot ? 0o711 : 0o300)
    atEnd(() => chmodSync(join(path, '..'), 0o700))
    if (!isRoot) chmodSync(path, 0)
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'check'], {
      ...{ cwd: '/', env: serverEnvironment(databaseUrl), encoding: 'utf8', ...nobody },
    })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^Faults:\n {2}database: this user may not write \S+, so that nothing is saved\. [^\n]+\n$/,
    )
  })
})
