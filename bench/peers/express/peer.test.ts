import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Seeded, seed } from '../../seed.ts'
import { type ServerProcess, startRegistrar } from '../../servers.ts'
import { startPeer } from './peer.ts'

/*
 * The same requests to Registrar and to the peer, on the same people: their answers must be the same where
 * the contract speaks. Not a part of `npm test`, since it installs the peer:
 * node registrar.js --node --test bench/peers/express/peer.test.ts
 */

interface Side {
  readonly server: ServerProcess
  readonly seeded: Seeded
}

interface Call {
  readonly method?: string
  readonly token?: string | undefined
  readonly body?: unknown
}

/** What of an answer is compared. */
interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of whatever shape
  readonly body: any
}

const folder = mkdtempSync(join(tmpdir(), 'registrar-peer-'))
let ours: Side
let theirs: Side

before(async () => {
  const path = join(folder, 'registrar.db')
  const seeded = await seed(`sqlite:${path}`, 2_000)
  theirs = await startPeer(folder, path, seeded)
  ours = { seeded, server: await startRegistrar(`sqlite:${path}`, folder) }
})

after(async () => {
  await theirs?.server.stop()
  await ours?.server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask({ server }: Side, path: string, { method, token, body }: Call = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // The benchmark's client reads nothing else.
  assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(text)))
  return { status: response.status, body: JSON.parse(text) }
}

/** Asks both the same, and holds the peer's answer to ours; of a failure, what both say alike. */
async function assertSame(path: string, call: (side: Side) => Call = () => ({})): Promise<Answer> {
  const [our, their] = await Promise.all([ask(ours, path, call(ours)), ask(theirs, path, call(theirs))])
  const compared = ({ status, body }: Answer) => {
    if (status < 400) return { status, body }
    const { success, code } = body
    return { status, body: { success, code } }
  }
  assert.deepEqual(compared(their), compared(our), path)
  return our
}

const viewer = ({ seeded }: Side): Call => ({ token: seeded.viewerTokens[0] })
const registrar = ({ seeded }: Side): Call => ({ token: seeded.registrarTokens[0] })

