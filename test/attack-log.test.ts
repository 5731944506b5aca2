import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School, type Sending } from './school.ts'

/** What the log says of who sent a request, and from where; undefined: it does not say. */
type Told = [user: number | null, address: string | undefined]

describe('the line of a request in the log', () => {
  let school: School
  let person: Person
  let viewer: Person
  before(async () => {
    school = await openSchool({ env: { TRUST_PROXY: '1' } })
    person = await school.person()
    viewer = await school.person('viewer')
  })

  async function lineOf(method: string, url: string, sending: Sending, status: number): Promise<Told> {
    const from = school.log.length
    const answer = await school.send(method, url, { from: '203.0.113.7', ...sending })
    assert.equal(answer.status, status, answer.text)
    const lines = school.log.slice(from).map((line) => JSON.parse(line))
    assert.equal(lines.length, 1)
    assert.deepEqual([lines[0].status, lines[0].msg], [status, 'request'])
    return [lines[0].user, lines[0].address]
  }

  const login = (email: string, given: Sending = {}): Sending => ({
    body: { email, password: 'guessed' },
    ...given,
  })

  it('tells of a failed login whose account was tried, if there is one, and from where', async () => {
    const url = '/api/auth/login'
    assert.deepEqual(await lineOf('POST', url, login(person.email), 401), [person.id, '203.0.113.7'])
    assert.deepEqual(await lineOf('POST', url, login('nobody@x.example'), 401), [null, '203.0.113.7'])
    const [from, to] = ['2001:db8::7:1', '2001:db8:0:0::/64']
    assert.deepEqual(await lineOf('POST', url, login(person.email, { from }), 401), [person.id, to])
    for (let i = 0; i < 11; i++) await school.send('POST', url, login(person.email, { from: '203.0.113.8' }))
    const slowed = await lineOf('POST', url, login(person.email, { from: '203.0.113.8' }), 429)
    assert.deepEqual(slowed, [person.id, '203.0.113.8'])
  })

  it('tells of a refusal who it was whose token is good, and from where', async () => {
    const denied = await lineOf('POST', '/api/students', { as: viewer, body: {} }, 403)
    assert.deepEqual(denied, [viewer.id, '203.0.113.7'])
    assert.deepEqual(await lineOf('GET', '/api/students', { as: person }, 403), [person.id, '203.0.113.7'])
    const out = await school.person()
    await school.post('/api/auth/logout', undefined, out)
    assert.deepEqual(await lineOf('GET', '/api/auth/me', { as: out }, 401), [out.id, '203.0.113.7'])
    assert.deepEqual(await lineOf('GET', '/api/students', { as: out }, 401), [out.id, '203.0.113.7'])
    assert.deepEqual(await lineOf('GET', '/api/students', { as: 'a.b.c' }, 401), [null, '203.0.113.7'])
    assert.deepEqual(await lineOf('GET', '/api/students', {}, 401), [null, '203.0.113.7'])
  })

  it('repeats nothing that a client calls its address', async () => {
    const headers = { 'x-forwarded-for': 'Anna Berg' }
    assert.deepEqual(await lineOf('GET', '/api/students', { headers }, 401), [null, 'unknown'])
  })

  it('holds no address where nothing is refused', async () => {
    const { id, email } = await school.person()
    const right = { body: { email, password: 'a long enough password' } }
    assert.deepEqual(await lineOf('POST', '/api/auth/login', right, 200), [null, undefined])
    assert.deepEqual(await lineOf('GET', '/api/auth/me', { as: viewer }, 200), [viewer.id, undefined])
    assert.deepEqual(await lineOf('GET', '/api/students/99', { as: viewer }, 404), [viewer.id, undefined])
    assert.deepEqual(await lineOf('GET', '/api/students?x=1', { as: viewer }, 422), [viewer.id, undefined])
    assert.deepEqual(await lineOf('GET', '/api/health', {}, 200), [null, undefined])
    assert.ok(id > 0)
  })
})
