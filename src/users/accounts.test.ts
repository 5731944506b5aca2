import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { type Answer, byTest, openSchool, type Person, password, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { deleteGrantRows, insertGrant } from '../roles/queries.ts'

const fresh = 'a first password of all'
const created = { name: 'Ben Okafor', email: 'ben@school.example', password: fresh }

const tagOf = ({ headers }: Answer) => String(headers.etag)
const read = (school: School, id: number, as: Person) => school.get(`/api/users/${id}`, as)
const change = (school: School, id: number, body: unknown, as: Person, tag = '*') =>
  school.send('PATCH', `/api/users/${id}`, { as, body, headers: { 'if-match': tag } })
const setPassword = (school: School, id: number, given: string, as: Person, tag = '*') =>
  school.send('PUT', `/api/users/${id}/password`, {
    as,
    body: { password: given },
    headers: { 'if-match': tag },
  })
const list = async (school: School, query: string, as: Person) => {
  const { body } = await school.get(`/api/users?${query}`, as)
  return body.data.map(({ email }: { email: string }) => email)
}

describe('GET /api/users', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    for (const [name, email] of [
      ['Zoë Müller', 'zoe@school.example'],
      ['Ikram Haddad', 'ikram@other.example'],
      ['李 小龙', 'li@school.example'],
    ] as const) {
      assert.equal((await school.post('/api/users', { name, email, password: fresh }, admin)).status, 201)
    }
  })

  it('shows each account with what it holds, and nothing of its password', async () => {
    const teacher = await school.person()
    await write(school.db, byTest, (db) =>
      insertGrant(db, teacher.id, 'viewer', school.now().toISOString(), [5, 3]),
    )
    const { status, body } = await school.get('/api/users?per_page=1000', admin)
    assert.equal(status, 200)
    const [first, zoe] = body.data
    assert.deepEqual(first.roles, [{ role_id: 1, role: 'administrator', class_ids: null }])
    assert.deepEqual(zoe, {
      id: admin.id + 1,
      name: 'Zoë Müller',
      email: 'zoe@school.example',
      disabled: false,
      password_change_required: true,
      roles: [],
      version: 1,
    })
    assert.deepEqual(body.data.at(-1).roles, [{ role_id: 3, role: 'viewer', class_ids: [3, 5] }])
    assert.doesNotMatch(JSON.stringify(body), /argon2|hash/)
  })

  it('finds words of name and address, in any order, without case and accents', async () => {
    const cases: [search: string, found: string[]][] = [
      ['zoe', ['zoe@school.example']],
      ['MULLER zo', ['zoe@school.example']],
      ['other.example', ['ikram@other.example']],
      ['小', ['li@school.example']],
      ['zoe ikram', []],
      ['%', []],
      ["'", []],
      ['\u0000', []],
    ]
    for (const [search, found] of cases)
      assert.deepEqual(await list(school, `search=${encodeURIComponent(search)}`, admin), found, search)
    const many = Array.from({ length: 11 }, (_, i) => `word${i}x`).join('+')
    const { status, body } = await school.get(`/api/users?search=${many}`, admin)
    assert.deepEqual([status, body.errors[0].code], [422, 'too_many_words'])
  })

  it('is narrowed to a role, and to a state', async () => {
    const gone = await school.person('registrar')
    assert.equal((await change(school, gone.id, { disabled: true }, admin)).status, 200)
    assert.deepEqual(await list(school, 'role=registrar', admin), [gone.email])
    assert.deepEqual(await list(school, 'role=registrar&state=active', admin), [])
    assert.deepEqual(await list(school, 'state=disabled', admin), [gone.email])
    assert.deepEqual(await list(school, 'role=nobody', admin), [])
    assert.equal((await school.get('/api/users?role=%00', admin)).status, 422)
    assert.equal((await school.get('/api/users?state=x', admin)).status, 422)
  })

  it('comes in pages with an exact total, past the end too, and its links keep the filters', async () => {
    const total = await school.count('users')
    const { body, headers } = await school.get('/api/users?per_page=2&page=2&state=active', admin)
    assert.equal(body.data.length, 2)
    assert.match(String(headers.link), /\/api\/users\?page=1&per_page=2&state=active>; rel="prev"/)
    const past = await school.get('/api/users?page=1000', admin)
    assert.deepEqual(past.body.data, [])
    assert.equal(past.body.pagination.total, total)
  })
})

