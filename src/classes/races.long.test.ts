import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endings, personHolding } from '../../test/grants.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { lockPlatform } from '../access/platform.ts'
import { write } from '../events/write.ts'

const many = <Result>(count: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const change = (school: School, method: string, id: number, as: Person, body?: object, ifMatch = '*') =>
  school.send(method, `/api/classes/${id}`, { as, body, headers: { 'if-match': ifMatch } })

async function newClass(school: School, as: Person, label: string): Promise<number> {
  const answer = await school.post('/api/classes', { label }, as)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data.id
}

const newStudent = (school: School, as: Person, class_id: number) =>
  school.post('/api/students', { name: 'Racer', admission_number: crypto.randomUUID(), class_id }, as)

describe('of what many do with classes at once', () => {
  it('one of sixteen creations of a label succeeds, the others are told it is taken', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    for (let round = 0; round < 10; round++) {
      const answers = await many(16, (i) =>
        school.post('/api/classes', { label: i % 2 ? `RACE ${round}` : ` race ${round}` }, registrar),
      )
      assert.deepEqual(tally(answers), { 201: 1, 409: 15 })
      assert.equal(await school.count('classes'), 13 + round)
    }
  })

  it('one of sixteen who read the same version changes it, and the version counts each change once', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    for (let round = 1; round <= 10; round++) {
      const tag = String((await school.get('/api/classes/1', registrar)).headers.etag)
      const answers = await many(16, (i) =>
        change(school, 'PATCH', 1, registrar, { label: `Label ${round} ${i}` }, tag),
      )
      assert.deepEqual(tally(answers), { 200: 1, 412: 15 })
      const winner = answers.findIndex(({ status }) => status === 200)
      const { body } = await school.get('/api/classes/1', registrar)
      assert.deepEqual([body.data.label, body.data.version], [`Label ${round} ${winner}`, round + 1])
    }
    const answers = await many(16, (i) => change(school, 'PATCH', 1, registrar, { position: 100 + i }))
    assert.deepEqual(tally(answers), { 200: 16 }, 'for any version, all are made, one after the other')
    assert.equal((await school.get('/api/classes/1', registrar)).body.data.version, 11 + 16)
  })

  it('no student is ever in a class that was deleted at the same moment', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    for (let round = 0; round < 50; round++) {
      const id = await newClass(school, registrar, `Deleted ${round}`)
      const deletion = () => change(school, 'DELETE', id, registrar)
      const creations = (count: number) => many(count, () => newStudent(school, registrar, id))
      const [before, deleted, after] = await Promise.all([creations(round % 4), deletion(), creations(8)])
      const answers = tally([...before, ...after])
      const created = answers[201] ?? 0
      if (deleted.status === 200) assert.equal(answers[422], 8 + (round % 4), 'nobody came in')
      else assert.deepEqual([deleted.body.code, created > 0], ['class_in_use', true])
      const { status, body } = await school.get(`/api/classes/${id}`, registrar)
      assert.equal(status, deleted.status === 200 ? 404 : 200)
      if (status === 200) assert.equal(body.data.students, created)
    }
    const orphans = await school.db
      .selectFrom('students')
      .leftJoin('classes', 'classes.id', 'students.class_id')
      .select('students.id')
      .where('classes.id', 'is', null)
      .execute()
    assert.deepEqual(orphans, [])
  })

  it('no student comes into a class once its archiving is answered', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    for (let id = 1; id <= 12; id++) {
      const during = many(8, () => newStudent(school, registrar, id))
      assert.equal((await change(school, 'PATCH', id, registrar, { archived: true })).status, 200)
      const after = await many(8, () => newStudent(school, registrar, id))
      assert.deepEqual(tally(after), { 422: 8 })
      const created = tally(await during)
      const { body } = await school.get(`/api/classes/${id}`, registrar)
      assert.equal(body.data.students, created[201] ?? 0)
    }
  })

  it('no grant is left for a class that was deleted at the same moment', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const teacher = await personHolding(school, [['classes.view'], [1]])
    for (let round = 0; round < 20; round++) {
      const id = await newClass(school, registrar, `Granted ${round}`)
      const granting = write(school.db, byTest, async (db) => {
        await lockPlatform(db) // as every grant over the API
        await db
          .insertInto('user_role_classes')
          .columns(['user_id', 'role_id', 'class_id'])
          .expression((q) =>
            q
              .selectFrom('user_roles')
              .innerJoin('classes', (join) => join.on('classes.id', '=', id))
              .select(['user_id', 'role_id', 'classes.id as class_id'])
              .where('user_id', '=', teacher.id),
          )
          .execute()
      })
      const [deleted] = await Promise.all([change(school, 'DELETE', id, registrar), granting])
      assert.equal(deleted.status, 200)
      const left = await school.db.selectFrom('user_role_classes').select('class_id').execute()
      assert.deepEqual(left, [{ class_id: 1 }])
    }
  })

  it('no account holds a role for no class, after the only one was deleted at the same moment', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const teacher = await school.person()
    const viewer = 3
    for (let round = 0; round < 20; round++) {
      const id = await newClass(school, admin, `Only one ${round}`)
      const granting = school.send('PUT', `/api/users/${teacher.id}/roles`, {
        as: admin,
        body: { roles: [{ role_id: viewer, class_ids: [id] }] },
        headers: { 'if-match': '*' },
      })
      for (let turns = 0; turns < round; turns++) await new Promise((resolve) => setImmediate(resolve))
      const [granted, deleted] = await Promise.all([granting, change(school, 'DELETE', id, admin)])
      assert.equal(deleted.status, 200)
      assert.ok([200, 422].includes(granted.status), granted.text)
      const { body } = await school.get(`/api/users/${teacher.id}`, admin)
      assert.deepEqual(body.data.roles, [])
    }
  })

  for (const [what, { end, refusal }] of Object.entries(endings)) {
    it(`a change that waits while its author ${what} is refused`, async () => {
      const school = await openSchool()
      for (const [method, body] of [['PATCH', { label: 'Too late' }], ['DELETE']] as [string, object?][]) {
        for (let round = 0; round < 5; round++) {
          const manager = await personHolding(school, [['classes.manage'], 'all'])
          const { sent } = await write(school.db, byTest, async (db) => {
            await lockPlatform(db)
            await db.updateTable('classes').set({ position: 1 }).where('id', '=', 1).execute()
            const sent = change(school, method, 1, manager, body)
            for (let i = 0; i < 50; i++) await db.selectFrom('classes').select('id').execute() // it waits by then
            await end(db, manager)
            return { sent }
          })
          const { status, body: answer } = await sent
          assert.deepEqual([status, answer.code], refusal, method)
        }
      }
      const { version, label } = await school.db
        .selectFrom('classes')
        .select(['version', 'label'])
        .where('id', '=', 1)
        .executeTakeFirstOrThrow()
      assert.deepEqual([version, label], [1, 'Class 1'])
    })
  }
})
