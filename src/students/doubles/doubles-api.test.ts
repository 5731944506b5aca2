import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../../test/cleanup.ts'
import { onlyOn } from '../../../test/engine.ts'
import { personHolding } from '../../../test/grants.ts'
import { type Answer, openSchool, type Person, type School } from '../../../test/school.ts'
import { isSettled, selectSettled } from '../settled-pairs.ts'

let school: School
let registrar: Person
let viewer: Person
let last = 0
before(async () => {
  school = await openSchool()
  registrar = await school.person('registrar')
  viewer = await school.person('viewer')
})

const create = (given: object, { as = registrar, query = '' } = {}) =>
  school.post(
    `/api/students${query}`,
    { name: 'Ada Lovelace', admission_number: `n${++last}`, class_id: 3, ...given },
    as,
  )
async function created(given: object, query = ''): Promise<number> {
  const answer = await create(given, { query })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data.id
}
const dated = { date_of_birth: '2014-03-09' }
/** The pairs that a person is told, as two ids and why. */
async function pairsOf(as: Person, query = '?per_page=1000'): Promise<[number, number, string][]> {
  const answer = await school.get(`/api/doubles${query}`, as)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ students, reason }: { students: { id: number }[]; reason: string }) => [
    students[0]!.id,
    students[1]!.id,
    reason,
  ])
}
/** The same, of pairs of these students alone. */
async function among(as: Person, ids: readonly number[]): Promise<[number, number, string][]> {
  const pairs = await pairsOf(as)
  return pairs.filter(([one, other]) => ids.includes(one) && ids.includes(other))
}
const settle = (id: number, other: number, { as = registrar, different = true } = {}): Promise<Answer> =>
  school.send('PUT', `/api/doubles/${id}/${other}`, { as, body: { different } })
const events = () =>
  school.db
    .selectFrom('events')
    .select(['record_id', 'action', 'fields'])
    .where('record', '=', 'double')
    .orderBy('change_set_id')
    .orderBy('place')
    .execute()

let name: string
const letters = (number: number) => [...String(number)].map((digit) => 'qwertyuiop'[Number(digit)]).join('')
beforeEach(() => {
  name = `Zoë ${letters(++last)} Müller ${letters(last)}`
})

