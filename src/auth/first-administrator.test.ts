import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { registerAtOnce } from '../../test/account-races.ts'
import { temporaryFile } from '../../test/cleanup.ts'
import { onceOnly } from '../../test/engine.ts'
import { rolesOf } from '../../test/grants.ts'
import { byTest, openSchool, password, type School, type Sending } from '../../test/school.ts'
import { startServer } from '../../test/server.ts'
import { frame, openWire } from '../../test/wire.ts'
import { readConfig } from '../config.ts'
import { write } from '../events/write.ts'
import { ExplainedError } from '../problems.ts'
import { hasAdministrator } from '../roles/queries.ts'
import { makeConfiguredAdministrator } from './first-administrator.ts'

const anna = { name: 'Anna Berg', email: 'anna@school.example', password }
const register = (school: School, sending: Sending = {}) =>
  school.send('POST', '/api/auth/register', { body: anna, ...sending })

const schools = new Map<string, School>()

/** The school with these settings, without accounts as at its first start: one app for many tests. */
async function emptySchool(env: Record<string, string>): Promise<School> {
  const settings = JSON.stringify(env)
  const school = schools.get(settings) ?? (await openSchool({ env }))
  schools.set(settings, school)
  await write(school.db, byTest, async (db) => {
    for (const table of [
      'sessions',
      'user_role_classes',
      'user_roles',
      'login_pairs',
      'throttles',
      'users',
    ] as const)
      await db.deleteFrom(table).execute()
    await db.updateTable('platform').set({ administrator_since: null }).execute()
  })
  school.log.length = 0
  return school
}

