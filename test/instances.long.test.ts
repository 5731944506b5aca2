import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runCommand } from './command.ts'
import { engine, newDatabaseUrl } from './engine.ts'
import { type ServerProcess, startServer } from './server.ts'

const json = { 'Content-Type': 'application/json' }
const account = { name: 'Anna', email: 'anna@school.example', password: 'correct horse battery' }

interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  readonly body: any
}

async function send(
  server: ServerProcess,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<Reply> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && json),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function login(server: ServerProcess, { email, password }: typeof account): Promise<string> {
  const { status, body } = await send(server, 'POST', '/api/auth/login', { email, password })
  assert.equal(status, 200)
  return body.data.token
}

describe('three instances on one database', {
  skip: engine !== 'postgres' && 'one server a SQLite file',
}, () => {
  let databaseUrl: string
  let servers: ServerProcess[]
  before(async () => {
    databaseUrl = await newDatabaseUrl({ empty: true })
    servers = await Promise.all([1, 2, 3].map(() => startServer(databaseUrl)))
  })
  const [one, two, three] = [() => servers[0]!, () => servers[1]!, () => servers[2]!]

  it('start at once on an empty database: it is migrated once, and all are healthy', async () => {
    for (const server of servers) assert.equal((await send(server, 'GET', '/api/health')).status, 200)
    const { stdout } = await runCommand(['check', '--json'], { databaseUrl })
    assert.equal(JSON.parse(stdout).ok, true)
  })

  it('make one administrator of fifty accounts that register at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        send(servers[i % 3]!, 'POST', '/api/auth/register', {
          ...account,
          email: `first${i}@school.example`,
        }),
      ),
    )
    assert.ok(replies.every(({ status }) => status === 201 || status === 503))
    const { stdout } = await runCommand(['user', 'list', '--json'], { databaseUrl })
    const { users }: { users: { roles: string[] }[] } = JSON.parse(stdout)
    assert.equal(users.filter(({ roles }) => roles.includes('administrator')).length, 1)
  })

  it('know a logout at one of them at once: no request that starts afterwards at another gets 200', async () => {
    await send(one(), 'POST', '/api/auth/register', account)
    for (let round = 0; round < 20; round++) {
      const token = await login(one(), account)
      for (const server of servers)
        assert.equal((await send(server, 'GET', '/api/auth/me', undefined, token)).status, 200)
      assert.equal((await send(two(), 'POST', '/api/auth/logout', undefined, token)).status, 200)
      const after = await Promise.all(
        servers.map((server) => send(server, 'GET', '/api/auth/me', undefined, token)),
      )
      assert.deepEqual(
        after.map(({ status }) => status),
        [401, 401, 401],
      )
    }
  })

  it('know a grant, a revocation and a disabled account at once', async () => {
    const teacher = { ...account, email: 'teacher@school.example' }
    await send(one(), 'POST', '/api/auth/register', teacher)
    const token = await login(one(), teacher)
    const seen = async () =>
      (
        await Promise.all(servers.map((server) => send(server, 'GET', '/api/students', undefined, token)))
      ).map(({ status }) => status)
    assert.deepEqual(await seen(), [403, 403, 403])
    await runCommand(['user', 'grant', teacher.email, 'viewer', '--yes'], { databaseUrl })
    assert.deepEqual(await seen(), [200, 200, 200])
    await runCommand(['user', 'revoke', teacher.email, 'viewer'], { databaseUrl })
    assert.deepEqual(await seen(), [403, 403, 403])
    await runCommand(['user', 'disable', teacher.email], { databaseUrl })
    assert.deepEqual(await seen(), [401, 401, 401])
  })

  it('count failed logins together', async () => {
    const guess = { email: 'guessed@school.example', password: 'a wrong password' }
    const statuses: number[] = []
    for (let i = 0; i < 12; i++)
      statuses.push((await send(servers[i % 3]!, 'POST', '/api/auth/login', guess)).status)
    assert.deepEqual(statuses, [...Array(11).fill(401), 429])
  })

  it('share one signing key, and follow its rotation without a restart', async () => {
    const before = await login(one(), account)
    await runCommand(['key', 'rotate'], { databaseUrl })
    const after = await login(two(), account)
    const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid
    assert.notEqual(kid(before), kid(after))
    for (const server of servers) {
      assert.equal((await send(server, 'GET', '/api/auth/me', undefined, before)).status, 200)
      assert.equal((await send(server, 'GET', '/api/auth/me', undefined, after)).status, 200)
    }
    assert.equal(kid(await login(three(), account)), kid(after))
  })

  it('give one of fifty creations of one admission number the 201', async () => {
    await runCommand(['user', 'grant', account.email, 'registrar', '--yes'], { databaseUrl })
    const token = await login(one(), account)
    for (let round = 0; round < 10; round++) {
      const student = { name: 'Ada', admission_number: `race-${round}`, class_id: 1 }
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, i) => send(servers[i % 3]!, 'POST', '/api/students', student, token)),
      )
      const count = (wanted: number) => replies.filter(({ status }) => status === wanted).length
      assert.equal(count(201), 1)
      assert.equal(count(409) + count(503), 49)
    }
  })
})
