import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { byTest, openSchool, type Person, password, type School } from '../../test/school.ts'
import { openSession, signToken } from '../../test/tokens.ts'
import { insertSession } from '../access/sessions.ts'
import { write } from '../events/write.ts'

const me = async (school: School, as: Person | string) => (await school.get('/api/auth/me', as)).status
const sessionsOf = async (school: School, as: Person | string) =>
  (await school.get('/api/auth/sessions', as)).body.data
const end = (school: School, as: Person | string, id: string) =>
  school.send('DELETE', `/api/auth/sessions/${id}`, { as })

async function logIn(school: School, { email }: Person, client?: string, from?: string): Promise<string> {
  const { body } = await school.send('POST', '/api/auth/login', {
    body: { email, password },
    ...(client !== undefined && { headers: { 'user-agent': client } }),
    ...(from !== undefined && { from }),
  })
  return body.data.token
}

describe('GET /api/auth/sessions', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  it('lists the own sessions, the newest first: made when, from where, by what, and which is this one', async () => {
    const person = await school.person()
    await school.person()
    const made = school.now().toISOString()
    school.passSeconds(90)
    const elsewhere = await logIn(school, person, 'Firefox/140.0', '2001:db8::7')
    const later = school.now().toISOString()
    const answer = await school.get('/api/auth/sessions', person)
    assert.equal(answer.status, 200)
    const [first, second] = answer.body.data
    assert.deepEqual(first, {
      id: first.id,
      created_at: later,
      expires_at: new Date(Date.parse(later) + 43_200_000).toISOString(),
      last_used_at: null,
      address: '2001:db8::7',
      client: 'Firefox/140.0',
      current: false,
    })
    assert.deepEqual([second.created_at, second.current, second.address], [made, true, '127.0.0.1'])
    assert.equal(second.last_used_at, '2026-09-01T08:01:00.000Z', 'to the minute')
    assert.deepEqual(answer.body.pagination, { total: 2, page: 1, per_page: 20, total_pages: 1 })
    const other = await sessionsOf(school, elsewhere)
    assert.deepEqual(
      other.map(({ id, current }: { id: string; current: boolean }) => [id, current]),
      [
        [first.id, true],
        [second.id, false],
      ],
    )
  })

  it('has pages, as every list', async () => {
    const person = await school.person()
    for (let i = 0; i < 4; i++) {
      school.passSeconds(1)
      await logIn(school, person)
    }
    const all = await sessionsOf(school, person)
    const page = await school.get('/api/auth/sessions?per_page=2&page=2', person)
    assert.deepEqual(page.body.data, all.slice(2, 4))
    assert.deepEqual(page.body.pagination, { total: 5, page: 2, per_page: 2, total_pages: 3 })
    assert.match(String(page.headers.link), /<\/api\/auth\/sessions\?page=3&per_page=2>; rel="next"/)
    const past = await school.get('/api/auth/sessions?per_page=2&page=9', person)
    assert.deepEqual([past.body.data, past.body.pagination.total], [[], 5])
    assert.equal((await school.get('/api/auth/sessions?user_id=1', person)).status, 422)
  })

  it('shows nothing of what ended: logged out, ended, or expired', async () => {
    const own = await openSchool({ env: { TOKEN_TTL: '600' } })
    const person = await own.person()
    const out = await logIn(own, person)
    await own.send('POST', '/api/auth/logout', { as: out })
    own.passSeconds(599)
    const fresh = await logIn(own, person)
    assert.equal((await sessionsOf(own, fresh)).length, 2)
    const [, old] = await sessionsOf(own, fresh)
    own.passSeconds(1)
    assert.equal((await sessionsOf(own, fresh)).length, 1)
    assert.equal((await end(own, fresh, old.id)).status, 404)
  })

  it('keeps of what a client calls itself what can be shown, and no more than 255 characters', async () => {
    const person = await school.person()
    const cases: [sent: string, kept: string | null][] = [
      ['  curl/8.5.0\t', 'curl/8.5.0'],
      ['a\u0085b\u009fc\u200e\u202ed', 'abcd'],
      ['x'.repeat(300), 'x'.repeat(255)],
      ['', null],
      ['   ', null],
      ["<script>alert('x')</script>", "<script>alert('x')</script>"],
    ]
    for (const [sent, kept] of cases) {
      const token = await logIn(school, person, sent)
      const current = (await sessionsOf(school, token)).find(({ current }: { current: boolean }) => current)
      assert.equal(current.client, kept)
    }
    assert.ok(!school.log.some((line) => /curl|script/.test(line)))
  })

  it('shows a session whose address was not kept, as of an earlier version', async () => {
    const person = await school.person()
    const { header, claims, key } = await openSession(school, person)
    const sessions = await sessionsOf(school, signToken(header, claims, key.secret))
    const { address, client } = sessions.find(({ current }: { current: boolean }) => current)
    assert.deepEqual([address, client], [null, null])
  })

  it('names a session by what is neither its key nor anything to present', async () => {
    const person = await school.person()
    const [{ id }] = await sessionsOf(school, person)
    assert.match(id, /^[0-9a-f]{32}$/)
    const { jti } = JSON.parse(Buffer.from(person.token.split('.')[1]!, 'base64url').toString())
    assert.ok(!id.includes(jti.replaceAll('-', '')))
    const { header, claims, key } = await openSession(school, person)
    for (const forged of [id, `${id}${id}`])
      assert.equal(await me(school, signToken(header, { ...claims, jti: forged }, key.secret)), 401)
  })
})

