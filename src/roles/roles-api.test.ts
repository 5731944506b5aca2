import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { permissions } from '../access/permissions.ts'
import { write } from '../events/write.ts'
import { deleteGrant, insertGrant } from './queries.ts'

const any = { 'if-match': '*' }

let school: School
let admin: Person
before(async () => {
  school = await openSchool()
  admin = await school.person('administrator')
})

const send = (method: string, url: string, body?: unknown, headers: Record<string, string> = any) =>
  school.send(method, url, { as: admin, headers, ...(body !== undefined && { body }) })
const make = async (name: string, held: readonly string[]): Promise<number> => {
  const { status, body } = await school.post('/api/roles', { name, permissions: held }, admin)
  assert.equal(status, 201)
  return body.data.id
}
const read = (id: number) => school.get(`/api/roles/${id}`, admin)
const setRoles = (id: number, roles: unknown) => send('PUT', `/api/users/${id}/roles`, { roles })
const rolesOf = async ({ id }: Person) => (await school.get(`/api/users/${id}`, admin)).body.data.roles
const outcome = ({ status, body }: Answer) => [status, body.code]

describe('GET /api/permissions', () => {
  it('lists every permission with a sentence, and which are for all classes only', async () => {
    const { body } = await school.get('/api/permissions', admin)
    assert.deepEqual(
      body.data.map(({ name }: { name: string }) => name),
      permissions,
    )
    for (const { name, description, all_classes_only } of body.data) {
      assert.match(description, /^[A-Z].{10,}/)
      assert.equal(all_classes_only, /^((users|roles|fields|school)\.|audit\.view$)/.test(name), name)
    }
  })
})

describe('GET /api/roles', () => {
  it('lists the built-in roles and one’s own, in pages', async () => {
    const id = await make('Librarian', ['students.view'])
    const { body } = await school.get('/api/roles?per_page=1000', admin)
    assert.deepEqual(
      body.data
        .slice(0, 3)
        .map(({ name, built_in }: { name: string; built_in: boolean }) => [name, built_in]),
      [
        ['administrator', true],
        ['registrar', true],
        ['viewer', true],
      ],
    )
    const librarian = { id, name: 'Librarian', built_in: false, permissions: ['students.view'], version: 1 }
    assert.deepEqual(
      body.data.find((role: { id: number }) => role.id === id),
      librarian,
    )
    const page = await school.get('/api/roles?per_page=2&page=2', admin)
    assert.equal(page.body.data[0].name, 'viewer')
    assert.match(String(page.headers.link), /rel="prev"/)
    const past = await school.get('/api/roles?page=9', admin)
    assert.deepEqual([past.body.data, past.body.pagination.total], [[], body.data.length])
  })
})

describe('an account that holds two roles, each for a class of its own', () => {
  /** Role A for class 3, role B for class 5. */
  async function twoRoles() {
    const [a, b] = [`A ${crypto.randomUUID()}`, `B ${crypto.randomUUID()}`]
    const [idOfA, idOfB] = [await make(a, ['students.view']), await make(b, ['students.create'])]
    const person = await school.person()
    const granted = await setRoles(person.id, [
      { role_id: idOfA, class_ids: [3] },
      { role_id: idOfB, class_ids: [5] },
    ])
    assert.equal(granted.status, 200)
    const now = school.now().toISOString()
    const grants = { a, b, idOfA, idOfB, person, now }
    return { ...grants, held: (ofA: number[], ofB: number[]) => assertHeld(grants, ofA, ofB) }
  }

  /** What is stored, what an answer shows, and what the account may do all say the same. */
  async function assertHeld(
    { idOfA, idOfB, person }: { idOfA: number; idOfB: number; person: Person },
    ofA: number[],
    ofB: number[],
  ): Promise<void> {
    const expected = [
      { role_id: idOfA, class_ids: ofA, permission: 'students.view' },
      { role_id: idOfB, class_ids: ofB, permission: 'students.create' },
    ].filter(({ class_ids }) => class_ids.length > 0)
    const roles = await rolesOf(person)
    assert.deepEqual(
      roles.map(({ role_id, class_ids }: { role_id: number; class_ids: number[] }) => [role_id, class_ids]),
      expected.map(({ role_id, class_ids }) => [role_id, class_ids]),
    )
    const { scopes } = (await school.get('/api/auth/me', person)).body.data
    const inOrder = (one: { permission: string }, other: { permission: string }) =>
      one.permission < other.permission ? -1 : 1
    assert.deepEqual(
      scopes.toSorted(inOrder),
      expected.map(({ permission, class_ids }) => ({ permission, class_ids })).toSorted(inOrder),
    )
  }

  it('keeps the classes of both when one is granted for one class more, by a command', async () => {
    const { person, b, held, now } = await twoRoles()
    await held([3], [5])
    assert.ok(await write(school.db, byTest, (db) => insertGrant(db, person.id, b, now, [7])))
    await held([3], [5, 7])
    assert.ok(!(await write(school.db, byTest, (db) => insertGrant(db, person.id, b, now, [5]))))
    assert.ok(await write(school.db, byTest, (db) => insertGrant(db, person.id, b, now, [3])))
    await held([3], [3, 5, 7])
  })

  it('keeps the one when the other is revoked, by a command', async () => {
    const { person, a, held, now } = await twoRoles()
    assert.ok(await write(school.db, byTest, (db) => deleteGrant(db, person.id, a, now)))
    await held([], [5])
  })

  it('keeps the one when the other is replaced', async () => {
    const { person, idOfA, idOfB, held } = await twoRoles()
    const wanted = (ofB: number[]) => [
      { role_id: idOfA, class_ids: [3] },
      { role_id: idOfB, class_ids: ofB },
    ]
    assert.equal((await setRoles(person.id, wanted([7]))).status, 200)
    await held([3], [7])
    assert.equal((await setRoles(person.id, wanted([2, 7]).slice(1))).status, 200)
    await held([], [2, 7])
  })

  it('leaves other roles free to hold what is for all classes only', async () => {
    const { idOfA } = await twoRoles()
    const free = await make(`Free ${crypto.randomUUID()}`, ['students.view'])
    const toPlatform = (id: number) => send('PATCH', `/api/roles/${id}`, { permissions: ['users.view'] })
    assert.equal((await toPlatform(free)).status, 200)
    assert.equal((await toPlatform(idOfA)).status, 422)
  })
})

