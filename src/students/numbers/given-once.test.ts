import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { onlyOn } from '../../../test/engine.ts'
import { personHolding } from '../../../test/grants.ts'
import { oldKey } from '../../../test/many-students.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../../test/school.ts'
import { write } from '../../events/write.ts'
import { keepFormerNumber } from './given-once.ts'

const day = 86_400

describe('an admission number', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  /** Numbers that no other test has. */
  let last = 0
  const numbers = () => {
    const names = ['A', 'B', 'C', 'D'].map((letter) => `${letter}-${++last}`)
    return names as [string, string, string, string]
  }
  /** Sessions end in the meantime. */
  const passDays = async (days: number) => {
    school.passSeconds(days * day)
    registrar = await school.person('registrar')
  }
  const create = (admission_number: string, { as = registrar, class_id = 3 } = {}) =>
    school.post('/api/students', { name: `Ada ${admission_number}`, admission_number, class_id }, as)
  const created = async (number: string, class_id = 3) => {
    const { status, body, text } = await create(number, { class_id })
    assert.equal(status, 201, text)
    return body.data.id as number
  }
  const change = (id: number, body: object, as = registrar) =>
    school.send('PATCH', `/api/students/${id}`, { as, body, headers: { 'if-match': '*' } })
  const renumber = async (id: number, admission_number: string) => {
    const answer = await change(id, { admission_number })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.data.admission_number, admission_number)
  }
  const formerOf = async (id: number) => {
    const rows = await school.db
      .selectFrom('former_numbers')
      .selectAll()
      .where('student_id', '=', id)
      .execute()
    return rows.map(({ admission_key }) => admission_key).sort()
  }

  /** The answer is a 409 that names this holder, or nobody, and nothing was written. */
  async function assertTaken(send: () => Promise<Answer>, holder: object | undefined) {
    const [before, kept] = [await school.count('students'), await school.count('former_numbers')]
    const { status, body, text } = await send()
    assert.deepEqual([status, body.code], [409, 'admission_number_taken'], text)
    assert.deepEqual(body.holder, holder)
    assert.deepEqual(body.errors, [
      { pointer: '/admission_number', code: 'taken', detail: 'is or was the number of another student' },
    ])
    assert.deepEqual([await school.count('students'), await school.count('former_numbers')], [before, kept])
    return body
  }
  const holderOf = (id: number, number: string, more: object = {}) => ({
    id,
    name: `Ada ${number}`,
    class_id: 3,
    class: 'Class 3',
    ...more,
  })

  it('is not given again when its student has another one now, in whatever spelling', async () => {
    const [a, b, c] = numbers()
    const id = await created(a)
    const other = await created(c)
    await passDays(31)
    await renumber(id, b)
    const holder = holderOf(id, a, { former: true })
    await assertTaken(() => create(a), holder)
    await assertTaken(() => create(a.toLowerCase().replace('-', '\u2010')), holder)
    await assertTaken(() => change(other, { admission_number: a, name: 'Eva' }), holder)
    const { admission_number, name } = (await school.get(`/api/students/${other}`, registrar)).body.data
    assert.deepEqual([admission_number, name], [c, `Ada ${c}`])
    await assertTaken(() => create(b), holderOf(id, a))
    assert.equal(
      (await school.get(`/api/students?search=${a}`, registrar)).body.pagination.total,
      1,
      'by name',
    )
  })

  it('can be corrected for thirty days, and is free then', async () => {
    const [a, b] = numbers()
    const id = await created(a)
    await passDays(30)
    await renumber(id, b)
    assert.deepEqual(await formerOf(id), [])
    await created(a)
  })

  it('of an older student can be corrected as long, counted from when it was given', async () => {
    const [a, b, c, d] = numbers()
    const id = await created(a)
    await passDays(31)
    await renumber(id, b)
    await renumber(id, c)
    assert.deepEqual(await formerOf(id), [oldKey(a)], 'the wrong number is free')
    await created(b)
    await passDays(31)
    await renumber(id, d)
    assert.deepEqual(await formerOf(id), [a, c].map(oldKey).sort())
    await assertTaken(() => create(c), holderOf(id, a, { former: true }))
  })

  it('can be taken back by its student, and stays kept when it is given up the next day', async () => {
    const [a, b, c] = numbers()
    const id = await created(a)
    await passDays(31)
    await renumber(id, b)
    await renumber(id, a)
    await created(b)
    await assertTaken(() => create(a), holderOf(id, a))
    await passDays(1)
    await renumber(id, c)
    await assertTaken(() => create(a), holderOf(id, a, { former: true }))
  })

  it('stays the same where its spelling alone changes, and where something else does', async () => {
    const [a] = numbers()
    const id = await created(a)
    await passDays(31)
    await renumber(id, a.toLowerCase())
    assert.equal((await change(id, { name: 'Eva', family_name: 'Berg' })).status, 200)
    assert.deepEqual(await formerOf(id), [])
    await assertTaken(() => create(a), { ...holderOf(id, a), name: 'Eva' })
  })

  it('of a twin from before look-alikes were one is not kept: the other twin has it', async () => {
    const [a, b] = numbers()
    const [id, twin] = [await created(a), await created(b)]
    const key = `${oldKey(a)}\u0001${twin}`
    await write(school.db, byTest, (db) =>
      db
        .updateTable('students')
        .set({ admission_number: a, admission_key: key })
        .where('id', '=', twin)
        .execute(),
    )
    await passDays(31)
    await renumber(twin, `${b}x`)
    assert.deepEqual(await formerOf(twin), [])
    await assertTaken(() => create(a), holderOf(id, a))
  })

  it('is told with its holder to callers who may see the holder, and to nobody else', async () => {
    const [a, b, c] = numbers()
    const id = await created(a)
    const own = await created(c, 5)
    await passDays(31)
    await renumber(id, b)
    const create35 = ['students.create', 'students.update'] as const
    const callers: [Person, boolean][] = [
      [await school.person('administrator'), true],
      [
        await personHolding(school, [
          [...create35, 'students.view'],
          [3, 5],
        ]),
        true,
      ],
      [await personHolding(school, [create35, 'all'], [['students.view'], [3]]), true],
      [await personHolding(school, [[...create35, 'students.view'], [5]]), false],
      [await personHolding(school, [create35, 'all']), false],
      [await personHolding(school, [create35, 'all'], [['students.view', 'students.sensitive'], [5]]), false],
    ]
    const hidden = new Set<string>()
    for (const [as, isShown] of callers) {
      for (const [number, more] of [
        [a, { former: true }],
        [b, {}],
      ] as const) {
        const holder = isShown ? holderOf(id, a, more) : undefined
        const answers = [
          await assertTaken(() => create(number, { as, class_id: 5 }), holder),
          await assertTaken(() => change(own, { admission_number: number }, as), holder),
        ]
        for (const { request_id: _, ...body } of answers) if (!isShown) hidden.add(JSON.stringify(body))
      }
    }
    assert.equal(hidden.size, 1, 'who may not see the holder is not told whether the number is former either')
    assert.doesNotMatch(school.log.join(''), /Ada/)
  })

  it('is told of after the class: an unknown or archived class is 422, whether or not the number is taken', async () => {
    const [a] = numbers()
    await created(a)
    const { status, body } = await create(a, { class_id: 99 })
    assert.deepEqual([status, body.errors[0].code], [422, 'unknown_class'])
  })

  it('goes to one of several who take it at once, and the others are told who has it', async () => {
    const [a, b, c] = numbers()
    const other = await created(b)
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => create(a)),
      change(other, { admission_number: a }),
    ])
    const [won, lost] = [
      answers.filter(({ status }) => status < 300),
      answers.filter(({ status }) => status === 409),
    ]
    assert.deepEqual([won.length, lost.length], [1, 6], answers.map(({ text }) => text).join('\n'))
    for (const { body } of lost) assert.equal(body.holder.id, won[0]!.body.data.id)
    assert.equal((await create(c)).status, 201)
  })

  it(
    'is still its student’s for whoever asks while the student gives it up',
    onlyOn('postgres'),
    async () => {
      const [a, b] = numbers()
      const id = await created(a)
      await passDays(31)
      const now = school.now().toISOString()
      await write(school.db, byTest, async (tx) => {
        await keepFormerNumber(tx, id, oldKey(b), now)
        const changed = { admission_number: b, admission_key: oldKey(b) }
        await tx.updateTable('students').set(changed).where('id', '=', id).execute()
        await assertTaken(() => create(a), holderOf(id, a)) // it waits for nobody
      })
      await assertTaken(() => create(a), holderOf(id, a, { former: true }))
    },
  )

  it('goes to nobody else where its student gives it up as others ask for it', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b, c] = numbers()
      const [id, other] = [await created(a), await created(c)]
      await passDays(31)
      const [given, ...asked] = await Promise.all([
        change(id, { admission_number: b }),
        create(a),
        change(other, { admission_number: a }),
        create(a),
        create(b),
      ])
      const isGiven = given.status === 200
      const taken = asked.map(({ status }) => status)
      assert.deepEqual(taken, [409, 409, 409, isGiven ? 409 : 201])
      assert.deepEqual(await formerOf(id), isGiven ? [oldKey(a)] : [])
    }
  })
})