describe('the Express peer answers as Registrar does', () => {
  it('gives a student, by every seeded token', async () => {
    assert.equal((await assertSame('/api/students/1', viewer)).status, 200)
    for (const role of ['viewerTokens', 'registrarTokens'] as const) {
      assert.equal(theirs.seeded[role].length, ours.seeded[role].length)
      for (const token of theirs.seeded[role])
        assert.equal((await ask(theirs, '/api/students/2000', { token })).status, 200)
    }
  })

  it('lists pages', async () => {
    for (const query of ['', '?page=3', '?per_page=1000&page=2', '?page=101', '?page=100', '?page=1000'])
      assert.equal((await assertSame(`/api/students${query}`, viewer)).status, 200)
  })

  it('finds the same for what the benchmark searches, but for letters that Unicode does not decompose', async () => {
    const { rare, common } = ours.seeded.words
    await assertSame(`/api/students?search=${encodeURIComponent(common.word)}`, viewer)
    let same = 0
    for (const { word, hits } of rare) {
      const path = `/api/students?search=${encodeURIComponent(word)}`
      const { body } = await ask(theirs, path, viewer(theirs))
      assert.ok(body.pagination.total <= hits, word)
      if (body.pagination.total < hits) continue
      await assertSame(path, viewer)
      same++
    }
    assert.ok(same >= rare.length * 0.8, `${same} of ${rare.length} searches find the same`)
  })

  it('finds every word of a search, in any order, and an admission number', async () => {
    const { name, admission_number } = (await ask(ours, '/api/students/1', viewer(ours))).body.data
    const backwards = encodeURIComponent(name.split(' ').reverse().join(' ').toUpperCase())
    assert.ok((await assertSame(`/api/students?search=${backwards}`, viewer)).body.pagination.total > 0)
    assert.equal(
      (await assertSame(`/api/students?search=${admission_number}`, viewer)).body.pagination.total,
      1,
    )
    for (const search of ['%25%25%25', '100%25', '___', '%5C%5C%5C', 'no-such-word'])
      assert.equal((await assertSame(`/api/students?search=${search}`, viewer)).body.pagination.total, 0)
  })

  it('creates a student', async () => {
    const body = { name: ' Zoë Müller ', admission_number: 'P-1', class_id: 3 }
    const { id } = (await assertSame('/api/students', (side) => ({ ...registrar(side), body }))).body.data
    const read = await assertSame(`/api/students/${id}`, viewer)
    assert.deepEqual(read.body.data, { id, ...body, name: 'Zoë Müller', class: 'Class 3' })
    const again = { ...body, admission_number: 'p-1' }
    const taken = await assertSame('/api/students', (side) => ({ ...registrar(side), body: again }))
    assert.equal(taken.status, 409)
  })

  it('refuses what is not valid', async () => {
    const body = { name: 'Ada', admission_number: 'P-2', class_id: 1 }
    for (const wrong of [{ name: ' ' }, { name: undefined }, { class_id: 99 }, { class_id: '1' }])
      assert.equal(
        (await assertSame('/api/students', (side) => ({ ...registrar(side), body: { ...body, ...wrong } })))
          .status,
        422,
      )
    for (const path of ['?page=0', '?per_page=1001', '?page=x', '/x'])
      assert.equal((await assertSame(`/api/students${path}`, viewer)).status, 422)
    assert.equal((await assertSame('/api/students/999999', viewer)).status, 404)
    assert.equal((await assertSame('/api/nothing')).status, 404)
  })

  it('lets nobody in without a token, or without the permission', async () => {
    assert.equal((await assertSame('/api/students')).status, 401)
    assert.equal((await assertSame('/api/students', () => ({ token: 'a.b.c' }))).status, 401)
    const body = { name: 'Ada', admission_number: 'P-3', class_id: 1 }
    assert.equal((await assertSame('/api/students', (side) => ({ ...viewer(side), body }))).status, 403)
    const foreign = await ask(theirs, '/api/students', { token: ours.seeded.viewerTokens[0] })
    assert.equal(foreign.status, 401)
  })

  it('logs in, says who, and logs out', async () => {
    const { loginEmails, password } = ours.seeded
    const [email] = loginEmails
    const wrong = { email, password: 'not the password' }
    assert.equal((await assertSame('/api/auth/login', () => ({ body: wrong }))).status, 401)
    const unknown = { email: 'nobody@school.example', password }
    assert.equal((await assertSame('/api/auth/login', () => ({ body: unknown }))).status, 401)
    const bodies = []
    for (const side of [ours, theirs]) {
      const { status, body } = await ask(side, '/api/auth/login', { body: { email, password } })
      assert.equal(status, 200)
      const { token, ...rest } = body.data
      bodies.push({ ...body, data: rest })
      assert.equal((await ask(side, '/api/auth/me', { token })).body.data.email, email)
      const out = await ask(side, '/api/auth/logout', { method: 'POST', token })
      assert.deepEqual(out, { status: 200, body: { success: true, message: 'Logged out' } })
      assert.equal((await ask(side, '/api/auth/me', { token })).status, 401)
      assert.equal((await ask(side, '/api/auth/logout', { method: 'POST', token })).status, 401)
    }
    assert.deepEqual(bodies[1], bodies[0])
    assert.equal((await assertSame('/api/auth/me', viewer)).status, 200)
  })

  it('registers an account that may log in, and do nothing else', async () => {
    const account = { email: 'new@school.example', password: 'a long enough password' }
    const { status, body } = await ask(theirs, '/api/auth/register', { body: { name: 'New', ...account } })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body.data), ['user_id'])
    assert.equal((await ask(theirs, '/api/auth/register', { body: { name: 'New', ...account } })).status, 409)
    const { token, user } = (await ask(theirs, '/api/auth/login', { body: account })).body.data
    assert.equal(user.id, body.data.user_id)
    assert.equal((await ask(theirs, '/api/students', { token })).status, 403)
  })

  it('is healthy', async () => {
    const [our, their] = await Promise.all([ask(ours, '/api/health'), ask(theirs, '/api/health')])
    assert.equal(their.status, 200)
    assert.deepEqual({ ...their.body, version: '' }, { ...our.body, version: '' })
    assert.match(their.body.version, /^\d+\.\d+\.\d+$/)
  })
})