describe('GET /api/users/{id}', () => {
  it('answers 304 while the account, its grants and its roles’ names are as they were', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const { id } = await school.person()
    const role = await school.post('/api/roles', { name: 'Tutor', permissions: ['students.view'] }, admin)
    const roleId = role.body.data.id
    const tags = new Set<string>()
    const isNew = async () => {
      const tag = tagOf(await read(school, id, admin))
      assert.ok(!tags.has(tag), 'the tag is a new one')
      tags.add(tag)
      const again = await school.send('GET', `/api/users/${id}`, {
        as: admin,
        headers: { 'if-none-match': tag },
      })
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', tag])
    }
    await isNew()
    await change(school, id, { name: 'Another Name' }, admin)
    await isNew()
    await school.send('PUT', `/api/users/${id}/roles`, {
      as: admin,
      body: { roles: [{ role_id: roleId, class_ids: [3, 5] }] },
      headers: { 'if-match': '*' },
    })
    await isNew()
    await school.send('PATCH', `/api/roles/${roleId}`, {
      as: admin,
      body: { name: 'Mentor' },
      headers: { 'if-match': '*' },
    })
    await isNew()
    assert.equal((await read(school, id, admin)).body.data.roles[0].role, 'Mentor')
  })

  it('is 404 for an account that is not there', async () => {
    const school = await openSchool()
    const { status, body } = await read(school, 999, await school.person('administrator'))
    assert.deepEqual([status, body.code], [404, 'user_not_found'])
  })
})

describe('POST /api/users', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool({ env: { PASSWORD_POLICY: 'strict' } })
    admin = await school.person('administrator')
  })

  it('makes an account without a role, whose first password opens one door: to change it', async () => {
    const answer = await school.post('/api/users', { ...created, email: ' Ben@School.example ' }, admin)
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.location, `/api/users/${answer.body.data.id}`)
    const { roles, email, password_change_required } = (await read(school, answer.body.data.id, admin)).body
      .data
    assert.deepEqual([roles, email, password_change_required], [[], created.email, true])
    await write(school.db, byTest, (db) =>
      insertGrant(db, answer.body.data.id, 'administrator', school.now().toISOString()),
    )
    const { token } = (await school.login(created.email, fresh)).body.data
    for (const url of ['/api/students', '/api/users', '/api/roles', '/api/permissions', '/api/users/1']) {
      const { status, body } = await school.get(url, token)
      assert.deepEqual([status, body.code], [403, 'password_change_required'], url)
    }
    const { status, body } = await school.post('/api/users', { ...created, email: 'x@y.example' }, token)
    assert.deepEqual([status, body.code], [403, 'password_change_required'])
  })

  it('refuses a taken address, and a password that the policy is against, and makes nothing', async () => {
    const before = await school.count('users')
    const taken = await school.post('/api/users', { ...created, email: admin.email.toUpperCase() }, admin)
    assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken'])
    for (const weak of ['short', 'passwordpassword', 'benokafor-benokafor']) {
      const { status, body } = await school.post(
        '/api/users',
        { ...created, email: 'benokafor@b.example', password: weak },
        admin,
      )
      assert.deepEqual([status, body.errors[0].pointer], [422, '/password'], weak)
    }
    for (const extra of [{ roles: [1] }, { disabled: false }, { id: 7 }])
      assert.equal((await school.post('/api/users', { ...created, ...extra }, admin)).status, 422)
    assert.equal(await school.count('users'), before)
  })

  it('keeps nothing that a first password could be guessed by, but its hash', async () => {
    const make = (password: string) =>
      school.send('POST', '/api/users', {
        as: admin,
        body: { name: 'Twice', email: 'twice@school.example', password },
        headers: { 'idempotency-key': 'twice' },
      })
    const [first, second] = [await make('the first password of all'), await make('another password at all')]
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(second.body.data.id, first.body.data.id)
    assert.equal((await school.login('twice@school.example', 'the first password of all')).status, 200)
  })

  it('makes one account of two requests with the same Idempotency-Key', async () => {
    const sending = {
      as: admin,
      body: { ...created, email: 'once@school.example' },
      headers: { 'idempotency-key': 'k1' },
    }
    const [one, two] = await Promise.all([
      school.send('POST', '/api/users', sending),
      school.send('POST', '/api/users', sending),
    ])
    assert.deepEqual([one.status, two.status], [201, 201])
    assert.equal(one.body.data.id, two.body.data.id)
    const other = { ...sending, body: { ...sending.body, name: 'Other' } }
    const reused = await school.send('POST', '/api/users', other)
    assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused'])
  })
})