describe('GET /api/doubles', () => {
  it('tells students with one name and date of birth, ignoring case and accents', async () => {
    const one = await created({ name, ...dated })
    const other = await created({ name: name.toUpperCase().replaceAll('Ë', 'E'), ...dated, class_id: 4 })
    const later = await created({ name, date_of_birth: '2014-03-10' })
    const undated = await created({ name })
    assert.deepEqual(await among(registrar, [one, other, later, undated]), [
      [one, other, 'same_name_and_date'],
    ])
    const { body } = await school.get('/api/doubles?per_page=1000', registrar)
    const pair = body.data.find(({ students }: { students: { id: number }[] }) => students[0]!.id === one)
    const { body: read } = await school.get('/api/students?per_page=1000', registrar)
    assert.deepEqual(
      pair.students,
      read.data.filter(({ id }: { id: number }) => id === one || id === other),
    )
  })

  it('tells names that differ in one character or in two swapped, with one date of birth', async () => {
    const one = await created({ name, ...dated })
    const similar: number[] = []
    for (const typed of [`${name}x`, name.slice(1), name.replace('M', 'N'), name.replace('Mü', 'üM')])
      similar.push(await created({ name: typed, ...dated }))
    const others = [
      await created({ name: `${name}x`, date_of_birth: '2014-03-10' }),
      await created({ name: `${name}xy`, ...dated }),
      await created({ name: `${name}x` }),
    ]
    const found = (await among(registrar, [one, ...similar, ...others])).filter(([low]) => low === one)
    assert.deepEqual(
      found,
      similar.map((other) => [one, other, 'similar_name_and_date']),
    )
  })

  it('tells names of which another part stands first, with and without a comma', async () => {
    const [given, family] = ['Zoë Maria', `van der ${letters(++last)}`]
    const names = [`${given} ${family}`, `${family} ${given}`, `${family}, ${given}`]
    const ids: number[] = []
    for (const name of names) ids.push(await created({ name, ...dated }))
    const [one, two, three] = ids
    const pairs = [
      [one, two, 'same_name_and_date'],
      [one, three, 'same_name_and_date'],
      [two, three, 'same_name_and_date'],
    ]
    assert.deepEqual(await among(registrar, ids), pairs)
  })

  it('tells students without a date of birth who have one name and class', async () => {
    const ids = [await created({ name }), await created({ name }), await created({ name, class_id: 4 })]
    const dates = [await created({ name, ...dated }), await created({ name: `${name}x` })]
    assert.deepEqual(await among(registrar, [...ids, ...dates]), [[ids[0], ids[1], 'same_name_and_class']])
  })

  it('follows each change of a student at once', async () => {
    const ids = [await created({ name, ...dated }), await created({ name, ...dated })] as const
    const patch = (body: object) =>
      school.send('PATCH', `/api/students/${ids[1]}`, { as: registrar, body, headers: { 'if-match': '*' } })
    const same = [[ids[0], ids[1], 'same_name_and_date']]
    assert.deepEqual(await among(registrar, ids), same)
    await patch({ date_of_birth: '2014-03-10' })
    assert.deepEqual(await among(registrar, ids), [])
    await patch({ date_of_birth: '2014-03-09' })
    assert.deepEqual(await among(registrar, ids), same)
    await patch({ name: 'Somebody Else' })
    assert.deepEqual(await among(registrar, ids), [])
  })

  it('tells only pairs of whom both may be seen, and by dates only to those who may see both dates', async () => {
    const [three, four, three2] = [
      await created({ name, ...dated }),
      await created({ name, ...dated, class_id: 4 }),
      await created({ name, ...dated }),
    ]
    const undated = [await created({ name, class_id: 5 }), await created({ name, class_id: 5 })] as const
    const all = [three, four, three2, ...undated]
    const byDate = 'same_name_and_date'
    const expected = new Map([
      [
        registrar,
        [
          [three, four, byDate],
          [three, three2, byDate],
          [four, three2, byDate],
          [...undated, 'same_name_and_class'],
        ],
      ],
      [viewer, [[...undated, 'same_name_and_class']]],
      [
        await personHolding(school, [['students.view', 'students.sensitive'], [3]]),
        [[three, three2, byDate]],
      ],
      [await personHolding(school, [['students.view'], [3, 4]]), []],
      [
        await personHolding(school, [['students.view'], [3, 4, 5]], [['students.sensitive'], [3]]),
        [
          [three, three2, byDate],
          [...undated, 'same_name_and_class'],
        ],
      ],
      [await personHolding(school, [['students.view'], [4]], [['students.sensitive'], 'all']), []],
    ])
    for (const [person, pairs] of expected) {
      assert.deepEqual(await among(person, all), pairs)
      const { pagination } = (await school.get('/api/doubles?per_page=1', person)).body
      assert.equal(pagination.total, (await pairsOf(person)).length, 'the total tells of no other pair')
    }
    const clerk = await personHolding(school, [['students.sensitive', 'students.update'], 'all'])
    assert.equal((await school.get('/api/doubles', clerk)).status, 403)
  })

  it('pages them in the order of ids, with the exact total', async () => {
    for (let i = 0; i < 3; i++) await created({ name, ...dated })
    const whole = await pairsOf(registrar)
    const sorted = whole.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
    assert.deepEqual(whole, sorted)
    const paged = []
    for (let page = 1; page <= Math.ceil(whole.length / 2); page++) {
      const { body, headers } = await school.get(`/api/doubles?per_page=2&page=${page}`, registrar)
      assert.equal(body.pagination.total, whole.length)
      assert.match(String(headers.link), /rel="first"/)
      paged.push(...(await pairsOf(registrar, `?per_page=2&page=${page}`)))
    }
    assert.deepEqual(paged, whole)
    assert.deepEqual(await pairsOf(registrar, '?page=5000'), [])
  })

  it('answers many at once, each with the students of its time', async () => {
    const first = await created({ name, ...dated })
    const answers = [pairsOf(registrar), pairsOf(registrar)]
    const second = await created({ name, ...dated })
    answers.push(pairsOf(registrar), pairsOf(registrar))
    const found = (await Promise.all(answers)).map((pairs) =>
      pairs.some(([one, other]) => one === first && other === second),
    )
    assert.deepEqual(found.slice(2), [true, true])
  })
})

describe('GET /api/doubles, while the server ends', () => {
  it('is answered, and holds nothing up', async () => {
    const ending = await openSchool()
    const person = await ending.person('registrar')
    const answer = ending.get('/api/doubles', person)
    await new Promise((resolve) => setImmediate(resolve))
    await ending.app.close()
    assert.ok([200, 503].includes((await answer).status))
  })
})

