import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { call, logInAt } from '../../test/calls.ts'
import { atEnd } from '../../test/cleanup.ts'
import { addUser, runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl, onceOnly } from '../../test/engine.ts'
import { byTest } from '../../test/school.ts'
import { type ServerProcess, serverEnvironment, startServer } from '../../test/server.ts'
import { needsTerminal, runAtTerminal } from '../../test/terminal.ts'
import { openDatabase } from '../db/open.ts'
import { write } from '../events/write.ts'

const databaseUrl = await migratedDatabaseUrl()
const run = (...args: string[]) => runCommand(args, { databaseUrl })
const password = 'a long enough password'
const at = String.raw`on \d{4}-\d\d-\d\d \d\d:\d\d UTC`

let server: ServerProcess
before(async () => {
  server = await startServer(databaseUrl, { FIRST_ADMIN: 'off' })
  await addUser(databaseUrl, 'head@school.example', 'administrator')
})

const register = (email: string) =>
  call(server, 'POST', '/api/auth/register', { body: { name: 'Some One', email, password } })

/** What `user list` says of an account. */
async function grantsOf(email: string): Promise<{ role: string; class_ids: number[] | null }[]> {
  const { users } = (await runWell(['user', 'list', '--json'], { databaseUrl })).json()
  return users.find((user: { email: string }) => user.email === email).grants
}

/** Every account as made before it was kept by whom. */
async function forgetOrigins(): Promise<void> {
  const db = await openDatabase(databaseUrl)
  atEnd(() => db.destroy())
  await write(db, byTest, (db) =>
    db
      .updateTable('users')
      .set({ created_by: null } as never)
      .execute(),
  )
}

describe('user grant', () => {
  it('tells when the account was made, and by whom or from where, and changes nothing without --yes', async () => {
    await register('stranger@school.example')
    const token = await logInAt(server, 'head@school.example')
    const body = { name: 'Ben', email: 'ben@school.example', password }
    assert.equal((await call(server, 'POST', '/api/users', { token, body })).status, 201)
    const origins: [email: string, said: string, name: string][] = [
      ['stranger@school.example', `registered from the address 127\\.0\\.0\\.1 ${at}`, 'Some One'],
      ['ben@school.example', `made by the account head@school\\.example ${at}`, 'Ben'],
      ['head@school.example', `made by the command user add ${at}`, 'Some One'],
    ]
    for (const [email, said, name] of origins) {
      const before = await grantsOf(email)
      const { status, stdout, stderr } = await run('user', 'grant', email, 'registrar')
      assert.deepEqual([status, stdout], [1, ''])
      const refusal = 'Nothing was changed, since nobody is here to say whether this is the right account'
      assert.match(
        stderr,
        new RegExp(`^${email}: ${said}, with the name "${name}"\\. ${refusal}\\. If it is, add --yes\\.\n$`),
      )
      assert.deepEqual(await grantsOf(email), before)
    }
  })

  it('grants with --yes, and tells the same beside the result', async () => {
    const { status, stdout, stderr } = await run('user', 'grant', 'ben@school.example', 'viewer', '--yes')
    assert.equal(status, 0)
    assert.equal(stdout, 'ben@school.example now holds the role viewer; it holds: viewer.\n')
    assert.match(
      stderr,
      /^ben@school\.example: made by the account head@school\.example on .+ UTC, with the name "Ben"\.\n$/,
    )
    const asJson = await run('user', 'grant', 'stranger@school.example', 'viewer', '--yes', '--json')
    assert.equal(asJson.stderr, '')
    const { created_at, created_by, roles } = asJson.json()
    assert.deepEqual([created_by, roles], [{ kind: 'address', name: '127.0.0.1' }, ['viewer']])
    assert.equal(new Date(created_at).toISOString(), created_at)
  })

  it('is the only place that shows the address: the API does not', async () => {
    const token = await logInAt(server, 'head@school.example')
    const { body } = await call(server, 'GET', '/api/users?search=stranger', { token })
    assert.equal(body.data.length, 1)
    assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1|created_by/)
    assert.doesNotMatch((await run('user', 'list', '--json')).stdout, /127\.0\.0\.1|created_by/)
  })

  it('says of an account that was made before this was kept that it is not known', async () => {
    await forgetOrigins()
    const { stderr } = await run('user', 'grant', 'ben@school.example', 'registrar')
    assert.match(
      stderr,
      /: made on .+ UTC, by whom or from where is not known, with the name "Ben"\. Nothing was changed/,
    )
  })

  it('names classes by label too, and says all that are none at once', async () => {
    const grant = (...args: string[]) =>
      runWell(['user', 'grant', 'ben@school.example', 'registrar', '--yes', ...args], { databaseUrl })
    const said = await grant('--class', 'class 1', '--class', '3,Class 12')
    assert.match(said.stdout, /it holds: registrar \(classes 1, 3, 12\), viewer\.\n$/)
    await runWell(['class', 'add', 'Art, and Music', '3'], { databaseUrl })
    assert.match((await grant('--class', 'art, and music')).stdout, /\(classes 1, 3, 12, 13\)/)
    const refusals = {
      'Class 99,1, Owls': 'There is no class Class 99, Owls; ./registrar.js class list lists them.\n',
      '3': '--class 3 names two classes: Class 3 by its id, and the class with the id 14 by its label. Give the first by its label, or the second by its id.\n',
    }
    for (const [given, reason] of Object.entries(refusals)) {
      const { status, stderr } = await run('user', 'grant', 'ben@school.example', 'viewer', '--class', given)
      assert.deepEqual([status, stderr], [1, reason])
    }
  })
})