describe('PATCH /api/users/{id}', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
  })

  it('changes what it names, counts the version up, and finds the account by its new address', async () => {
    const person = await school.person('viewer')
    const before = await read(school, person.id, admin)
    const patch = { name: 'Zoë', email: 'New@School.example' }
    const { status, body, headers } = await change(school, person.id, patch, admin, tagOf(before))
    assert.equal(status, 200)
    const expected = { ...before.body.data, name: 'Zoë', email: 'new@school.example' }
    assert.deepEqual(body.data, { ...expected, version: before.body.data.version + 1 })
    assert.equal(headers.etag, tagOf(await read(school, person.id, admin)))
    assert.deepEqual(await list(school, 'search=new@school', admin), ['new@school.example'])
    assert.deepEqual(await list(school, `search=${person.email}`, admin), [])
    assert.equal((await school.login('new@school.example')).status, 200)
    assert.equal((await school.login(person.email)).status, 401)
  })

  it('changes nothing, no version either, when it is empty or says what is so', async () => {
    const person = await school.person()
    const { body } = await read(school, person.id, admin)
    for (const patch of [{}, { name: body.data.name, email: person.email, disabled: false }])
      assert.deepEqual((await change(school, person.id, patch, admin)).body.data, body.data)
  })

  it('shows those who may not view accounts the id alone, and so do roles and a password', async () => {
    const manager = await personHolding(school, [['users.manage'], 'all'])
    const person = await school.person()
    const sending = { as: manager, headers: { 'if-match': '*' } }
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Bo' }],
      ['PUT', '/password', { password: 'quite another password' }],
      ['PUT', '/roles', { roles: [] }],
    ] as const) {
      const answer = await school.send(method, `/api/users/${person.id}${path}`, { ...sending, body })
      assert.deepEqual([answer.status, answer.body.data], [200, { id: person.id }], path)
      assert.equal(answer.headers.etag, tagOf(await read(school, person.id, admin)))
    }
  })

  it('needs the version that it was made for: 428 without, 412 when it is stale', async () => {
    const person = await school.person()
    const before = await read(school, person.id, admin)
    const bare = await school.send('PATCH', `/api/users/${person.id}`, { as: admin, body: { name: 'A' } })
    assert.deepEqual([bare.status, bare.body.code], [428, 'precondition_required'])
    assert.equal((await change(school, person.id, { name: 'B' }, admin, tagOf(before))).status, 200)
    const stale = await change(school, person.id, { name: 'C' }, admin, tagOf(before))
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
    assert.equal((await read(school, person.id, admin)).body.data.name, 'B')
    assert.equal((await change(school, 999, { name: 'C' }, admin)).status, 404)
  })

  it('refuses null, other types, unknown members and a taken address, and changes nothing', async () => {
    const person = await school.person()
    const { body } = await read(school, person.id, admin)
    for (const patch of [
      { name: null },
      { email: null },
      { disabled: null },
      { disabled: 1 },
      { name: '' },
      { email: 'nowhere' },
      { password: fresh },
      { name: 'Good', roles: [] },
    ])
      assert.equal((await change(school, person.id, patch, admin)).status, 422, JSON.stringify(patch))
    const taken = await change(school, person.id, { name: 'Good', email: admin.email }, admin)
    assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken'])
    assert.deepEqual((await read(school, person.id, admin)).body.data, body.data)
  })

  it('disables an account at once; enabled again it logs in anew, and its old token stays dead', async () => {
    const person = await school.person('viewer')
    assert.equal((await change(school, person.id, { disabled: true }, admin)).body.data.disabled, true)
    assert.equal((await school.get('/api/students', person)).status, 401)
    assert.equal((await school.login(person.email)).status, 401)
    assert.equal((await change(school, person.id, { disabled: false }, admin)).body.data.disabled, false)
    assert.equal((await school.get('/api/students', person)).status, 401)
    assert.equal((await school.login(person.email)).status, 200)
  })

  it('lets nobody set their own password without the current one', async () => {
    const { status, body } = await school.send('PUT', `/api/users/${admin.id}/password`, {
      as: admin,
      body: { password: 'a password of a thief' },
      headers: { 'if-match': '*' },
    })
    assert.deepEqual([status, body.code], [409, 'own_account'])
    assert.equal((await school.login(admin.email)).status, 200, 'the password is as it was')
  })

  it('lets nobody take their own account to another address without the current password', async () => {
    const own = await school.person('administrator')
    const email = 'moved@school.example'
    const before = await read(school, own.id, admin)
    const refusals: [body: object, fault: string][] = [
      [{ email }, 'required'],
      [{ email, name: 'Moved' }, 'required'],
      [{ email, current_password: 'guessed' }, 'wrong_password'],
    ]
    for (const [body, code] of refusals) {
      const answer = await change(school, own.id, body, own)
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(
        [answer.body.errors[0].pointer, answer.body.errors[0].code],
        ['/current_password', code],
      )
    }
    assert.deepEqual((await read(school, own.id, admin)).body, before.body)
    assert.equal((await change(school, own.id, { name: 'Renamed', email: own.email }, own)).status, 200)

    const moved = await change(school, own.id, { email, current_password: password }, own)
    assert.deepEqual([moved.status, moved.body.data.email], [200, email])
    assert.doesNotMatch(moved.text, /password"/)
    assert.equal((await school.login(email)).status, 200)
    assert.equal((await change(school, own.id, { email: own.email }, admin)).status, 200, 'by somebody else')
  })

  it('counts a wrong current password as a login does, and forgets it once it is right', async () => {
    const own = await school.person('administrator')
    const move = (current_password: string) =>
      change(school, own.id, { email: `x.${own.email}`, current_password }, own)
    for (let i = 0; i < 9; i++) assert.equal((await move('guessed')).status, 422)
    assert.equal(
      (await change(school, own.id, { email: own.email, current_password: password }, own)).status,
      200,
    )
    for (let i = 0; i < 11; i++) assert.equal((await move('guessed')).status, 422)
    for (const given of ['guessed', password]) {
      const { status, body, headers } = await move(given)
      assert.deepEqual([status, body.code], [429, 'too_many_attempts'])
      assert.ok(Number(headers['retry-after']) > 0)
    }
    assert.equal((await school.login(own.email)).status, 429)
  })

  it('lets nobody disable themselves', async () => {
    await school.person('administrator')
    const { status, body } = await change(school, admin.id, { disabled: true, name: 'Gone' }, admin)
    assert.deepEqual([status, body.code], [409, 'own_account'])
    const { disabled, name } = (await read(school, admin.id, admin)).body.data
    assert.deepEqual([disabled, name === 'Gone'], [false, false])
  })
})