describe('the first account of a platform, registered on the machine itself', () => {
  it('becomes administrator, and can begin at once', async () => {
    const school = await emptySchool({})
    const { status, body } = await register(school)
    assert.equal(status, 201)
    assert.deepEqual(await rolesOf(school, body.data.user_id), ['administrator'])
    const { token } = (await school.login(anna.email)).body.data
    const created = await school.post(
      '/api/students',
      { name: 'B', admission_number: '1', class_id: 1 },
      token,
    )
    assert.equal(created.status, 201)
  })

  it('is one: the second holds nothing', async () => {
    const school = await emptySchool({})
    await register(school)
    const second = await register(school, { body: { ...anna, email: 'second@school.example' } })
    assert.deepEqual(await rolesOf(school, second.body.data.user_id), [])
  })

  it('is not made by a registration that is refused', async () => {
    const school = await emptySchool({})
    await register(school, { from: '203.0.113.1' })
    assert.equal((await register(school)).status, 409)
    assert.equal(await hasAdministrator(school.db), false)
    const { body } = await register(school, { body: { ...anna, email: 'other@school.example' } })
    assert.deepEqual(await rolesOf(school, body.data.user_id), ['administrator'])
  })

  const from = (headers: Record<string, string>): Sending => ({ headers })
  const welcome: [what: string, sending: Sending, env?: Record<string, string>][] = [
    ['from 127.0.0.1', { from: '127.0.0.1' }],
    ['from anywhere in 127/8', { from: '127.45.6.7' }],
    ['from ::1', { from: '::1' }],
    ['from ::ffff:127.0.0.1', { from: '::ffff:127.0.0.1' }],
    ['for localhost', from({ host: 'localhost:3000' })],
    ['for LOCALHOST', from({ host: 'LOCALHOST' })],
    ['for 127.0.0.1', from({ host: '127.0.0.1:3000' })],
    ['for [::1]', from({ host: '[::1]:3000' })],
    ['by a page of this machine', from({ origin: 'http://localhost:5173' })],
    ['by a page of [::1]', from({ origin: 'http://[::1]:5173' })],
    ['with HOST=127.0.0.1', {}, { HOST: '127.0.0.1' }],
    ['with HOST=::1', {}, { HOST: '::1' }],
    ['with DEFAULT_ROLE=viewer', {}, { DEFAULT_ROLE: 'viewer' }],
  ]
  for (const [what, sending, env = {}] of welcome) {
    it(`becomes administrator ${what}`, onceOnly, async () => {
      const school = await emptySchool(env)
      const { body } = await register(school, sending)
      assert.deepEqual(await rolesOf(school, body.data.user_id), ['administrator'])
    })
  }

  const refused: [what: string, sending: Sending, env?: Record<string, string>][] = [
    ['from another machine', { from: '192.168.1.20' }],
    ['from another machine over IPv6', { from: '2001:db8::1' }],
    ['from another machine in IPv6 clothes', { from: '::ffff:192.168.1.20' }],
    ['from an address that only looks like loopback', { from: '::127.0.0.1' }],
    ['for a foreign host', from({ host: 'school.example' })],
    ['for a host that begins like loopback', from({ host: 'localhost.evil.example' })],
    ['for a host that begins like 127.0.0.1', from({ host: '127.0.0.1.evil.example' })],
    ['for a host that resolves to it', from({ host: '127.0.0.1.nip.io' })],
    ['by a foreign page', from({ origin: 'https://evil.example' })],
    ['by a page without an origin', from({ origin: 'null' })],
    ['by a page whose host begins like loopback', from({ origin: 'http://localhost.evil.example' })],
    ['by a page with loopback before an @', from({ origin: 'http://localhost@evil.example' })],
    ['by a page with loopback in its path', from({ origin: 'http://evil.example/localhost' })],
    ['by a page of an extension', from({ origin: 'chrome-extension://abcdefgh' })],
    ['through Forwarded', from({ forwarded: 'for=127.0.0.1' })],
    ['through Via', from({ via: '1.1 proxy' })],
    ['through X-Forwarded-For', from({ 'x-forwarded-for': '127.0.0.1' })],
    ['through X-Forwarded-Host', from({ 'x-forwarded-host': 'localhost' })],
    ['through X-Forwarded-Proto', from({ 'X-Forwarded-Proto': 'http' })],
    ['through X-Forwarded', from({ 'x-forwarded': 'for=127.0.0.1' })],
    ['through Forwarded-For', from({ 'forwarded-for': '127.0.0.1' })],
    ['through X-Original-Forwarded-For', from({ 'x-original-forwarded-for': '127.0.0.1' })],
    ['through X-Real-IP', from({ 'x-real-ip': '127.0.0.1' })],
    ['through CF-Connecting-IP', from({ 'cf-connecting-ip': '127.0.0.1' })],
    ['through True-Client-IP', from({ 'true-client-ip': '127.0.0.1' })],
    ['through X-ProxyUser-IP', from({ 'x-proxyuser-ip': '127.0.0.1' })],
    ['through X-Client-IP', from({ 'x-client-ip': '127.0.0.1' })],
    ['through IP', from({ ip: '127.0.0.1' })],
    ['through an empty X-Forwarded-For', from({ 'x-forwarded-for': '' })],
    ['with HOST=0.0.0.0', {}, { HOST: '0.0.0.0' }],
    ['with HOST=::', {}, { HOST: '::' }],
    ['with HOST a name', {}, { HOST: 'school.example' }],
    ['with HOST an address of the network', {}, { HOST: '192.168.1.2' }],
    ['with TRUST_PROXY=1', {}, { TRUST_PROXY: '1' }],
    ['with TRUST_PROXY=127.0.0.1', {}, { TRUST_PROXY: '127.0.0.1' }],
    [
      'with a trusted proxy that says loopback',
      from({ 'x-forwarded-for': '127.0.0.1' }),
      { TRUST_PROXY: '1' },
    ],
    ['with FIRST_ADMIN=off', {}, { FIRST_ADMIN: 'off' }],
  ]
  for (const [what, sending, env = {}] of refused) {
    it(`holds nothing ${what}, and the log says how an administrator is made`, onceOnly, async () => {
      const school = await emptySchool(env)
      const { status, body } = await register(school, sending)
      assert.equal(status, 201)
      assert.deepEqual(await rolesOf(school, body.data.user_id), [])
      assert.equal(await hasAdministrator(school.db), false, 'the door stays open for who is at the machine')
      const told = school.log.filter((line) => line.includes('./registrar.js user grant EMAIL administrator'))
      assert.equal(told.length, 1)
      assert.equal(JSON.parse(told[0]!).level, 'warn')
      assert.ok(!told[0]!.includes(anna.email))
    })
  }

  it('holds nothing over HTTP/1.0, which nginx speaks to the servers behind it', async () => {
    const school = await openSchool()
    const wire = await openWire(school)
    const body = JSON.stringify(anna)
    const lines = [
      'POST /api/auth/register HTTP/1.0',
      'Host: 127.0.0.1:3000',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const { answers } = await wire.exchange(frame(lines, body))
    assert.deepEqual(await rolesOf(school, answers[0]!.body.data.user_id), [])
    assert.equal(await hasAdministrator(school.db), false)
  })

  it('is one of ten that register at once', () => registerAtOnce(10))

  it('is told by the first lines of the log, which say the door that is open', onceOnly, async () => {
    const doors: [env: Record<string, string>, line: RegExp][] = [
      [{}, /first account that registers from this machine/],
      [{ REGISTRATION: 'closed' }, /user add --email EMAIL --name NAME --role administrator/],
      [{ FIRST_ADMIN: 'off' }, /\.\/registrar\.js user grant EMAIL administrator/],
    ]
    for (const [env, line] of doors) {
      const server = await startServer(undefined, env)
      await server.end('SIGTERM')
      const first = server.log.slice(0, 4).join('\n')
      assert.deepEqual(
        doors.map(([, other]) => other.test(first)),
        doors.map(([, other]) => other === line),
      )
    }
  })
})

describe('ADMIN_EMAIL and ADMIN_PASSWORD_FILE', () => {
  const file = (content: string | Buffer) => {
    const path = temporaryFile('password', content)
    return path
  }
  const settings = (content: string | Buffer, more: Record<string, string> = {}) =>
    readConfig({ ADMIN_EMAIL: 'Head@School.Example', ADMIN_PASSWORD_FILE: file(content), ...more })
  const make = (school: School, config = settings(`${password}\n`)) =>
    makeConfiguredAdministrator(school.db, config, school.now().toISOString())

  it('make an administrator at the first start, who can log in', async () => {
    const school = await emptySchool({})
    assert.equal(await make(school), true)
    const answer = await school.login('head@school.example')
    assert.equal(answer.status, 200)
    assert.deepEqual(await rolesOf(school, answer.body.data.user.id), ['administrator'])
    const { body } = await register(school)
    assert.deepEqual(await rolesOf(school, body.data.user_id), [], 'and shut the door on the machine')
  })

  it('are ignored from then on', async () => {
    const school = await emptySchool({})
    await make(school)
    const other = { ...settings('another long password'), adminEmail: 'second@school.example' }
    assert.equal(await make(school, other), false)
    assert.equal(await make(school, { ...other, adminPasswordFile: '/no/such/file' }), false)
    assert.equal(await make(school, settings('another long password')), false)
    assert.equal(await school.count('users'), 1)
    assert.equal((await school.login('head@school.example')).status, 200, 'the password stays')
  })

  it('are ignored when there is an administrator already', async () => {
    const school = await emptySchool({})
    await school.person('administrator')
    assert.equal(await make(school), false)
    assert.equal(await school.count('users'), 1)
  })

  it('give nothing to an account that someone else registered under the address', async () => {
    const school = await emptySchool({})
    const { body } = await register(school, {
      body: { ...anna, email: 'head@school.example' },
      from: '203.0.113.1',
    })
    await assert.rejects(make(school), { message: /exists.*registrar\.js user grant/s })
    assert.deepEqual(await rolesOf(school, body.data.user_id), [])
    assert.equal(await hasAdministrator(school.db), false)
  })

  it('take the password as it stands, but for the line end', async () => {
    for (const [content, typed] of [
      ['a long password\r\n', 'a long password'],
      ['a long password', 'a long password'],
      [' a long password \n', ' a long password '],
    ] as const) {
      const school = await emptySchool({})
      await make(school, settings(content))
      assert.equal((await school.login('head@school.example', typed)).status, 200, JSON.stringify(content))
    }
  })

  const faults: [what: string, content: string | Buffer, more: Record<string, string>, message: RegExp][] = [
    ['two lines', `${password}\n\n`, {}, /ADMIN_PASSWORD_FILE must be one line/],
    ['a line end of old', `${password}\r`, {}, /ADMIN_PASSWORD_FILE must be one line/],
    [
      'a password that is no UTF-8',
      Buffer.from('ff'.repeat(18), 'hex'),
      {},
      /ADMIN_PASSWORD_FILE must be UTF-8/,
    ],
    ['a short password', 'short\n', {}, /ADMIN_PASSWORD_FILE must have at least 8/],
    ['an empty file', '', {}, /ADMIN_PASSWORD_FILE must have at least 8/],
    ['a password of 257 characters', 'x'.repeat(257), {}, /ADMIN_PASSWORD_FILE.*long/],
    ['a common password, in the strict policy', 'passwordpassword', { PASSWORD_POLICY: 'strict' }, /common/],
    ['14 characters, in the strict policy', 'x'.repeat(14), { PASSWORD_POLICY: 'strict' }, /at least 15/],
    [
      'a file that is not there',
      '',
      { ADMIN_PASSWORD_FILE: '/no/such/file' },
      /ADMIN_PASSWORD_FILE can't be read/,
    ],
    ['a folder for a file', '', { ADMIN_PASSWORD_FILE: '/tmp' }, /ADMIN_PASSWORD_FILE can't be read/],
    ['an address that is none', password, { ADMIN_EMAIL: 'x@-y' }, /ADMIN_EMAIL/],
  ]
  for (const [what, content, more, message] of faults) {
    it(`stop the start with ${what}, and make nothing`, async () => {
      const school = await emptySchool({})
      await assert.rejects(make(school, settings(content, more)), (error: Error) => {
        assert.ok(error instanceof ExplainedError)
        assert.match(error.message, message)
        assert.ok(
          content.length < 5 || !error.message.includes(content.toString().trim()),
          'the password is not shown',
        )
        return true
      })
      assert.equal(await school.count('users'), 0)
    })
  }
})
