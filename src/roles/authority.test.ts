import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Holding, personHolding } from '../../test/grants.ts'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'
import { type Permission, permissions } from '../access/permissions.ts'

const fresh = 'a first password of all'
const any = { 'if-match': '*' }

let school: School
let admin: Person
before(async () => {
  school = await openSchool()
  admin = await school.person('administrator')
  await school.person('administrator') // so that no refusal is for the sake of the last one
})

/** What can be done to an account, but renaming it. */
const acts: Record<string, (to: Person, as: Person) => Promise<Answer>> = {
  'set its password': ({ id }, as) =>
    school.send('PUT', `/api/users/${id}/password`, { as, body: { password: fresh }, headers: any }),
  'change its address': ({ id }, as) =>
    school.send('PATCH', `/api/users/${id}`, { as, body: { email: `moved${id}@x.example` }, headers: any }),
  'disable it': ({ id }, as) =>
    school.send('PATCH', `/api/users/${id}`, { as, body: { disabled: true }, headers: any }),
  'end its sessions': ({ id }, as) => school.send('DELETE', `/api/users/${id}/sessions`, { as }),
  'take its roles away': ({ id }, as) =>
    school.send('PUT', `/api/users/${id}/roles`, { as, body: { roles: [] }, headers: any }),
}
const rename = ({ id }: Person, as: Person) =>
  school.send('PATCH', `/api/users/${id}`, { as, body: { name: 'Renamed' }, headers: any })

/** All that is kept of an account, its password too, and that its session is good. */
async function stateOf({ id, token }: Person) {
  const { body } = await school.get(`/api/users/${id}`, admin)
  const me = await school.get('/api/auth/me', token)
  const passwords = school.db.selectFrom('users').select('password_hash').where('id', '=', id)
  return JSON.stringify([body.data, me.body.data, await passwords.execute()])
}

const refused = ({ status, body }: Answer) =>
  assert.deepEqual([status, body.code], [403, 'exceeds_own_permissions'])

