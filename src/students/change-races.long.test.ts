import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endings, revokeAll } from '../../test/grants.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'

const many = <Result>(count: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const patch = (school: School, id: number, body: object, as: Person, ifMatch = '*') =>
  school.send('PATCH', `/api/students/${id}`, { as, body, headers: { 'if-match': ifMatch } })

describe('of what many change at once', () => {
  it('one of two who read the same version wins, and the other is told: no change is lost', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const id = await school.student(registrar)
    for (let round = 0; round < 20; round++) {
      const { headers } = await school.get(`/api/students/${id}`, registrar)
      const names = [`Left ${round}`, `Right ${round}`]
      const answers = await many(2, (i) =>
        patch(school, id, { name: names[i] }, registrar, String(headers.etag)),
      )
      assert.deepEqual(tally(answers), { 200: 1, 412: 1 })
      const winner = answers.findIndex(({ status }) => status === 200)
      const after = await school.get(`/api/students/${id}`, registrar)
      assert.equal(after.body.data.name, names[winner])
      assert.equal(after.headers.etag, answers[winner]!.headers.etag)
    }
  })

  it('one of sixteen wins, and the version counts each change once', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const id = await school.student(registrar)
    for (let round = 0; round < 5; round++) {
      const { headers } = await school.get(`/api/students/${id}`, registrar)
      const move = (i: number) => ({ class_id: 2 + ((round + i) % 8), notes: `${round} ${i}` })
      const answers = await many(16, (i) => patch(school, id, move(i), registrar, String(headers.etag)))
      assert.deepEqual(tally(answers), { 200: 1, 412: 15 })
    }
    const answers = await many(16, (i) =>
      patch(school, id, { class_id: 1 + (i % 12), notes: `n${i}` }, registrar),
    )
    assert.deepEqual(tally(answers), { 200: 16 }, 'for any version, all are made, one after the other')
    const { version } = await school.db.selectFrom('students').select('version').executeTakeFirstOrThrow()
    assert.equal(version, 1 + 5 + 16)
  })

  it('one of sixteen students gets an admission number that all are to have', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const ids = await many(16, () => school.student(registrar))
    for (let round = 0; round < 5; round++) {
      const number = (i: number) => (i % 2 ? `SAME-${round}` : `same-${round}`)
      const answers = await many(16, (i) =>
        patch(school, ids[i]!, { admission_number: number(i) }, registrar),
      )
      assert.deepEqual(tally(answers), { 200: 1, 409: 15 })
    }
  })

  it('no change that starts after a revocation is answered is made, and the rows agree with the answers', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    for (let round = 0; round < 10; round++) {
      const registrar = await school.person('registrar')
      const ids = await many(16, () => school.student(admin))
      const change = (i: number) => patch(school, ids[i]!, { name: `Changed ${i}` }, registrar)
      const before = many(16, change)
      await revokeAll(school, registrar)
      assert.deepEqual(tally(await many(16, change)), { 403: 16 })
      for (const [i, { status }] of (await before).entries()) {
        assert.ok(status === 200 || status === 403)
        const { body } = await school.get(`/api/students/${ids[i]}`, admin)
        assert.equal(body.data.name === `Changed ${i}`, status === 200)
      }
    }
  })

  for (const [what, { end, refusal }] of Object.entries(endings)) {
    it(`a change that waits while its author ${what} is refused`, async () => {
      const school = await openSchool()
      const id = await school.student(await school.person('registrar'))
      for (let round = 0; round < 10; round++) {
        const registrar = await school.person('registrar')
        const { sent } = await write(school.db, byTest, async (db) => {
          const row = db.selectFrom('students').select('id').where('id', '=', id)
          await db.updateTable('students').set({ gender: null }).where('id', '=', id).execute()
          const sent = patch(school, id, { name: 'Too late' }, registrar)
          for (let i = 0; i < 50; i++) await row.execute() // by then it has passed the guard, and waits
          await end(db, registrar)
          return { sent }
        })
        const { status, body } = await sent
        assert.deepEqual([status, body.code], refusal)
        const { version } = await school.db.selectFrom('students').select('version').executeTakeFirstOrThrow()
        assert.equal(version, 1)
      }
    })
  }

  it('nobody moves into a class that is archived or removed at the same moment', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const ids = await many(8, () => school.student(registrar))
    for (let class_id = 3; class_id <= 12; class_id++) {
      const moves = many(8, (i) => patch(school, ids[i]!, { class_id }, registrar))
      const archived_at = school.now().toISOString()
      const inClass = await write(school.db, byTest, async (db) => {
        await db.updateTable('classes').set({ archived_at }).where('id', '=', class_id).execute()
        return db.selectFrom('students').select('id').where('class_id', '=', class_id).execute()
      })
      for (const { status } of await moves) assert.ok(status === 200 || status === 422, String(status))
      const now = await school.db
        .selectFrom('students')
        .select('id')
        .where('class_id', '=', class_id)
        .execute()
      assert.equal(now.length, inClass.length, 'nobody came after it was archived')
    }
  })

  it('a reader who pages while students are changed misses none, and sees none twice', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const ids = await many(60, (i) => school.student(registrar, { name: `Present ${i}` }))
    let isPaging = true
    const changing = many(4, async (of) => {
      for (let i = 0; isPaging; i++) {
        const id = ids[(of + i * 4) % ids.length]!
        const { status } = await patch(
          school,
          id,
          { preferred_name: `P${i}`, class_id: 1 + (i % 12) },
          registrar,
        )
        assert.equal(status, 200)
      }
    })
    for (const query of ['', '&search=present']) {
      const seen: number[] = []
      for (let page = 1; page <= 9; page++) {
        const { body } = await school.get(`/api/students?per_page=7&page=${page}${query}`, registrar)
        assert.equal(body.pagination.total, 60)
        seen.push(...body.data.map(({ id }: { id: number }) => id))
      }
      assert.deepEqual(
        seen,
        ids.toSorted((a, b) => a - b),
      )
    }
    isPaging = false
    await changing
  })
})
