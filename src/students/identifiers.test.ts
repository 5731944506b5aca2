import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { engine } from '../../test/engine.ts'
import { personHolding } from '../../test/grants.ts'
import { checkSearchIndex } from '../../test/many-students.ts'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'

const taken = (place: number) => `/identifiers/${place} taken`

describe('the identifiers of a student', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const create = (identifiers: unknown, as = registrar, given: object = {}) => {
    const body = { name: 'Zoë', admission_number: crypto.randomUUID(), class_id: 3, identifiers, ...given }
    return school.post('/api/students', body, as)
  }
  const created = async (identifiers?: unknown): Promise<number> => {
    const answer = await create(identifiers)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data.id
  }
  const patch = (id: number, body: object, as = registrar, ifMatch = '*') =>
    school.send('PATCH', `/api/students/${id}`, { as, body, headers: { 'if-match': ifMatch } })
  const read = (id: number, as = registrar) => school.get(`/api/students/${id}`, as)
  const shown = async (id: number) => (await read(id)).body.data.identifiers
  const found = async (search: string): Promise<number[]> => {
    const { body } = await school.get(`/api/students?search=${encodeURIComponent(search)}`, registrar)
    return body.data.map(({ id }: { id: number }) => id)
  }
  const faultsOf = ({ body }: Answer) =>
    body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)
  function assertTaken(answer: Answer, ...faults: string[]): void {
    assert.deepEqual([answer.status, answer.body.code], [409, 'identifier_taken'], answer.text)
    assert.deepEqual(faultsOf(answer), faults)
  }

  it('are kept in their order, trimmed and composed, and shown with the record to all who see it', async () => {
    const id = await created([
      { system: ' state ', value: ' Zoe\u0308-1 ' },
      { system: 'bus', value: '17' },
      { system: 'state', value: 'second' },
    ])
    const expected = [
      { system: 'state', value: 'Zoë-1' },
      { system: 'bus', value: '17' },
      { system: 'state', value: 'second' },
    ]
    for (const role of ['administrator', 'registrar', 'viewer'] as const)
      assert.deepEqual((await read(id, await school.person(role))).body.data.identifiers, expected)
    const list = await school.get('/api/students', registrar)
    assert.ok(
      list.body.data.every((student: object) => !('identifiers' in student)),
      'a list does not',
    )
  })

  it('are null where there are none', async () => {
    for (const none of [undefined, null, []]) assert.equal(await shown(await created(none)), null)
  })

  it('are replaced as a whole, taken away with null or an empty list, and counted as a change', async () => {
    const pair = (value: string) => ({ system: 'replaced', value })
    const id = await created([pair('a'), pair('b')])
    const { headers } = await read(id)
    const answer = await patch(id, { identifiers: [pair('b'), pair('c')] }, registrar, String(headers.etag))
    assert.deepEqual(answer.body.data.identifiers, [pair('b'), pair('c')])
    assert.notEqual(answer.headers.etag, headers.etag)
    assert.equal((await patch(id, { identifiers: [] }, registrar, String(headers.etag))).status, 412)
    const same = await patch(id, { identifiers: [pair('b'), pair('c')] })
    assert.equal(same.headers.etag, answer.headers.etag, 'what is there already is no change')
    const other = await created([pair('a')])
    for (const none of [null, []]) {
      assert.equal((await patch(id, { identifiers: none })).body.data.identifiers, null)
      assert.equal((await patch(other, { identifiers: [pair('b')] })).status, 200, 'and it is free')
      assert.equal((await patch(other, { identifiers: null })).status, 200)
      assert.equal((await patch(id, { identifiers: [pair('b')] })).status, 200)
    }
  })

  it('name one student: what looks alike counts as one, and nothing is written', async () => {
    const id = await created([{ system: 'State', value: 'DE-1' }])
    const other = await created([{ system: 'own', value: 'x' }])
    const before = await school.count('students')
    for (const alike of [
      { system: 'state', value: 'de-1' },
      { system: 'ＳＴＡＴＥ', value: 'DE–1' },
    ]) {
      assertTaken(await create([{ system: 'new', value: '1' }, alike]), taken(1))
      assertTaken(await patch(other, { name: 'Changed', identifiers: [alike] }), taken(0))
    }
    assert.equal(await school.count('students'), before)
    const { name, identifiers } = (await read(other)).body.data
    assert.deepEqual([name, identifiers], ['Zoë', [{ system: 'own', value: 'x' }]])
    await created([
      { system: 'new', value: '1' },
      { system: 'other', value: 'DE-1' },
      { system: 'state', value: 'DE-2' },
    ])
    assert.deepEqual(await shown(id), [{ system: 'State', value: 'DE-1' }])
  })

  it('are told apart from a taken admission number, which is told first', async () => {
    const given = { admission_number: 'first-come' }
    assert.equal((await create([{ system: 'both', value: '1' }], registrar, given)).status, 201)
    const answer = await create([{ system: 'both', value: '1' }], registrar, given)
    assert.equal(answer.body.code, 'admission_number_taken')
  })

  const refused: [what: string, identifiers: unknown, faults: string[]][] = [
    ['a pair twice', [1, 2].map(() => ({ system: 's', value: 'v' })), ['/identifiers/1 duplicate']],
    [
      'two that look alike',
      [
        { system: 'S', value: 'V' },
        { system: 's', value: 'ｖ' },
      ],
      ['/identifiers/1 duplicate'],
    ],
    ['one without a value', [{ system: 's' }], ['/identifiers/0/value required']],
    ['a number', [{ system: 's', value: 1 }], ['/identifiers/0/value wrong_type']],
    ['an empty system', [{ system: ' ', value: 'v' }], ['/identifiers/0/system too_short']],
    ['a system of 51', [{ system: 'a'.repeat(51), value: 'v' }], ['/identifiers/0/system too_long']],
    ['a value of 101', [{ system: 's', value: 'a'.repeat(101) }], ['/identifiers/0/value too_long']],
    ['what nobody sees', [{ system: 's\u200b', value: 'v' }], ['/identifiers/0/system invalid_format']],
    ['a control character', [{ system: 's', value: 'v\u0007' }], ['/identifiers/0/value invalid_format']],
    ['another member', [{ system: 's', value: 'v', note: '' }], ['/identifiers/0/note unknown_member']],
    [
      'more than twenty',
      Array.from({ length: 21 }, (_, i) => ({ system: 's', value: `${i}` })),
      ['/identifiers too_many'],
    ],
  ]
  for (const [what, identifiers, faults] of refused) {
    it(`refuse ${what}, and nothing is written`, async () => {
      const before = await school.count('students')
      const id = await created()
      for (const answer of [await create(identifiers), await patch(id, { identifiers })]) {
        assert.equal(answer.status, 422, answer.text)
        assert.deepEqual(faultsOf(answer), faults)
      }
      assert.equal(await school.count('students'), before + 1)
    })
  }

  it('are twenty at the most, with fifty and a hundred characters', async () => {
    const most = Array.from({ length: 20 }, (_, i) => ({
      system: `🎓${i}`.padEnd(51, 's'),
      value: 'v'.repeat(100),
    }))
    assert.deepEqual(await shown(await created(most)), most)
  })

  it('are found by their values, as they change, and not by their systems', async () => {
    const id = await created([{ system: 'qsystem', value: 'QVAL-12345678 Qué' }])
    for (const search of ['qval-12345678', 'qval', '345678', 'que', 'zoe qval']) {
      assert.deepEqual(await found(search), [id], search)
    }
    assert.deepEqual(await found('qsystem'), [])
    await patch(id, { identifiers: [{ system: 's', value: 'QOTHER' }] })
    assert.deepEqual([await found('qval'), await found('qother')], [[], [id]])
    await patch(id, { admission_number: 'Q-NUMBER' })
    assert.deepEqual(await found('qother q-number'), [id])
    await patch(id, { identifiers: null })
    assert.deepEqual(await found('qother'), [])
    if (engine === 'sqlite') await checkSearchIndex(school.db)
  })

  it('are set by those who may create and change students, in their classes; they are not sensitive', async () => {
    const pair = [{ system: 'teacher', value: '1' }]
    const teacher = await personHolding(school, [
      ['students.view', 'students.create', 'students.update'],
      [3],
    ])
    const id = (await create(pair, teacher)).body.data.id
    assert.deepEqual((await read(id, teacher)).body.data.identifiers, pair)
    assert.equal((await patch(id, { identifiers: null }, teacher)).status, 200)
    const viewer = await school.person('viewer')
    assert.equal((await create(pair, viewer)).status, 403)
    assert.equal((await patch(id, { identifiers: pair }, viewer)).status, 403)
    assert.equal((await create(pair, await school.person())).status, 403)
    assert.equal(await shown(id), null)
  })

  it('are got by one of eight students, created or changed at once, and the others are told', async () => {
    for (let round = 0; round < 5; round++) {
      const pairs = [1, 2, 3].map((i) => ({ system: 'race', value: `${round} ${i}` }))
      const ids = await Promise.all([0, 1, 2, 3].map(() => created()))
      const answers = await Promise.all([
        ...ids.map((id, i) => patch(id, { identifiers: i % 2 ? pairs : pairs.toReversed() })),
        ...ids.map((_, i) => create(i % 2 ? pairs : pairs.toReversed())),
      ])
      const good = answers.filter(({ status }) => status < 300)
      assert.equal(good.length, 1)
      for (const answer of answers)
        if (answer.status >= 300) assertTaken(answer, taken(0), taken(1), taken(2))
      const holders = await school.db
        .selectFrom('student_identifiers')
        .select('student_id')
        .distinct()
        .where('value_key', 'like', `${round} %`)
        .execute()
      assert.deepEqual(holders, [{ student_id: good[0]!.body.data.id }])
    }
  })

  it('come back with the same Idempotency-Key, and are not taken twice', async () => {
    const body = {
      name: 'A',
      admission_number: 'idem',
      class_id: 1,
      identifiers: [{ system: 'i', value: '1' }],
    }
    const sending = { as: registrar, body, headers: { 'idempotency-key': '"once"' } }
    const [first, second] = [
      await school.send('POST', '/api/students', sending),
      await school.send('POST', '/api/students', sending),
    ]
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(first.body.data.id, second.body.data.id)
  })
})