/** What one holds, what another holds, and whether the first may govern the second. */
const rows: [what: string, caller: Holding[], target: Holding[], may: boolean][] = [
  ['an account that holds nothing', [[['users.manage'], 'all']], [], true],
  ['one that holds the same', [[['users.manage'], 'all']], [[['users.manage'], 'all']], true],
  [
    'one that holds less',
    [[['users.manage', 'students.view', 'classes.view'], 'all']],
    [[['students.view'], 'all']],
    true,
  ],
  [
    'one that holds it for fewer classes',
    [
      [['users.manage'], 'all'],
      [['students.view'], [1, 2, 3]],
    ],
    [[['students.view'], [1, 3]]],
    true,
  ],
  [
    'one whose grants are covered only by several together',
    [
      [['users.manage'], 'all'],
      [['students.view'], [1]],
      [['students.view'], [2]],
    ],
    [[['students.view'], [1, 2]]],
    true,
  ],
  ['one that holds one permission more', [[['users.manage'], 'all']], [[['students.view'], 'all']], false],
  [
    'one that holds another permission of the platform',
    [[['users.manage', 'users.view'], 'all']],
    [[['roles.manage'], 'all']],
    false,
  ],
  [
    'one that holds it for a class more',
    [
      [['users.manage'], 'all'],
      [['students.view'], [1, 2]],
    ],
    [[['students.view'], [1, 3]]],
    false,
  ],
  [
    'one that holds it for all classes',
    [
      [['users.manage'], 'all'],
      [['students.view'], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ],
    [[['students.view'], 'all']],
    false,
  ],
]

describe('who manages accounts', () => {
  for (const [what, callerHolds, targetHolds, may] of rows) {
    it(`${may ? 'may' : 'may rename, but not'} govern ${what}`, async () => {
      const caller = await personHolding(school, ...callerHolds)
      for (const [act, perform] of Object.entries(acts)) {
        const target = await personHolding(school, ...targetHolds)
        const before = may ? undefined : await stateOf(target)
        const answer = await perform(target, caller)
        if (may) assert.equal(answer.status, 200, `${act}: ${answer.text}`)
        else {
          refused(answer)
          assert.equal(await stateOf(target), before, `${act}: nothing was written`)
        }
        assert.equal((await rename(target, caller)).status, 200, 'whoever manages accounts may rename')
      }
    })
  }

  it('may not enable again who holds more', async () => {
    const [caller, target] = [
      await personHolding(school, [['users.manage'], 'all']),
      await school.person('viewer'),
    ]
    const enable = (as: Person) =>
      school.send('PATCH', `/api/users/${target.id}`, { as, body: { disabled: false }, headers: any })
    await acts['disable it']!(target, admin)
    refused(await enable(caller))
    assert.equal((await school.login(target.email)).status, 401)
    assert.equal((await enable(admin)).status, 200)
  })

  it('is refused a renaming that also moves the address, and nothing of it is done', async () => {
    const [caller, target] = [
      await personHolding(school, [['users.manage'], 'all']),
      await school.person('viewer'),
    ]
    const body = { name: 'Renamed', email: 'moved@school.example' }
    refused(await school.send('PATCH', `/api/users/${target.id}`, { as: caller, body, headers: any }))
    const { name, email } = (await school.get(`/api/users/${target.id}`, admin)).body.data
    assert.deepEqual([name === 'Renamed', email], [false, target.email])
  })
})

describe('who grants roles', () => {
  const set = (to: Person, roles: unknown, as: Person) =>
    school.send('PUT', `/api/users/${to.id}/roles`, { as, body: { roles }, headers: any })
  const makeRole = async (held: readonly Permission[]): Promise<number> => {
    const role = { name: crypto.randomUUID(), permissions: held }
    return (await school.post('/api/roles', role, admin)).body.data.id
  }

  for (const [what, held, classes, wanted, may] of [
    ['what they hold for all, for all', ['students.view'], 'all', undefined, true],
    ['what they hold for all, for one class', ['students.view'], 'all', [3], true],
    ['what they hold for some, for one of them', ['students.view'], [3, 4], [3], true],
    ['what they hold for some, for another', ['students.view'], [3, 4], [5], false],
    ['what they hold for some, for one more', ['students.view'], [3, 4], [3, 5], false],
    ['what they hold for some, for all', ['students.view'], [3, 4], null, false],
    ['what they do not hold', ['students.create'], 'all', [3], false],
  ] as const) {
    it(`${may ? 'may' : 'may not'} grant ${what}`, async () => {
      const caller = await personHolding(school, [['users.manage'], 'all'], [held, classes])
      const target = await school.person()
      const role = await makeRole(['students.view'])
      const answer = await set(target, [{ role_id: role, class_ids: wanted }], caller)
      const { roles } = (await school.get(`/api/users/${target.id}`, admin)).body.data
      if (may) assert.deepEqual(roles[0].class_ids, wanted ?? null)
      else {
        refused(answer)
        assert.deepEqual(roles, [], 'nothing was granted')
      }
    })
  }

  it('may give themselves nothing that they do not hold, and may lay down what they hold', async () => {
    const caller = await personHolding(school, [['users.manage', 'users.view'], 'all'])
    refused(await set(caller, [{ role_id: 1 }], caller))
    refused(await set(caller, [{ role_id: await makeRole(['users.manage', 'roles.manage']) }], caller))
    const less = await makeRole(['users.view'])
    assert.equal((await set(caller, [{ role_id: less }], caller)).status, 200)
    assert.equal((await set(caller, [], caller)).status, 403)
  })

  it('may grant just what a role of each one permission allows, and no other', async () => {
    const roles: [wanted: Permission, id: number][] = []
    for (const wanted of permissions) roles.push([wanted, await makeRole([wanted])])
    for (const held of permissions) {
      const caller = await personHolding(school, [[...new Set(['users.manage', held] as const)], 'all'])
      const target = await school.person()
      for (const [wanted, role_id] of roles) {
        const { status } = await set(target, [{ role_id }], caller)
        const may = wanted === held || wanted === 'users.manage'
        assert.equal(status, may ? 200 : 403, `${held}: ${wanted}`)
        if (may) await set(target, [], admin)
      }
    }
  })
})

describe('who manages roles', () => {
  const make = (held: readonly Permission[], as: Person) =>
    school.post('/api/roles', { name: crypto.randomUUID(), permissions: held }, as)
  const patch = (id: number, body: object, as: Person) =>
    school.send('PATCH', `/api/roles/${id}`, { as, body, headers: any })
  const remove = (id: number, as: Person) => school.send('DELETE', `/api/roles/${id}`, { as, headers: any })
  let caller: Person
  before(async () => {
    caller = await personHolding(
      school,
      [['roles.manage', 'students.view'], 'all'],
      [['students.create'], [1, 2]],
    )
  })

  it('makes roles of what they hold for all classes, and of nothing else', async () => {
    assert.equal((await make(['roles.manage', 'students.view'], caller)).status, 201)
    assert.equal((await make([], caller)).status, 201)
    const before = (await school.get('/api/roles', admin)).body.pagination.total
    for (const held of ['students.create', 'users.manage', 'students.update'] as const)
      refused(await make(['students.view', held], caller))
    assert.equal((await school.get('/api/roles', admin)).body.pagination.total, before)
  })

  it('changes roles that allow no more than they may, before and after', async () => {
    const own = (await make(['students.view'], caller)).body.data.id
    const others = (await make(['students.view', 'students.create'], admin)).body.data.id
    refused(await patch(own, { permissions: ['students.view', 'students.create'] }, caller))
    for (const body of [{ permissions: ['students.view'] }, { permissions: [] }, { name: 'Mine' }])
      refused(await patch(others, body, caller))
    refused(await remove(others, caller))
    const { permissions: held, version } = (await school.get(`/api/roles/${others}`, admin)).body.data
    assert.deepEqual([held, version], [['students.create', 'students.view'], 1])
    assert.deepEqual((await school.get(`/api/roles/${own}`, admin)).body.data.permissions, ['students.view'])
    assert.equal((await patch(own, { permissions: [] }, caller)).status, 200)
    assert.equal((await remove(own, caller)).status, 200)
  })

  it('gets no more by changing the role that they hold themselves', async () => {
    const role = (await make(['roles.manage'], admin)).body.data.id
    const person = await school.person()
    await school.send('PUT', `/api/users/${person.id}/roles`, {
      as: admin,
      body: { roles: [{ role_id: role }] },
      headers: any,
    })
    refused(await patch(role, { permissions: ['roles.manage', 'users.manage'] }, person))
    assert.equal((await school.get('/api/users', person)).status, 403)
  })
})

describe('who grants for some classes alone', () => {
  it('does not learn which other classes are there', async () => {
    const caller = await personHolding(
      school,
      [['users.manage'], 'all'],
      [['students.view', 'classes.view'], [1]],
    )
    const target = await school.person()
    const viewer = (await school.get('/api/roles', admin)).body.data.find(
      ({ name }: { name: string }) => name === 'viewer',
    )
    const set = (classes: number[], as: Person) =>
      school.send('PUT', `/api/users/${target.id}/roles`, {
        as,
        body: { roles: [{ role_id: viewer.id, class_ids: classes }] },
        headers: any,
      })
    for (const classes of [[2], [999], [1, 999], [999, 2]]) refused(await set(classes, caller))
    assert.equal((await set([999], admin)).status, 422)
    assert.equal((await set([1], caller)).status, 200)
  })

  it('does not learn it by a role that allows nothing, or nothing of classes', async () => {
    const manager = await personHolding(school, [['users.manage'], 'all'])
    const teacher = await personHolding(school, [['users.manage'], 'all'], [['students.view'], [1, 2]])
    const makeRole = async (held: readonly Permission[]): Promise<number> => {
      const role = { name: crypto.randomUUID(), permissions: held }
      return (await school.post('/api/roles', role, admin)).body.data.id
    }
    const [empty, platform] = [await makeRole([]), await makeRole(['users.manage'])]
    const target = await school.person()
    const set = (as: Person, ...roles: { role_id: number; class_ids: number[] }[]) =>
      school.send('PUT', `/api/users/${target.id}/roles`, { as, body: { roles }, headers: any })
    for (const class_ids of [[3], [999], [1, 3], [1, 999]]) {
      for (const role_id of [empty, platform])
        for (const caller of [manager, teacher]) refused(await set(caller, { role_id, class_ids }))
      const { status, body } = await set(manager, { role_id: 999, class_ids })
      assert.deepEqual(
        [status, body.errors.length],
        [422, 1],
        'there is no such role, which is all that is told',
      )
    }
    assert.equal((await set(teacher, { role_id: empty, class_ids: [1, 2] })).status, 200)
    assert.equal((await set(admin, { role_id: empty, class_ids: [3] })).status, 200)
    const other = { role_id: await makeRole([]), class_ids: [1] }
    const kept = await set(teacher, { role_id: empty, class_ids: [3] }, other)
    assert.equal(kept.status, 200, 'what the account holds stays as it is')
    const { body } = await school.get(`/api/users/${target.id}`, admin)
    assert.equal(body.data.roles.length, 2)
  })
})
