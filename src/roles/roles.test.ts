import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { rolesOf } from '../../test/grants.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { builtInRoles, permissions } from '../access/permissions.ts'
import { keepAnAdministrator } from '../access/platform.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import { write } from '../events/write.ts'
import { updateDisabled } from '../users/queries.ts'
import { deleteGrant, hasAdministrator, insertGrant } from './queries.ts'
import { findRoles } from './role-records.ts'

/** What an administrator does, as the commands do it. */
const grant = (school: School, { id }: Person, role: string) =>
  write(school.db, byTest, (db) => insertGrant(db, id, role, school.now().toISOString()))
const revoke = (school: School, { id }: Person, role: string) =>
  write(school.db, byTest, (db) => deleteGrant(db, id, role, school.now().toISOString()))
const disable = (school: School, { id }: Person) =>
  write(school.db, byTest, async (db) => {
    await keepAnAdministrator(db, id)
    await deleteSessionsOf(db, id)
    await updateDisabled(db, id, true, school.now().toISOString())
  })
const enable = (school: School, { id }: Person) =>
  write(school.db, byTest, (db) => updateDisabled(db, id, false, school.now().toISOString()))

const list = async (school: School, as: Person | string) => (await school.get('/api/students', as)).status
const create = async (school: School, as: Person | string) =>
  (
    await school.post(
      '/api/students',
      { name: 'A', admission_number: `${crypto.randomUUID()}`, class_id: 1 },
      as,
    )
  ).status

describe('roles and permissions', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  it('of a fresh database are the built-in ones, as the code lists them', async () => {
    const roles = await findRoles(school.db)
    const expected = Object.entries(builtInRoles).map(([name, held]) => ({
      name,
      permissions: [...held].sort(),
    }))
    assert.deepEqual(
      roles.map(({ name, permissions }) => ({ name, permissions })),
      expected,
    )
    assert.ok(roles.every(({ built_in }) => built_in))
    assert.deepEqual([...builtInRoles.administrator], permissions, 'an administrator holds everything')
  })

  it('let nobody do anything until they are granted', async () => {
    const person = await school.person()
    assert.deepEqual([await list(school, person), await create(school, person)], [403, 403])
    assert.deepEqual(await rolesOf(school, person.id), [])
  })

  it('allow just what they say: to view is not to create', async () => {
    const viewer = await school.person('viewer')
    assert.deepEqual([await list(school, viewer), await create(school, viewer)], [200, 403])
    const registrar = await school.person('registrar')
    assert.deepEqual([await list(school, registrar), await create(school, registrar)], [200, 201])
  })

  it('hold from the next request on, with the token already held', async () => {
    const person = await school.person()
    assert.equal(await list(school, person), 403)
    assert.equal(await grant(school, person, 'viewer'), true)
    assert.deepEqual([await list(school, person), await create(school, person)], [200, 403])
    await grant(school, person, 'registrar')
    assert.equal(await create(school, person), 201)
    assert.equal(await revoke(school, person, 'registrar'), true)
    assert.deepEqual([await list(school, person), await create(school, person)], [200, 403])
    assert.equal(await revoke(school, person, 'viewer'), true)
    assert.equal(await list(school, person), 403)
    assert.equal((await school.get('/api/auth/me', person)).status, 200, 'the session lives on')
  })

  it('are granted once, and taken only where they are held', async () => {
    const person = await school.person('viewer')
    assert.equal(await grant(school, person, 'viewer'), false)
    assert.deepEqual(await rolesOf(school, person.id), ['viewer'])
    assert.equal(await revoke(school, person, 'registrar'), false)
    for (const role of ['no such role', 'VIEWER'])
      await assert.rejects(
        grant(school, person, role),
        /^Error: There is no role .+ administrator, registrar, viewer\.$/,
      )
    assert.deepEqual(await rolesOf(school, person.id), ['viewer'])
  })

  it('stop a page loop at the first request after the revocation', async () => {
    const viewer = await school.person('viewer')
    const statuses: number[] = []
    const ask = async () => statuses.push(await list(school, viewer))
    while (statuses.length < 20) await ask()
    let isRevoked = false
    const revoked = revoke(school, viewer, 'viewer').then(() => {
      isRevoked = true
    })
    while (!isRevoked) {
      await ask()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await revoked
    const before = statuses.length
    while (statuses.length < before + 20) await ask()
    assert.ok(statuses.slice(0, 20).every((status) => status === 200))
    assert.ok(
      statuses.slice(before).every((status) => status === 403),
      String(statuses),
    )
  })

  it('are gone for good with the session when the account is disabled, and come back with a new login', async () => {
    const viewer = await school.person('viewer')
    assert.equal(await list(school, viewer), 200)
    await disable(school, viewer)
    assert.equal(await list(school, viewer), 401)
    assert.equal((await school.login(viewer.email)).status, 401)
    await enable(school, viewer)
    assert.equal(await list(school, viewer), 401, 'the old token stays dead')
    const { token } = (await school.login(viewer.email)).body.data
    assert.equal(await list(school, token), 200)
  })

  it('do not hold for a disabled account, even while a session is left', async () => {
    const viewer = await school.person('viewer')
    await write(school.db, byTest, (db) => updateDisabled(db, viewer.id, true, school.now().toISOString()))
    assert.equal(await list(school, viewer), 401)
    assert.equal((await school.get('/api/auth/me', viewer)).status, 401)
    assert.equal((await school.post('/api/auth/logout', undefined, viewer)).status, 401)
  })

  it('end with every session of an account, as a new password ends them', async () => {
    const [viewer, other] = [await school.person('viewer'), await school.person('viewer')]
    const { token } = (await school.login(viewer.email)).body.data
    await write(school.db, byTest, (db) => deleteSessionsOf(db, viewer.id))
    assert.deepEqual(
      [await list(school, viewer), await list(school, token), await list(school, other)],
      [401, 401, 200],
    )
  })
})

