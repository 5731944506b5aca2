// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { before, describe, it } from 'node:test'
import { call } from '../../test/calls.ts'
import { atEnd } from '../../test/cleanup.ts'
import { addUser, runCommand } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { launcher, type ServerProcess, serverEnvironment, startServer } from '../../test/server.ts'

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')
const email = 'anna@school.example'

describe('a password asked on the terminal', { skip: !hasScript && 'script is not on this machine' }, () => {
  let server: ServerProcess
  before(async () => {
    server = await startServer(await migratedDatabaseUrl())
    await addUser(server.databaseUrl, email)
  })

  /** Types each text when its question is there. @returns the exit status and all that the terminal showed */
  async function atTerminal(...typed: readonly string[]): Promise<{ status: number; screen: string }> {
    const line = `'${process.execPath}' '${launcher}' user password ${email}`
    const child = spawn('script', ['-qec', line, '/dev/null'], { env: serverEnvironment(server.databaseUrl) })
    atEnd(() => child.kill('SIGKILL'))
    const answers = [...typed]
    let [screen, asked] = ['', 0]
    child.stdout.on('data', (chunk) => {
      screen += chunk
      const questions = screen.match(/(New password|Again): /g)?.length ?? 0
      while (asked < questions) {
        asked++
        child.stdin.write(answers.shift() ?? '')
      }
    })
    const [status] = await once(child, 'close')
    return { status, screen }
  }

  const logIn = async (password: string) =>
    (await call(server, 'POST', '/api/auth/login', { body: { email, password } })).status

  it('is asked twice and never shown', async () => {
    const { status, screen } = await atTerminal('spoken in secret\r', 'spoken in secret\r')
    assert.equal(status, 0)
    assert.doesNotMatch(screen, /spoken|secret/)
    assert.match(screen, /New password: \r?\nAgain: \r?\n.*has a new password/)
    assert.equal(await logIn('spoken in secret'), 200)
  })

  it('is refused when the two differ, when the terminal ends, and on Ctrl-C; nothing is changed', async () => {
    const differing = await atTerminal('one of the two\r', 'the other of them\r')
    assert.equal(differing.status, 1)
    assert.match(differing.screen, /The two are not the same; nothing was changed\./)
    const ended = await atTerminal('one of the two\r', '\u0004')
    assert.deepEqual([ended.status, /No password was given\./.test(ended.screen)], [1, true])
    assert.equal((await atTerminal('\u0003')).status, 130)
    assert.equal(await logIn('spoken in secret'), 200)
  })

  it('is read from standard input when that is no terminal', async () => {
    const { databaseUrl } = server
    const piped = await runCommand(['user', 'password', email], { databaseUrl, stdin: 'said by a program\n' })
    assert.equal(piped.status, 0)
    assert.doesNotMatch(piped.stdout + piped.stderr, /New password|said/)
    assert.equal(await logIn('said by a program'), 200)
  })
})
