// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { call, logInAt } from '../../test/calls.ts'
import { addUser, runCommand } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { inFile } from '../../test/files.ts'
import { projectFolder, type ServerProcess, startServer } from '../../test/server.ts'

const databaseUrl = await migratedDatabaseUrl()
const rotate = (...args: string[]) => runCommand(['key', 'rotate', ...args], { databaseUrl })
const keys = () =>
  inFile(databaseUrl, (db) => db.prepare('select kid from signing_keys order by created_at').all()).map(
    ({ kid }) => kid,
  )
const keyOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid

let server: ServerProcess
before(async () => {
  server = await startServer(databaseUrl)
  await addUser(databaseUrl, 'anna@school.example', 'viewer')
})

const logIn = () => logInAt(server, 'anna@school.example')
const status = async (token: string) => (await call(server, 'GET', '/api/students', { token })).status

describe('key rotate', () => {
  it('signs the next login of a running server with a new key; tokens that are out stay good', async () => {
    const old = await logIn()
    const outcome = await rotate('--json')
    const { key } = outcome.json()
    assert.deepEqual(keys(), [keyOf(old), key])
    assert.deepEqual(outcome.json(), { key, sessions_ended: false })
    const fresh = await logIn()
    assert.equal(keyOf(fresh), key)
    assert.notEqual(keyOf(old), key)
    assert.deepEqual([await status(old), await status(fresh)], [200, 200])
  })

  it('with --end-sessions leaves no token alive, and the server logs people in again', async () => {
    const tokens = [await logIn(), await logIn()]
    const { status: exit, stdout } = await rotate('--end-sessions')
    assert.equal(exit, 0)
    assert.match(
      stdout,
      /^New tokens are signed with .+\. The old keys are gone, and every session is ended\.\n$/,
    )
    for (const token of tokens) assert.equal(await status(token), 401)
    const page = readFileSync(join(projectFolder, 'docs/operating.md'), 'utf8')
    assert.match(page, /a key may have leaked, run `\.\/registrar\.js key rotate --end-sessions`/)
    const fresh = await logIn()
    assert.equal(await status(fresh), 200)
    assert.deepEqual(keys(), [keyOf(fresh)])
  })

  it('refuses where TOKEN_SECRET sets the key, and says what to do', async () => {
    const env = { TOKEN_SECRET: 'x'.repeat(40) }
    const outcome = await runCommand(['key', 'rotate'], { databaseUrl, env })
    assert.equal(outcome.status, 1)
    assert.match(outcome.stderr, /^TOKEN_SECRET sets the key here: change it and restart the server/)
    assert.equal((await rotate('now')).status, 2)
  })
})