describe('PUT /api/doubles/{id}/{other}', () => {
  it('settles two as two children, in whatever order, and forgets it again; each is logged once', async () => {
    const [low, high] = [await created({ name, ...dated }), await created({ name, ...dated })]
    const before = (await events()).length
    for (const ids of [
      [high, low],
      [low, high],
    ] as const) {
      const answer = await settle(...ids)
      assert.deepEqual([answer.status, answer.body.data], [200, { ids: [low, high], different: true }])
      assert.deepEqual(await among(registrar, [low, high]), [])
    }
    assert.ok(await isSettled(school.db, high, low))
    const [row] = await school.db.selectFrom('settled_pairs').selectAll().where('low_id', '=', low).execute()
    assert.deepEqual([row!.high_id, row!.settled_by], [high, registrar.id])
    for (let i = 0; i < 2; i++) assert.equal((await settle(high, low, { different: false })).status, 200)
    assert.deepEqual(await among(registrar, [low, high]), [[low, high, 'same_name_and_date']])
    assert.equal(await isSettled(school.db, low, high), false)
    const logged = (await events())
      .slice(before)
      .map(({ record_id, action, fields }) => [record_id, action, JSON.parse(fields)])
    assert.deepEqual(logged, [
      [low, 'created', { other: [null, high], different: [false, true] }],
      [low, 'removed', { other: [high, null], different: [true, false] }],
    ])
  })

  it('is for those who may change both; of students out of sight it tells nothing', async () => {
    const [three, four] = [await created({ name }), await created({ name, class_id: 4 })]
    const teacher = await personHolding(school, [['students.view', 'students.update'], [3]])
    const reader = await personHolding(school, [['students.update'], [3]], [['students.view'], [3, 4]])
    const before = await selectSettled(school.db).execute()
    const cases: [Person, number, number, number, string][] = [
      [viewer, three, four, 403, 'permission_denied'],
      [teacher, three, four, 404, 'student_not_found'],
      [teacher, three, 999_999, 404, 'student_not_found'],
      [reader, four, three, 403, 'permission_denied'],
      [registrar, three, 999_999, 404, 'student_not_found'],
      [registrar, three, three, 422, 'validation_failed'],
    ]
    for (const [as, id, other, ...refusal] of cases) {
      const { status, body } = await settle(id, other, { as })
      assert.deepEqual([status, body.code], refusal)
    }
    assert.deepEqual(await selectSettled(school.db).execute(), before)
  })

  it('remembers a pair once, though two say so at the same moment', async () => {
    const [one, other] = [await created({ name }), await created({ name })]
    const answers = await Promise.all([settle(one, other), settle(other, one), settle(one, other)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    const logged = (await events()).filter(({ record_id }) => record_id === one)
    assert.equal(logged.length, 1)
  })
})

describe('POST /api/students?other_than=', () => {
  const refusing = (...ids: number[]) => `?duplicates=refuse&other_than=${ids.join()}`

  it('creates a child who is known to be another than these, and settles them', async () => {
    const ids = [await created({ name, ...dated }), await created({ name, ...dated })]
    const warned = await create({ name, ...dated }, { query: refusing(ids[0]!) })
    assert.deepEqual([warned.status, warned.body.ids], [409, [ids[1]]])
    const third = await created({ name, ...dated }, refusing(ids[1]!, ids[0]!, ids[1]!))
    assert.deepEqual(await among(registrar, [...ids, third]), [[ids[0], ids[1], 'same_name_and_date']])
    for (const id of ids) assert.ok(await isSettled(school.db, third, id))
    assert.equal((await create({ name, ...dated }, { query: refusing(...ids) })).body.ids[0], third)
  })

  it('settles nothing when nothing is created', async () => {
    const id = await created({ name })
    const before = [await selectSettled(school.db).execute(), await events()]
    const taken = await create({ name, admission_number: `n${last}` }, { query: refusing(id) })
    assert.equal(taken.status, 409, taken.text)
    assert.deepEqual([await selectSettled(school.db).execute(), await events()], before)
  })

  it('takes only ids of students whom the caller may see, twenty at most', async () => {
    const id = await created({ name })
    const teacher = await personHolding(school, [['students.view'], [4]], [['students.create'], 'all'])
    const many = Array.from({ length: 21 }, (_, i) => i + 1)
    const cases: [Person, string, string][] = [
      [teacher, String(id), 'unknown_student'],
      [registrar, '999999', 'unknown_student'],
      [registrar, `${id},x`, 'invalid'],
      [registrar, `${id},`, 'invalid'],
      [registrar, many.join(), 'invalid'],
    ]
    const before = await school.count('students')
    for (const [as, ids, code] of cases) {
      const { status, body } = await create({ name }, { as, query: `?other_than=${ids}` })
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/other_than', code])
    }
    assert.equal(await school.count('students'), before)
  })
})

describe('a student who goes while somebody settles a pair', onlyOn('postgres'), () => {
  let other: pg.Client
  before(async () => {
    other = new pg.Client({ connectionString: school.databaseUrl })
    atEnd(() => other.end())
    await other.connect()
  })

  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const settlings: [what: string, settle: (one: number, goes: number) => Promise<Answer>, status: number][] =
    [
      ['PUT', settle, 404],
      ['other_than', (_, goes) => create({ name }, { query: `?other_than=${goes}` }), 422],
    ]
  for (const [what, settling, status] of settlings) {
    it(`is not found by ${what}`, async () => {
      const [one, goes] = [await created({ name }), await created({ name })]
      await other.query(`begin; delete from students where id = ${goes}`)
      const answer = settling(one, goes)
      while ((await other.query(waiting)).rowCount === 0);
      await other.query('commit')
      const { status: told, text } = await answer
      assert.equal(told, status, text)
    })
  }
})