describe('user grant on a terminal', needsTerminal, () => {
  const question = /\? \(y\/N\) /
  const grant = (args: string, ...typed: string[]) =>
    runAtTerminal(`user grant ${args}`, { env: serverEnvironment(databaseUrl), question, typed })

  it('asks, and grants after a yes alone', onceOnly, async () => {
    await register('zoe@school.example')
    for (const answer of ['\r', 'n\r', 'yesterday\r', '\u0004']) {
      const { status, screen } = await grant('zoe@school.example administrator', answer)
      assert.equal(status, 1)
      assert.match(
        screen,
        /zoe@school\.example: registered from the address 127\.0\.0\.1 on .+, with the name "Some One"\./,
      )
      assert.match(screen, /Grant it the role administrator\? \(y\/N\) .*Nothing was changed\.\r?\n$/s)
    }
    assert.equal((await grant('zoe@school.example administrator', '\u0003')).status, 130)
    assert.deepEqual(await grantsOf('zoe@school.example'), [])
    const { status, screen } = await grant("zoe@school.example viewer --class 'Class 2'", 'y\r')
    assert.equal(status, 0)
    assert.match(screen, /Grant it the role viewer \(class 2\)\? /)
    assert.match(screen, /now holds the role viewer; it holds: viewer \(class 2\)\./)
    const quiet = await grant('zoe@school.example registrar --yes')
    assert.deepEqual([quiet.status, question.test(quiet.screen)], [0, false])
  })
})

describe('user add', () => {
  it('grants its role for the classes of --class, by id or label', async () => {
    const add = (email: string, ...args: string[]) =>
      runCommand(['user', 'add', '--email', email, '--name', 'T', ...args], { databaseUrl, stdin: password })
    const outcome = await add(
      'teacher@school.example',
      '--role',
      'viewer',
      '--class',
      'Class 1',
      '--class',
      '4',
    )
    assert.equal(outcome.stdout, 'Made the account teacher@school.example, as viewer (classes 1, 4).\n')
    assert.deepEqual((await grantsOf('teacher@school.example'))[0]!.class_ids, [1, 4])
    const wrong = await add('other@school.example', '--role', 'king', '--class', 'Owls')
    assert.match(wrong.stderr, /^There is no class Owls; .+ There is no role king\. /)
    const alone = await add('other@school.example', '--class', '1')
    assert.deepEqual([alone.status, alone.stderr.split('\n')[0]], [2, '--class needs --role.'])
    const ofAll = await add('other@school.example', '--role', 'administrator', '--class', '1')
    assert.match(ofAll.stderr, /can only be granted for all classes\.\n$/)
    assert.ok(!(await run('user', 'list')).stdout.includes('other@school.example'))
  })
})
