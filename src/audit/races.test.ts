import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { engine, onlyOn } from '../../test/engine.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import { byTest, openSchool } from '../../test/school.ts'
import { lockPlatform } from '../access/platform.ts'
import { write } from '../events/write.ts'

/** A school, and the instances that serve it: three on PostgreSQL. */
async function openInstances() {
  const school = await openSchool()
  const { databaseUrl } = school
  const others =
    engine === 'postgres'
      ? [await openSchool({ databaseUrl }), await openSchool({ databaseUrl })]
      : [school, school]
  const admin = await school.person('administrator')
  return { school, instances: [school, others[0]!, others[1]!] as const, admin }
}

const rounds = 10
const headers = { 'if-match': '*' }

describe('an undo beside another write of the same record', () => {
  let opened: Awaited<ReturnType<typeof openInstances>>
  before(async () => {
    opened = await openInstances()
  })

  it('never takes back an edit that came meanwhile', async () => {
    const { school, instances, admin } = opened
    for (let round = 0; round < rounds; round++) {
      const path = `/api/students/${await school.student(admin, { name: 'Right' })}`
      const patch = (on: typeof school, body: object) => on.send('PATCH', path, { as: admin, body, headers })
      await patch(school, { name: 'Wrong', preferred_name: 'Wrong' })
      const wrong = (await school.get(`${path}/history`, admin)).body.data[0].change_set_id
      const [undone, edited] = await Promise.all([
        instances[1].post(`/api/change-sets/${wrong}/undo`, undefined, admin),
        patch(instances[2], { name: 'Later' }),
      ])
      assert.deepEqual([undone.status, edited.status], [200, 200], undone.text)
      const { data } = (await school.get(path, admin)).body
      assert.deepEqual([data.name, data.preferred_name], ['Later', null])
    }
  })

  it('happens once of three that are asked for at once', async () => {
    const { school, instances, admin } = opened
    for (let round = 0; round < rounds; round++) {
      const path = `/api/students/${await school.student(admin, { name: 'Right' })}`
      await school.send('PATCH', path, { as: admin, body: { name: 'Wrong' }, headers })
      const wrong = (await school.get(`${path}/history`, admin)).body.data[0].change_set_id
      const answers = await Promise.all(
        instances.map((one) => one.post(`/api/change-sets/${wrong}/undo`, undefined, admin)),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
      assert.equal((await school.get(path, admin)).body.data.name, 'Right')
      assert.equal((await school.get(`${path}/history`, admin)).body.data.length, 3)
    }
  })

  it('keeps what somebody else takes at that moment: a number, an identifier, a label', async () => {
    const { school, instances, admin } = opened
    const undo = (on: typeof school, id: number) => on.post(`/api/change-sets/${id}/undo`, undefined, admin)
    const lastOf = async (query: string): Promise<number> =>
      (await school.get(`/api/audit?per_page=1&${query}`, admin)).body.data[0].change_set_id
    for (let round = 0; round < rounds; round++) {
      const identifiers = [{ system: 'state', value: `${round}` }]
      const [one, other] = [`A-${round}`, `B-${round}`]
      const student = { name: 'Zoë', admission_number: one, class_id: 1, identifiers }
      assert.equal((await school.post('/api/students', student, admin)).status, 201)
      const label = `Class of ${round}`
      const made = (await school.post('/api/classes', { label }, admin)).body.data.id
      await school.send('DELETE', `/api/classes/${made}`, { as: admin, headers })
      const removedClass = await lastOf('record=class')
      const gone = (await undo(school, await lastOf('record=student'))).body.data.change_set_id
      const same = { name: 'Zoë', class_id: 1 }
      const taken =
        round % 2 === 0
          ? { ...same, admission_number: one }
          : { ...same, admission_number: other, identifiers }
      const [back, created, classBack, classMade] = await Promise.all([
        undo(instances[1], gone),
        instances[2].post('/api/students', taken, admin),
        undo(instances[2], removedClass),
        instances[1].post('/api/classes', { label }, admin),
      ])
      const codes = [back, classBack, created, classMade].map(({ status }) => status)
      for (const [i, answer] of [back, classBack].entries()) {
        assert.equal(answer.status, 200, answer.text)
        const isBack = answer.body.data.change_set_id !== null
        assert.equal(codes[i + 2], isBack ? 409 : 201, 'one of the two has it')
      }
    }
  })

  it('keeps a class for which a role is granted at that moment', onlyOn('postgres'), async () => {
    const { school, instances, admin } = opened
    const { id } = (await school.post('/api/classes', { label: 'New' }, admin)).body.data
    const made = (await school.get('/api/audit?per_page=1&record=class', admin)).body.data[0].change_set_id
    const { user_id, role_id } = await school.db
      .selectFrom('user_roles')
      .selectAll()
      .executeTakeFirstOrThrow()
    const undone = await write(school.db, byTest, async (tx) => {
      await lockPlatform(tx)
      let hasEnded = false
      const answer = instances[1]
        .post(`/api/change-sets/${made}/undo`, undefined, admin)
        .finally(() => (hasEnded = true))
      while (!hasEnded && (await lockWaits(school.db)) === 0) await turn()
      await tx.insertInto('user_role_classes').values({ user_id, role_id, class_id: id }).execute()
      return { answer }
    })
    const { status, body } = await undone.answer
    assert.deepEqual([status, body.data.kept[0]?.fields], [200, ['students']])
    assert.equal((await school.get(`/api/classes/${id}`, admin)).status, 200)
  })
})