describe('DELETE /api/auth/sessions/{id}', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  it('ends one session: its token is dead at once, the others live on', async () => {
    const person = await school.person()
    school.passSeconds(1)
    const [lost, kept] = [await logIn(school, person, 'lost'), await logIn(school, person, 'kept')]
    assert.equal(await me(school, lost), 200)
    const sessions = await sessionsOf(school, person)
    const { id } = sessions.find(({ client }: { client: string }) => client === 'lost')
    const answer = await end(school, person, id)
    assert.deepEqual([answer.status, answer.body], [200, { success: true, message: 'Session ended' }])
    assert.deepEqual(
      [await me(school, lost), await me(school, kept), await me(school, person)],
      [401, 200, 200],
    )
    const again = await end(school, person, id)
    assert.deepEqual([again.status, again.body.code], [404, 'session_not_found'])
  })

  it('can end the one that calls: that is a logout', async () => {
    const person = await school.person()
    const [{ id }] = await sessionsOf(school, person)
    assert.equal((await end(school, person, id)).status, 200)
    assert.equal(await me(school, person), 401)
  })

  it('ends no session of another account, and does not tell it from one that is not there', async () => {
    const [person, other] = [await school.person('administrator'), await school.person()]
    const [{ id }] = await sessionsOf(school, other)
    const answers = await Promise.all(
      [id, 'f'.repeat(32), '0'.repeat(32), '1', 'abc', id.toUpperCase(), `${id.slice(1)}%25`].map((id) =>
        end(school, person, id),
      ),
    )
    const [first, ...others] = answers.map(({ status, body }) => ({ status, ...body, request_id: undefined }))
    assert.deepEqual([first.status, first.code], [404, 'session_not_found'])
    for (const answer of others) assert.deepEqual(answer, first)
    assert.equal(await me(school, other), 200)
  })

  it('takes an id of digits alone for what it is', async () => {
    const person = await school.person()
    const key = Buffer.concat([Buffer.from('12345678901234567890123456789012', 'hex'), Buffer.alloc(16, 255)])
    const [createdAt, expiresAt] = [school.now().toISOString(), '2027-01-01T00:00:00.000Z']
    await write(school.db, byTest, (db) =>
      insertSession(db, { key, userId: person.id, createdAt, expiresAt }),
    )
    assert.equal((await end(school, person, '12345678901234567890123456789012')).status, 200)
    assert.equal((await sessionsOf(school, person)).length, 1)
  })

  it('of many at once, lets one end it', async () => {
    const person = await school.person()
    for (let round = 0; round < 5; round++) {
      school.passSeconds(1)
      const elsewhere = await logIn(school, person)
      const [{ id }] = await sessionsOf(school, person)
      const answers = await Promise.all(Array.from({ length: 16 }, () => end(school, person, id)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.equal(answers.filter(({ status }) => status === 404).length, 15)
      assert.equal(await me(school, elsewhere), 401)
    }
  })
})

describe('DELETE /api/auth/sessions', () => {
  it('ends all the others, says how many, and leaves this one and those of others', async () => {
    const school = await openSchool()
    const [person, other] = [await school.person(), await school.person()]
    const elsewhere = [await logIn(school, person), await logIn(school, person), await logIn(school, person)]
    const answer = await school.send('DELETE', '/api/auth/sessions', { as: person })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      success: true,
      data: { ended_sessions: 3 },
      message: 'Other sessions ended',
    })
    for (const token of elsewhere) assert.equal(await me(school, token), 401)
    assert.deepEqual([await me(school, person), await me(school, other)], [200, 200])
    const again = await school.send('DELETE', '/api/auth/sessions', { as: person })
    assert.equal(again.body.data.ended_sessions, 0)
    assert.equal((await sessionsOf(school, person)).length, 1)
  })
})

describe('GET /api/auth/me', () => {
  it('tells which classes a permission is held for, where it is not held for all', async () => {
    const school = await openSchool()
    const teacher = await school.person('viewer')
    const roleOf = async (name: string) =>
      (await school.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
    const [viewer, registrar] = [await roleOf('viewer'), await roleOf('registrar')]
    const granted = { user_id: teacher.id, role_id: registrar }
    await write(school.db, byTest, async (db) => {
      const granted_at = school.now().toISOString()
      await db
        .insertInto('user_roles')
        .values({ ...granted, granted_at, all_classes: 0 })
        .execute()
      for (const class_id of [5, 3])
        await db
          .insertInto('user_role_classes')
          .values({ ...granted, class_id })
          .execute()
    })
    const answer = await school.get('/api/auth/me', teacher)
    assert.deepEqual(answer.body.data.roles, ['registrar', 'viewer'])
    const held = [
      'classes.manage',
      'lists.manage',
      'students.create',
      'students.export',
      'students.import',
      'students.sensitive',
      'students.update',
    ]
    assert.deepEqual(answer.body.data.permissions, [...held, 'classes.view', 'students.view'].sort())
    assert.deepEqual(
      answer.body.data.scopes,
      held.map((permission) => ({ permission, class_ids: [3, 5] })),
      'the viewer’s are held for all',
    )
    await write(school.db, byTest, (db) =>
      db.deleteFrom('user_roles').where('user_id', '=', teacher.id).where('role_id', '=', viewer).execute(),
    )
    assert.equal((await school.get('/api/auth/me', teacher)).body.data.scopes.length, held.length + 2)
  })
})