describe('POST, PATCH and DELETE /api/roles', () => {
  it('make a role, change it for all who hold it, and delete it when nobody does', async () => {
    const id = await make('  Nurse ', ['students.view'])
    const person = await school.person()
    await setRoles(person.id, [{ role_id: id }])
    assert.equal((await school.get('/api/students', person)).status, 200)

    const before = await read(id)
    assert.equal(before.body.data.name, 'Nurse')
    const changed = await send(
      'PATCH',
      `/api/roles/${id}`,
      { permissions: ['classes.view', 'classes.view'] },
      { 'if-match': String(before.headers.etag) },
    )
    assert.deepEqual(changed.body.data, { ...before.body.data, permissions: ['classes.view'], version: 2 })
    assert.equal(changed.headers.etag, (await read(id)).headers.etag)
    assert.equal((await school.get('/api/students', person)).status, 403, 'from the next request on')

    assert.deepEqual(outcome(await send('DELETE', `/api/roles/${id}`)), [409, 'role_in_use'])
    assert.equal((await rolesOf(person)).length, 1)
    assert.deepEqual((await read(id)).body.data.permissions, ['classes.view'])
    await setRoles(person.id, [])
    const tag = { 'if-match': String(before.headers.etag) }
    assert.deepEqual(outcome(await send('DELETE', `/api/roles/${id}`, undefined, tag)), [
      412,
      'precondition_failed',
    ])
    assert.equal((await send('DELETE', `/api/roles/${id}`)).status, 200)
    for (const answer of [await read(id), await send('DELETE', `/api/roles/${id}`)])
      assert.deepEqual(outcome(answer), [404, 'role_not_found'])
  })

  it('change nothing by an empty patch, nor by one that says what is so', async () => {
    const id = await make('Idle', ['students.view', 'classes.view'])
    for (const patch of [{}, { name: 'Idle' }, { permissions: ['students.view', 'classes.view'] }])
      assert.equal((await send('PATCH', `/api/roles/${id}`, patch)).body.data.version, 1)
    const merge = { ...any, 'content-type': 'application/merge-patch+json' }
    assert.equal((await send('PATCH', `/api/roles/${id}`, { name: 'Busy' }, merge)).body.data.version, 2)
  })

  it('leave the built-in roles as they are', async () => {
    const { body } = await school.get('/api/roles?per_page=3', admin)
    for (const { id } of body.data) {
      for (const patch of [{ name: 'king' }, { permissions: [] }])
        assert.deepEqual(outcome(await send('PATCH', `/api/roles/${id}`, patch)), [409, 'role_built_in'])
      assert.deepEqual(outcome(await send('DELETE', `/api/roles/${id}`)), [409, 'role_built_in'])
    }
    assert.deepEqual((await school.get('/api/roles?per_page=3', admin)).body.data, body.data)
  })

  it('take a name once, ignoring case; a role may have its own in another case', async () => {
    const id = await make('Straße', ['classes.view'])
    const other = await make('Strand', [])
    for (const name of ['Straße', 'STRASSE', ' straße ', 'VIEWER']) {
      const again = await school.post('/api/roles', { name, permissions: [] }, admin)
      const renamed = await send('PATCH', `/api/roles/${other}`, { name, permissions: ['students.view'] })
      for (const answer of [again, renamed]) {
        assert.deepEqual(outcome(answer), [409, 'role_name_taken'], name)
        assert.deepEqual(answer.body.errors[0].pointer, '/name')
      }
    }
    assert.deepEqual((await read(other)).body.data.permissions, [])
    const changed = await send('PATCH', `/api/roles/${id}`, { name: 'STRASSE' })
    assert.deepEqual([changed.status, changed.body.data.name], [200, 'STRASSE'])
  })

  it('refuse a taken name, an unknown permission and a change without its version', async () => {
    const id = await make('Tutor', [])
    const again = await school.post('/api/roles', { name: ' Tutor', permissions: [] }, admin)
    assert.deepEqual(outcome(again), [409, 'role_name_taken'])
    assert.deepEqual(outcome(await send('PATCH', `/api/roles/${id}`, { name: 'viewer' })), [
      409,
      'role_name_taken',
    ])
    const held = ['students.view', 'students.burn']
    const unknown = await school.post('/api/roles', { name: 'New', permissions: held }, admin)
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/permissions/1'])
    for (const patch of [{ name: null }, { permissions: null }, { built_in: true }, { name: 'a\u202eb' }])
      assert.equal((await send('PATCH', `/api/roles/${id}`, patch)).status, 422)
    for (const method of ['PATCH', 'DELETE'])
      assert.equal((await send(method, `/api/roles/${id}`, {}, {})).status, 428)
    assert.equal((await read(id)).body.data.version, 1)
  })
})

