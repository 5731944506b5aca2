import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { call, logInAt } from '../../test/calls.ts'
import { temporaryFile } from '../../test/cleanup.ts'
import { addUser, password, runCommand } from '../../test/command.ts'
import { migratedDatabaseUrl, onceOnly } from '../../test/engine.ts'
import { byTest } from '../../test/school.ts'
import { type ServerProcess, startServer } from '../../test/server.ts'
import { openDatabase } from '../db/open.ts'
import { write } from '../events/write.ts'

const databaseUrl = await migratedDatabaseUrl()
const run = (args: string, stdin = '') => runCommand(args.split(' '), { databaseUrl, stdin })
const add = (args: readonly string[], stdin = password, env = {}) =>
  runCommand(['user', 'add', ...args], { databaseUrl, stdin, env })

let server: ServerProcess
before(async () => {
  server = await startServer(databaseUrl)
  await addUser(databaseUrl, 'head@school.example', 'administrator')
})

const readStudents = async (token: string) => (await call(server, 'GET', '/api/students', { token })).status

describe('user add', () => {
  it('makes an account that can log in at the running server, with texts in their stored form', async () => {
    const args = ['--email', ' Zoe@School.example ', '--name', ' Zoe\u0308 ', '--role', 'viewer', '--json']
    const outcome = await add(args, `${password}\n`)
    assert.equal(outcome.status, 0)
    const { id, ...made } = outcome.json()
    assert.deepEqual(made, { name: 'Zoë', email: 'zoe@school.example', roles: ['viewer'] })
    const token = await logInAt(server, 'zoe@school.example')
    assert.equal((await call(server, 'GET', '/api/auth/me', { token })).body.data.id, id)
    assert.equal(await readStudents(token), 200)
  })

  it('keeps its password as final, unless --change-password says that it must be changed first', async () => {
    const owner = ['--email', 'fred@school.example', '--name', 'Fred', '--role', 'viewer']
    assert.equal((await add([...owner, '--change-password'])).status, 0)
    const token = await logInAt(server, 'fred@school.example')
    const { status, body } = await call(server, 'GET', '/api/students', { token })
    assert.deepEqual([status, body.code], [403, 'password_change_required'])
    const outcome = await run('user password fred@school.example', password)
    assert.equal(outcome.status, 0)
    assert.equal(await readStudents(await logInAt(server, 'fred@school.example')), 200)
  })

  it('refuses what registration refuses, each in one sentence, and makes nothing', onceOnly, async () => {
    const accounts = (await run('user list')).stdout
    const owner = ['--email', 'new@school.example', '--name', 'New']
    const refusals = [
      add(owner, ''),
      add(owner, 'short'),
      add(owner, 'x'.repeat(257)),
      add(owner, 'one long line\nand another\n'),
      add(owner, 'a line in the manner of old\r'),
      add(['--email', 'nowhere', '--name', 'New']),
      add(['--email', 'new@school.example', '--name', 'N\u202ew']),
      add(['--email', 'new@school.example', '--name', ' ']),
      add(['--email', 'new@school.example', '--name', 'n'.repeat(256)]),
      add([...owner, '--role', 'king']),
      add(['--email', 'HEAD@school.example', '--name', 'New']),
    ]
    const outcomes = await Promise.all(refusals)
    for (const { status, stdout, stderr } of outcomes) {
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr, /^[^\n]+\.\n$/)
    }
    const said = outcomes.map(({ stderr }) => stderr).join('')
    assert.match(said, /No password was given/)
    assert.match(said, /at least 8 characters/)
    assert.equal(said.match(/The password must be one line\./g)?.length, 2)
    assert.match(said, /There is no role king\. The roles are: administrator, registrar, viewer\./)
    assert.match(said, /There is an account head@school\.example already/)
    assert.equal((await run('user list')).stdout, accounts)
  })

  it('tells everything that is wrong with the account at once', onceOnly, async () => {
    const { stderr } = await add(['--email', 'nowhere', '--name', ' ', '--role', 'king'])
    assert.match(
      stderr,
      /^The name must not be empty\. The e-mail address must .+\. There is no role king\. /,
    )
  })

  it(
    'is wrongly called without --email, and with the password as an argument: exit 2',
    onceOnly,
    async () => {
      const missing = await add(['--name', 'New'])
      assert.equal(missing.status, 2)
      assert.match(missing.stderr, /^--email is missing\.\n\nMake an account\n\nUsage: /)
      for (const args of [
        ['--email', 'a@b', '--name', 'A', 'secret password'],
        ['--email', 'a@b', '--name', 'A', '--password', 'x'],
      ])
        assert.equal((await add(args)).status, 2)
    },
  )
})