describe('the last administrator', () => {
  const last = { code: 'last_administrator' }
  it('cannot lose the role', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    await assert.rejects(revoke(school, admin, 'administrator'), last)
    assert.deepEqual(await rolesOf(school, admin.id), ['administrator'])
    assert.equal(await list(school, admin), 200)
  })

  it('cannot be disabled', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    await assert.rejects(disable(school, admin), last)
    assert.equal(await list(school, admin), 200, 'the session lives, since nothing of the work was done')
    assert.equal((await school.login(admin.email)).status, 200)
  })

  it('is who is left when the others are disabled', async () => {
    const school = await openSchool()
    const [one, two] = [await school.person('administrator'), await school.person('administrator')]
    await disable(school, two)
    await assert.rejects(revoke(school, one, 'administrator'), last)
    await assert.rejects(disable(school, one), last)
    assert.equal(await revoke(school, two, 'administrator'), true, 'who is disabled may lose the role')
    await enable(school, two)
    await grant(school, two, 'administrator')
    assert.equal(await revoke(school, one, 'administrator'), true)
    assert.deepEqual(await rolesOf(school, one.id), [])
  })

  it('may lose other roles, and others may lose theirs', async () => {
    const school = await openSchool()
    const [admin, viewer] = [await school.person('administrator'), await school.person('viewer')]
    await grant(school, admin, 'viewer')
    assert.equal(await revoke(school, admin, 'viewer'), true)
    assert.equal(await revoke(school, viewer, 'viewer'), true)
    await disable(school, viewer)
    assert.deepEqual(await rolesOf(school, admin.id), ['administrator'])
  })

  it('is kept when two take the role from each other at once, or disable each other', async () => {
    const school = await openSchool()
    let left: Person | undefined
    for (const remove of [(school: School, who: Person) => revoke(school, who, 'administrator'), disable]) {
      for (let round = 0; round < 5; round++) {
        const admins = [await school.person('administrator'), await school.person('administrator')]
        if (left) await revoke(school, left, 'administrator')
        const outcomes = await Promise.allSettled(admins.map((admin) => remove(school, admin)))
        assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
        const statuses = await Promise.all(admins.map((admin) => list(school, admin)))
        assert.equal(statuses.filter((status) => status === 200).length, 1)
        left = admins[statuses.indexOf(200)]!
      }
    }
  })

  it('is remembered: a platform that has had one never gives the role away again', async () => {
    const school = await openSchool()
    assert.equal(await hasAdministrator(school.db), false)
    await school.person('administrator')
    assert.equal(await hasAdministrator(school.db), true)
    const { body } = await school.post('/api/auth/register', {
      name: 'B',
      email: 'b@school.example',
      password: 'a long enough password',
    })
    assert.deepEqual(await rolesOf(school, body.data.user_id), [])
  })
})
