// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { call } from '../../test/calls.ts'
import { addUser, runCommand } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { type ServerProcess, serverEnvironment, startServer } from '../../test/server.ts'
import { needsTerminal, runAtTerminal } from '../../test/terminal.ts'

const email = 'anna@school.example'

describe('a password asked on the terminal', needsTerminal, () => {
  let server: ServerProcess
  before(async () => {
    server = await startServer(await migratedDatabaseUrl())
    await addUser(server.databaseUrl, email)
  })

  /** Types each text when its question is there. */
  const atTerminal = (...typed: readonly string[]) =>
    runAtTerminal(`user password ${email}`, {
      env: serverEnvironment(server.databaseUrl),
      question: /(New password|Again): /,
      typed,
    })

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

  it('is judged before it is asked again', async () => {
    const { status, screen } = await atTerminal('short\r', 'short\r')
    assert.equal(status, 1)
    assert.match(screen, /New password: \r?\n.*at least 8 characters/)
    assert.doesNotMatch(screen, /Again/)
  })

  it('is read from standard input when that is no terminal', async () => {
    const { databaseUrl } = server
    const piped = await runCommand(['user', 'password', email], { databaseUrl, stdin: 'said by a program\n' })
    assert.equal(piped.status, 0)
    assert.doesNotMatch(piped.stdout + piped.stderr, /New password|said/)
    assert.equal(await logIn('said by a program'), 200)
  })
})