describe('user list', () => {
  it('shows every account, for people and for programs', async () => {
    const { stdout } = await run('user list')
    assert.match(
      stdout,
      /ID +E-MAIL +ROLES +STATE +NAME\n +1 +head@school\.example +administrator +active +Some One\n/,
    )
    const { users } = (await run('user list --json')).json()
    const { version, password_change_required: mustChange, ...head } = users[0]
    assert.deepEqual([typeof version, mustChange], ['number', false])
    assert.deepEqual(head, {
      id: 1,
      name: 'Some One',
      email: 'head@school.example',
      disabled: false,
      roles: ['administrator'],
      grants: [{ role_id: 1, role: 'administrator', class_ids: null }],
    })
  })
})

describe('user grant and revoke', () => {
  it('hold from the next request of a token that is already out', async () => {
    await addUser(databaseUrl, 'ben@school.example')
    const token = await logInAt(server, 'ben@school.example')
    assert.equal(await readStudents(token), 403)
    const granted = await run('user grant BEN@school.example viewer --yes --json')
    assert.deepEqual(granted.json().roles, ['viewer'])
    assert.equal(await readStudents(token), 200)
    const again = await run('user grant ben@school.example viewer --yes')
    assert.equal(again.stdout, 'ben@school.example holds the role viewer already; it holds: viewer.\n')
    const revoked = await run('user revoke ben@school.example viewer')
    assert.equal(revoked.stdout, 'ben@school.example no longer holds the role viewer; it holds: none.\n')
    assert.equal(await readStudents(token), 403)
  })

  it('name the roles there are when the role is unknown, and how accounts are found', onceOnly, async () => {
    const role = await run('user grant head@school.example teacher --yes')
    assert.equal(role.stderr, 'There is no role teacher. The roles are: administrator, registrar, viewer.\n')
    const account = await run('user grant nobody@school.example viewer --yes')
    assert.equal(
      account.stderr,
      'There is no account nobody@school.example; ./registrar.js user list lists them.\n',
    )
    assert.deepEqual([role.status, account.status], [1, 1])
    assert.equal((await run('user grant head@school.example')).status, 2)
  })

  it('are for named classes with --class, for more of them when granted again, and for all without it', async () => {
    await addUser(databaseUrl, 'emil@school.example')
    const holds = async (args: string) =>
      (await run(`user grant emil@school.example viewer --yes ${args}`.trim())).stdout
    const said = (what: string) => `emil@school.example ${what}.\n`
    assert.equal(await holds('--class 3'), said('now holds the role viewer; it holds: viewer (class 3)'))
    assert.equal(
      await holds('--class 5 --class=1,3'),
      said('now holds the role viewer; it holds: viewer (classes 1, 3, 5)'),
    )
    assert.match(
      (await run('user list')).stdout,
      / emil@school\.example +viewer \(classes 1, 3, 5\) +active /,
    )
    assert.match(await holds('--class 3'), /holds the role viewer already/)
    assert.equal(await holds(''), said('now holds the role viewer; it holds: viewer'))
    assert.match(await holds('--class 3'), /holds the role viewer already; it holds: viewer\.\n$/)
    assert.match((await run('user revoke emil@school.example viewer')).stdout, /it holds: none\.\n$/)

    for (const [args, reason] of [
      ['viewer --class 999', /^There is no class 999; /],
      [
        'viewer --class x,3 --class 998',
        /^There is no class x, 998; \.\/registrar\.js class list lists them\.\n$/,
      ],
      ['administrator --class 3', /can only be granted for all classes\.\n$/],
    ] as const) {
      const { status, stderr } = await run(`user grant emil@school.example ${args} --yes`)
      assert.equal(status, 1)
      assert.match(stderr, reason)
    }
    const { users } = (await run('user list --json')).json()
    assert.deepEqual(users.find(({ email }: { email: string }) => email.startsWith('emil')).grants, [])
  })

  it('are for at most a thousand named classes, as over the API, and say so', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const db = await openDatabase(databaseUrl)
    const ids = await write(db, byTest, async (db) => {
      await db.deleteFrom('classes').execute()
      const at = '2026-09-01T08:00:00.000Z'
      const classes = Array.from({ length: 1_001 }, (_, i) => ({
        label: `Class ${i}`,
        label_key: `class ${i}`,
        position: i,
        created_at: at,
        updated_at: at,
      }))
      return db.insertInto('classes').values(classes).returning('id').execute()
    }).then((rows) => rows.map(({ id }) => id))
    await db.destroy()
    await addUser(databaseUrl, 'ina@school.example')
    const grant = (classes: readonly number[]) =>
      runCommand(
        ['user', 'grant', 'ina@school.example', 'viewer', '--class', classes.join(), '--yes', '--json'],
        {
          databaseUrl,
        },
      )
    const reason =
      'A role is granted for at most 1000 named classes, and it would be held for 1001. Without --class, it is granted for all.'
    const refused = { error: reason, status: 1 }

    assert.deepEqual(JSON.parse((await grant(ids)).stderr), refused)
    const [first, ...others] = ids
    assert.deepEqual((await grant([...others, ...others])).json().grants[0].class_ids, others)
    assert.deepEqual(JSON.parse((await grant([first!])).stderr), refused, 'what it holds already counts too')
    assert.deepEqual((await grant(others.slice(500))).json().grants[0].class_ids, others)
  })

  it('never remove the last administrator', async () => {
    for (const args of [
      'user revoke head@school.example administrator',
      'user disable head@school.example',
    ]) {
      const { status, stderr } = await run(args)
      assert.deepEqual(
        [status, stderr],
        [1, 'This account is the last active administrator. Make another one first.\n'],
      )
    }
    const { users } = (await run('user list --json')).json()
    assert.deepEqual([users[0].disabled, users[0].roles], [false, ['administrator']])
  })
})

