import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { write } from '../src/events/write.ts'
import { deleteGrant } from '../src/roles/queries.ts'
import { insertStudent } from '../src/students/queries.ts'
import { changePasswordAtOnce, registerAtOnce } from './account-races.ts'
import { persistently } from './persistently.ts'
import { type Answer, byTest, openSchool, password } from './school.ts'

const many = <Result>(count: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('of what many do at once', () => {
  it('one of fifty registrations of an address succeeds, the others are told it is taken', async () => {
    const school = await openSchool()
    for (let round = 0; round < 2; round++) {
      const before = await school.count('users')
      const answers = await many(50, (i) => {
        const email = i % 2 ? `Race${round}@School.example` : ` race${round}@school.example`
        const racer = { name: `Racer ${i}`, email, password: `password number ${i}` }
        return persistently(() => school.post('/api/auth/register', racer))
      })
      assert.deepEqual(tally(answers), { 201: 1, 409: 49 })
      assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'email_taken'))
      assert.equal(await school.count('users'), before + 1)
      const winner = answers.findIndex(({ status }) => status === 201)
      const login = await school.login(`race${round}@school.example`, `password number ${winner}`)
      assert.equal(login.body.data.user.name, `Racer ${winner}`, 'and the row is wholly the winner’s')
    }
  })

  it('one of fifty accounts that register first is the first administrator', async () => {
    for (let round = 0; round < 2; round++) await registerAtOnce(50)
  })

  it('one of sixteen changes of a password wins, and no login beside them outlives it', async () => {
    const school = await openSchool()
    for (let round = 0; round < 4; round++) await changePasswordAtOnce(school, 16, round)
  })

  it('one of fifty creations of an admission number succeeds, the others are told it is taken', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    for (let round = 0; round < 10; round++) {
      const answers = await many(50, (i) =>
        school.post(
          '/api/students',
          { name: `Racer ${i}`, admission_number: i % 2 ? `RACE-${round}` : ` race-${round}`, class_id: 1 },
          registrar,
        ),
      )
      assert.deepEqual(tally(answers), { 201: 1, 409: 49 })
      assert.equal(await school.count('students'), round + 1)
      const winner = answers.findIndex(({ status }) => status === 201)
      const { body } = await school.get(`/api/students/${answers[winner]!.body.data.id}`, registrar)
      assert.equal(body.data.name, `Racer ${winner}`)
      const found = await school.get(`/api/students?search=race-${round}`, registrar)
      assert.equal(found.body.pagination.total, 1, 'the refused left nothing in the index')
    }
  })

  it('each creation of its own number succeeds, with an id of its own', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const ids = await many(200, () => school.student(registrar))
    assert.equal(new Set(ids).size, 200)
    assert.equal(await school.count('students'), 200)
  })

  it('a reader who pages while others create misses no student that was there, and sees none twice', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const present = await many(120, (i) => school.student(registrar, { name: `Present ${i}` }))
    for (const query of ['per_page=7', 'per_page=7&search=present']) {
      let isPaging = true
      const creating = many(16, async (i) => {
        while (isPaging) {
          await school.student(registrar, { name: `Present later ${i}` })
          await nextTurn()
        }
      })
      const seen: number[] = []
      const totals: number[] = []
      let link: string | undefined = `/api/students?page=1&${query}`
      while (link !== undefined) {
        const answer: Answer = await school.get(link, registrar)
        const { data, pagination } = answer.body
        seen.push(...data.map(({ id }: { id: number }) => id))
        totals.push(pagination.total)
        const rest = pagination.total - (pagination.page - 1) * 7
        assert.equal(data.length, Math.min(7, rest), 'total and page are of one moment')
        link = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
        if (totals.length > 10) isPaging = false
        await school.student(registrar, { name: 'Present between two pages' })
      }
      isPaging = false
      await creating
      assert.equal(new Set(seen).size, seen.length, 'none twice')
      assert.deepEqual(
        seen,
        seen.toSorted((a, b) => a - b),
        'in order',
      )
      for (const id of present) assert.ok(seen.includes(id), `student ${id} was missed`)
      assert.deepEqual(
        totals,
        totals.toSorted((a, b) => a - b),
      )
      assert.ok(totals.at(-1)! > totals[0]!, 'others did create meanwhile')
    }
  })

  it('no creation that starts after a revocation is answered is let through', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    for (let round = 0; round < 10; round++) {
      const registrar = await school.person('registrar')
      const create = () =>
        school.post(
          '/api/students',
          { name: 'A', admission_number: crypto.randomUUID(), class_id: 1 },
          registrar,
        )
      const before = many(16, create)
      const revoked = write(school.db, byTest, (db) =>
        deleteGrant(db, registrar.id, 'registrar', school.now().toISOString()),
      )
      const during = many(16, create)
      await revoked
      const stored = await school.count('students')
      const after = await many(16, create)
      assert.deepEqual(tally(after), { 403: 16 })
      const earlier = [...(await before), ...(await during)]
      for (const { status } of earlier) assert.ok(status === 201 || status === 403)
      assert.ok((await school.count('students')) - stored <= 32)
      const created = earlier.filter(({ status }) => status === 201)
      for (const { body } of created) {
        assert.equal((await school.get(`/api/students/${body.data.id}`, admin)).status, 200)
      }
    }
  })

  it('the total is exact, whatever was created, refused and undone at once', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const total = async () => (await school.get('/api/students?per_page=1', registrar)).body.pagination.total
    for (let round = 0; round < 5; round++) {
      const undone = Array.from({ length: 10 }, () =>
        write(school.db, byTest, async (db) => {
          await insertStudent(
            db,
            { name: 'U', admission_number: `u-${crypto.randomUUID()}`, class_id: 1 },
            school.now().toISOString(),
          )
          throw new Error('undone')
        }).catch(() => {}),
      )
      const created = Array.from({ length: 40 }, (_, i) =>
        school.post(
          '/api/students',
          { name: 'A', admission_number: `${round}-${i % 25}`, class_id: 1 },
          registrar,
        ),
      )
      const totals = await Promise.all([total(), total(), ...created.map(() => total())])
      await Promise.all([...undone, ...created])
      for (const seen of totals) assert.ok(seen >= round * 25 && seen <= (round + 1) * 25)
      assert.equal(await total(), (round + 1) * 25)
      assert.equal(await school.count('students'), (round + 1) * 25)
    }
  })

  it('as many students are stored as creations were answered 201, whatever else failed beside them', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    for (let round = 0; round < 5; round++) {
      const before = await school.count('students')
      const answers = await many(64, (i) =>
        school.post(
          '/api/students',
          {
            name: 'A',
            admission_number: i % 4 === 1 ? `same-${round}` : `own-${round}-${i}`,
            class_id: i % 4 === 3 ? 999_999 : 1,
          },
          registrar,
        ),
      )
      assert.deepEqual(tally(answers), { 201: 33, 409: 15, 422: 16 })
      assert.equal(await school.count('students'), before + 33)
    }
  })

  it('thirty right logins of one account all get tokens, each its own', async () => {
    const school = await openSchool()
    const { email } = await school.person()
    const logins = await many(30, () => persistently(() => school.login(email, password)))
    assert.deepEqual(tally(logins), { 200: 30 })
    assert.equal(new Set(logins.map(({ body }) => body.data.token)).size, 30)
  })
})
