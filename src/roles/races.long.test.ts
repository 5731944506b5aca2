import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { updatePassword } from '../users/queries.ts'

const any = { 'if-match': '*' }
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()
const setRoles = (school: School, { id }: Person, roles: unknown, as: Person) =>
  school.send('PUT', `/api/users/${id}/roles`, { as, body: { roles }, headers: any })
const disable = (school: School, { id }: Person, as: Person) =>
  school.send('PATCH', `/api/users/${id}`, { as, body: { disabled: true }, headers: any })
const demote = (school: School, who: Person, as: Person) => setRoles(school, who, [], as)

describe('administrators at once', () => {
  for (const [what, remove] of [
    ['disable', disable],
    ['demote', demote],
  ] as const) {
    it(`who ${what} each other: one does, the other is refused`, async () => {
      const school = await openSchool()
      let [one, two] = [await school.person('administrator'), await school.person('administrator')]
      for (let round = 0; round < 20; round++) {
        const answers = await Promise.all([remove(school, two, one), remove(school, one, two)])
        assert.equal(statuses(answers)[0], 200, answers.map(({ text }) => text).join())
        assert.ok([401, 403, 409].includes(statuses(answers)[1]!))
        const left = (await school.get('/api/users?role=administrator&state=active', one)).status
        if (left !== 200) [one, two] = [two, one]
        const { body } = await school.get('/api/users?role=administrator&state=active', one)
        assert.deepEqual(
          body.data.map(({ id }: { id: number }) => id),
          [one.id],
        )
        two = await school.person('administrator')
      }
    })

    it(`who ${what} each other in a ring: one is left at least, and no one who was removed removed another`, async () => {
      const school = await openSchool()
      const witness = await school.person('administrator')
      for (let round = 0; round < 5; round++) {
        const ring: Person[] = []
        for (let i = 0; i < 8; i++) ring.push(await school.person('administrator'))
        const answers = await Promise.all(
          ring.map((one, i) => remove(school, ring[(i + 1) % ring.length]!, one)),
        )
        const { body } = await school.get('/api/users?role=administrator&state=active&per_page=1000', witness)
        const left = body.data.map(({ id }: { id: number }) => id)
        const removed = ring.filter(({ id }) => !left.includes(id))
        assert.equal(removed.length, answers.filter(({ status }) => status === 200).length)
        assert.ok(removed.length < ring.length)
        for (const [i, { status }] of answers.entries())
          assert.equal(status === 200, !left.includes(ring[(i + 1) % ring.length]!.id))
      }
    })
  }
})

describe('roles and grants at once', () => {
  it('a role that gets permissions of the platform while it is granted for a class: one of both', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    for (let round = 0; round < 16; round++) {
      const person = await school.person()
      const role = { name: `r${round}`, permissions: ['students.view'] }
      const { id } = (await school.post('/api/roles', role, admin)).body.data
      const [edited, granted] = await Promise.all([
        school.send('PATCH', `/api/roles/${id}`, {
          as: admin,
          body: { permissions: ['users.view'] },
          headers: any,
        }),
        setRoles(school, person, [{ role_id: id, class_ids: [1] }], admin),
      ])
      assert.deepEqual(statuses([edited, granted]), [200, 422])
      assert.equal((await school.get('/api/users', person)).status, 403)
    }
  })

  it('a role that is deleted while it is granted: one of both', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const person = await school.person()
    for (let round = 0; round < 16; round++) {
      const role = { name: `r${round}`, permissions: ['students.view'] }
      const { id } = (await school.post('/api/roles', role, admin)).body.data
      const [deleted, granted] = await Promise.all([
        school.send('DELETE', `/api/roles/${id}`, { as: admin, headers: any }),
        setRoles(school, person, [{ role_id: id }], admin),
      ])
      const { roles } = (await school.get(`/api/users/${person.id}`, admin)).body.data
      const isThere = (await school.get(`/api/roles/${id}`, admin)).status === 200
      assert.deepEqual([deleted.status, granted.status], isThere ? [409, 200] : [200, 422])
      assert.equal(roles.length, isThere ? 1 : 0)
      await setRoles(school, person, [], admin)
    }
  })

  it('one of sixteen roles of one name is made, in whatever case it is written', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    for (let round = 0; round < 10; round++) {
      const names = Array.from({ length: 16 }, (_, i) => (i % 2 ? `TUTOR ${round}` : ` tutor ${round}`))
      const answers = await Promise.all(
        names.map((name) => school.post('/api/roles', { name, permissions: [] }, admin)),
      )
      assert.deepEqual(statuses(answers), [201, ...Array.from({ length: 15 }, () => 409)])
      assert.equal((await school.get('/api/roles', admin)).body.pagination.total, 4 + round)
    }
  })

  it('of sixteen who change one version of an account or of a role, one does', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const role = await school.post('/api/roles', { name: 'r', permissions: [] }, admin)
    for (const url of [`/api/users/${(await school.person()).id}`, `/api/roles/${role.body.data.id}`]) {
      const { headers } = await school.get(url, admin)
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          school.send('PATCH', url, {
            as: admin,
            body: { name: `name ${i}` },
            headers: { 'if-match': String(headers.etag) },
          }),
        ),
      )
      assert.deepEqual(statuses(answers), [200, ...Array.from({ length: 15 }, () => 412)])
      const winner = answers.findIndex(({ status }) => status === 200)
      assert.equal((await school.get(url, admin)).body.data.name, `name ${winner}`)
    }
  })

  it('of sixteen accounts or roles of one name, one is made', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const bodies = {
      '/api/roles': { name: 'Same', permissions: [] },
      '/api/users': { name: 'Same', email: 'same@school.example', password: 'a first password of all' },
    }
    for (const [url, body] of Object.entries(bodies)) {
      const answers = await Promise.all(Array.from({ length: 16 }, () => school.post(url, body, admin)))
      assert.deepEqual(statuses(answers), [201, ...Array.from({ length: 15 }, () => 409)])
    }
  })

  it('a login that is under way while the account is disabled leaves no session behind', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const person = await school.person()
    for (let round = 0; round < 10; round++) {
      const [login, disabled] = await Promise.all([
        school.login(person.email),
        disable(school, person, admin),
      ])
      assert.equal(disabled.status, 200)
      const enabled = await school.send('PATCH', `/api/users/${person.id}`, {
        as: admin,
        body: { disabled: false },
        headers: any,
      })
      assert.equal(enabled.status, 200)
      if (login.status === 200)
        assert.equal((await school.get('/api/auth/me', login.body.data.token)).status, 401)
      assert.equal((await school.login(person.email)).status, 200)
    }
  })

  it('a version is looked at when the change can be made, not before another that is under way', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const { id } = await school.person()
    const read = await school.get(`/api/users/${id}`, admin)
    const [changed, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const now = school.now().toISOString()
    // As its owner's own change of the password, which does not wait for administrators.
    const own = write(school.db, byTest, async (db) => {
      await updatePassword(db, id, { hash: 'the new one', mustChange: false }, now)
      changed.resolve()
      await ended.promise
    })
    await changed.promise
    const late = school.send('PATCH', `/api/users/${id}`, {
      as: admin,
      body: { name: 'Of before' },
      headers: { 'if-match': String(read.headers.etag) },
    })
    await pause(500)
    ended.resolve()
    await own
    assert.equal((await late).status, 412)
  })
})
