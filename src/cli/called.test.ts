// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { launcher, projectFolder, serverEnvironment } from '../../test/server.ts'

/** What a program says, on both outputs. */
function said(program: string, args: readonly string[], cwd: string): string {
  const env = { ...serverEnvironment('sqlite:./absent.db'), npm_config_update_notifier: 'false' }
  const { stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  return stdout + stderr
}

describe('help and messages', () => {
  it('say the name that the program was called by: a name on the path, a path, or a file of this folder', () => {
    const folder = temporaryFolder()
    symlinkSync(launcher, join(folder, 'registrar'))
    const calls: [program: string, cwd: string, name: string][] = [
      [join(folder, 'registrar'), folder, 'registrar'],
      [launcher, folder, launcher],
      [launcher, projectFolder, './registrar.js'],
    ]
    for (const [program, cwd, name] of calls) {
      assert.match(said(program, ['help', 'user'], cwd), new RegExp(`^  ${name} user list `, 'm'))
      assert.match(
        said(program, ['user', 'list', '--help'], cwd),
        new RegExp(`^Usage: ${name} user list$`, 'm'),
      )
      assert.ok(said(program, ['user', 'list'], cwd).includes(`run ${name} migrate to make it`), name)
      assert.ok(said(program, ['user', 'list', '--json'], cwd).includes(`run ${name} migrate`), name)
    }
  })

  it('say npm start and npm run demo where npm runs the program', () => {
    const start = said('npm', ['start', '--silent', '--', '--help'], projectFolder)
    assert.match(start, /^Usage: npm start -- \[options\]$/m)
    const demo = said('npm', ['run', 'demo', '--silent', '--', '--help'], projectFolder)
    assert.match(demo, /^Usage: npm run demo -- \[options\]$/m)
  })

  it('tell the version wherever --version stands', () => {
    const [first, behind] = [['--version'], ['serve', '--version']].map((args) =>
      said(launcher, args, projectFolder),
    )
    assert.match(first!, /^\d+\.\d+\.\d+\n$/)
    assert.equal(behind, first)
  })
})