describe('user disable and enable', () => {
  it('end what the account holds at once; enabled again it logs in anew, and the old token stays dead', async () => {
    await addUser(databaseUrl, 'cleo@school.example', 'viewer')
    const token = await logInAt(server, 'cleo@school.example')
    assert.equal(await readStudents(token), 200)
    assert.equal((await run('user disable cleo@school.example')).stdout, 'cleo@school.example is disabled.\n')
    assert.equal(await readStudents(token), 401)
    await assert.rejects(logInAt(server, 'cleo@school.example'), /401 invalid_credentials/)
    assert.deepEqual((await run('user enable cleo@school.example --json')).json().disabled, false)
    assert.equal(await readStudents(token), 401)
    assert.equal(await readStudents(await logInAt(server, 'cleo@school.example')), 200)
    const again = await run('user enable cleo@school.example')
    assert.deepEqual([again.status, again.stdout], [0, 'cleo@school.example is enabled already.\n'])
  })
})

describe('user password', () => {
  it('sets a new password from a file and ends the sessions of the old one', async () => {
    await addUser(databaseUrl, 'dora@school.example', 'viewer')
    const token = await logInAt(server, 'dora@school.example')
    const file = temporaryFile('password', 'an entirely new one\n')
    const { status, stdout } = await run(`user password dora@school.example --password-file ${file}`)
    assert.deepEqual(
      [status, stdout],
      [0, 'dora@school.example has a new password; its sessions are ended.\n'],
    )
    assert.equal(await readStudents(token), 401)
    await assert.rejects(logInAt(server, 'dora@school.example'), /401 invalid_credentials/)
    assert.equal(await readStudents(await logInAt(server, 'dora@school.example', 'an entirely new one')), 200)
  })

  it('changes nothing when the file is missing, the text is no UTF-8 or the policy is against it', async () => {
    const missing = await run('user password head@school.example --password-file /nowhere/at/all')
    assert.match(missing.stderr, /^The password can't be read: /)
    const bytes = await runCommand(['user', 'password', 'head@school.example'], {
      databaseUrl,
      stdin: Buffer.from('ffffffffffffffffff', 'hex'),
    })
    assert.equal(bytes.stderr, 'The password must be UTF-8 text.\n')
    const common = await runCommand(['user', 'password', 'head@school.example'], {
      databaseUrl,
      stdin: 'passwordpassword',
      env: { PASSWORD_POLICY: 'strict' },
    })
    assert.match(common.stderr, /^The password is one of the most common/)
    assert.deepEqual([missing.status, bytes.status, common.status], [1, 1, 1])
    await logInAt(server, 'head@school.example')
  })
})