describe('PUT /api/users/{id}/password and DELETE /api/users/{id}/sessions', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
  })

  it('sets a first password and ends every session', async () => {
    const person = await school.person('viewer')
    const { token } = (await school.login(person.email)).body.data
    const { body } = await read(school, person.id, admin)
    const answer = await setPassword(school, person.id, fresh, admin)
    const { password_change_required, version } = answer.body.data
    assert.deepEqual([password_change_required, version], [true, body.data.version + 1])
    for (const old of [person, token]) assert.equal((await school.get('/api/students', old)).status, 401)
    assert.equal((await school.login(person.email, password)).status, 401)
    const anew = (await school.login(person.email, fresh)).body.data.token
    const refused = await school.get('/api/students', anew)
    assert.deepEqual([refused.status, refused.body.code], [403, 'password_change_required'])
  })

  it('leaves password and sessions when the version is stale or the password is too short', async () => {
    const person = await school.person('viewer')
    const tag = tagOf(await read(school, person.id, admin))
    await change(school, person.id, { name: 'Meanwhile' }, admin)
    assert.equal((await setPassword(school, person.id, fresh, admin, tag)).status, 412)
    assert.equal((await setPassword(school, person.id, 'short', admin)).status, 422)
    assert.equal((await setPassword(school, 999, fresh, admin)).status, 404)
    assert.equal((await school.get('/api/students', person)).status, 200)
    assert.equal((await school.login(person.email)).status, 200)
  })

  it('ends the sessions and says how many, those that expired not counted', async () => {
    const person = await school.person('viewer')
    school.passSeconds(school.config.tokenTtlSeconds + 1)
    const [one, two] = [await school.login(person.email), await school.login(person.email)]
    const manager = await personHolding(school, [['users.manage', 'students.view', 'classes.view'], 'all'])
    const end = () => school.send('DELETE', `/api/users/${person.id}/sessions`, { as: manager })
    const { status, body } = await end()
    assert.deepEqual([status, body.data.ended_sessions], [200, 2])
    for (const { body } of [one, two])
      assert.equal((await school.get('/api/students', body.data.token)).status, 401)
    assert.equal((await end()).body.data.ended_sessions, 0)
    const other = await school.send('DELETE', '/api/users/999/sessions', { as: manager })
    assert.deepEqual([other.status, other.body.code], [404, 'user_not_found'])
    assert.equal((await school.get('/api/auth/me', manager)).status, 200)
  })

  it('does nothing for a caller who lost the permission while asking', async () => {
    const [person, manager] = [await school.person(), await personHolding(school, [['users.manage'], 'all'])]
    const roleOf = (await read(school, manager.id, await school.person('administrator'))).body.data.roles[0]
    const losing = write(school.db, byTest, (db) => deleteGrantRows(db, manager.id, roleOf.role_id))
    const changing = change(school, person.id, { name: 'Changed' }, manager)
    const [{ status }] = await Promise.all([changing, losing])
    assert.ok(status === 403 || status === 200)
    assert.equal((await change(school, person.id, { name: 'Again' }, manager)).status, 403)
  })
})