describe('PUT /api/users/{id}/roles', () => {
  it('replaces what an account holds, from its next request on, and counts its version up', async () => {
    const person = await school.person('registrar')
    const before = (await school.get(`/api/users/${person.id}`, admin)).body.data
    const wanted = [{ role_id: 3, class_ids: [5, 3, 5] }]
    const { status, body } = await setRoles(person.id, wanted)
    assert.equal(status, 200)
    assert.deepEqual(body.data, {
      ...before,
      roles: [{ role_id: 3, role: 'viewer', class_ids: [3, 5] }],
      version: before.version + 1,
    })
    const create = { name: 'A', admission_number: 'x1', class_id: 3 }
    assert.equal((await school.post('/api/students', create, person)).status, 403)
    const [inside, outside] = [
      await school.student(admin, { class_id: 3 }),
      await school.student(admin, { class_id: 4 }),
    ]
    assert.equal((await school.get(`/api/students/${inside}`, person)).status, 200)
    assert.equal((await school.get(`/api/students/${outside}`, person)).status, 404)
    const again = await setRoles(person.id, [{ role_id: 3, class_ids: [3, 5] }])
    assert.equal(again.body.data.version, before.version + 1, 'what is so already is no change')
    await setRoles(person.id, [{ role_id: 3, class_ids: null }])
    assert.equal((await school.get(`/api/students/${outside}`, person)).status, 200)
    await setRoles(person.id, [])
    assert.equal((await school.get('/api/students', person)).status, 403)
  })

  it('names everything that is wrong, and grants nothing of it', async () => {
    const person = await school.person('viewer')
    const before = await rolesOf(person)
    const { status, body } = await setRoles(person.id, [
      { role_id: 2, class_ids: [1, 999, 2] },
      { role_id: 99 },
      { role_id: 1, class_ids: [1] },
      { role_id: 2 },
    ])
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/roles/0/class_ids/1', 'unknown_class'],
        ['/roles/1/role_id', 'unknown_role'],
        ['/roles/2/class_ids', 'needs_all_classes'],
        ['/roles/3/role_id', 'duplicate'],
      ],
    )
    for (const roles of [null, [{}], [{ role_id: 2, class_ids: [] }], [{ role_id: 2, classes: [1] }], ['2']])
      assert.equal((await setRoles(person.id, roles)).status, 422, JSON.stringify(roles))
    assert.deepEqual(await rolesOf(person), before)
    assert.deepEqual(outcome(await setRoles(999, [])), [404, 'user_not_found'])
    const bare = await send('PUT', `/api/users/${person.id}/roles`, { roles: [] }, {})
    assert.equal(bare.status, 428)
  })

  it('never lets a role of the platform be held for named classes, whichever comes first', async () => {
    const [id, person] = [await make('Narrow', ['students.view']), await school.person()]
    await setRoles(person.id, [{ role_id: id, class_ids: [1] }])
    const held = ['students.view', 'users.view']
    const { status, body } = await send('PATCH', `/api/roles/${id}`, { permissions: held })
    assert.deepEqual([status, body.errors[0].pointer], [422, '/permissions'])
    assert.equal((await school.get('/api/users', person)).status, 403)
    await setRoles(person.id, [{ role_id: id }])
    assert.equal((await send('PATCH', `/api/roles/${id}`, { permissions: held })).status, 200)
    assert.equal((await school.get('/api/users', person)).status, 200)
    const narrowed = await setRoles(person.id, [{ role_id: id, class_ids: [1] }])
    assert.deepEqual([narrowed.status, narrowed.body.errors[0].code], [422, 'needs_all_classes'])
  })

  it('keeps the last administrator', async () => {
    for (const roles of [[], [{ role_id: 2 }]])
      assert.deepEqual(outcome(await setRoles(admin.id, roles)), [409, 'last_administrator'])
    assert.equal((await rolesOf(admin))[0].role, 'administrator')
    const second = await school.person('administrator')
    assert.equal((await setRoles(second.id, [])).status, 200)
    assert.equal((await setRoles(admin.id, [{ role_id: 1 }, { role_id: 2 }])).status, 200)
  })
})
