import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'

let school: School
let registrar: Person
let viewer: Person
let last = 0
before(async () => {
  school = await openSchool()
  registrar = await school.person('registrar')
  viewer = await school.person('viewer')
  const admin = await school.person('administrator')
  const fields = [
    { label: 'House', kind: 'one_of', options: ['Red', 'Blue'] },
    { label: 'Bus', kind: 'yes_no' },
    { label: 'X', key: 'x', kind: 'text' },
  ]
  for (const field of fields) assert.equal((await school.post('/api/fields', field, admin)).status, 201)
})

const usualPrint = { title: null, orientation: 'portrait', rows_per_page: null }
const create = (given: object, as = registrar) =>
  school.post('/api/lists', { name: `List ${++last}`, ...given }, as)
async function created(given: object = {}): Promise<number> {
  const answer = await create(given)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data.id
}
const patch = (id: number, body: object, { as = registrar, tag = '*' } = {}) =>
  school.send('PATCH', `/api/lists/${id}`, { as, body, headers: { 'if-match': tag } })
const remove = (id: number, { as = registrar, tag = '*' } = {}) =>
  school.send('DELETE', `/api/lists/${id}`, { as, headers: { 'if-match': tag } })
const stored = () => school.db.selectFrom('named_lists').selectAll().orderBy('id').execute()
/** The logged changes of a list, in their order. */
const events = (id: number) =>
  school.db
    .selectFrom('events')
    .select(['action', 'fields'])
    .where('record', '=', 'list')
    .where('record_id', '=', id)
    .orderBy('change_set_id')
    .execute()
async function assertRefused(
  answer: Promise<{ status: number; body: { code: string } }>,
  refusal: unknown[],
) {
  const before = await stored()
  const { status, body } = await answer
  assert.deepEqual([status, body.code], refusal)
  assert.deepEqual(await stored(), before, 'nothing was written')
}

describe('POST /api/lists', () => {
  it('takes fifty filters at most, also bit by bit', async () => {
    const some = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [nameOf(from + i), 'true']))
    const nameOf = (i: number) => `fields.f${i >> 1}${i % 2 === 0 ? '' : '.empty'}`
    const admin = await school.person('administrator')
    for (let i = 0; i <= 30; i++) {
      const field = { label: `F ${i}`, key: `f${i}`, kind: 'yes_no' }
      assert.equal((await school.post('/api/fields', field, admin)).status, 201)
    }
    await assertRefused(create({ filters: some(0, 51) }), [422, 'validation_failed'])
    const id = await created({ filters: some(0, 50) })
    assert.equal((await patch(id, { filters: { 'fields.f0': null, 'fields.f25': 'true' } })).status, 200)
    await assertRefused(patch(id, { filters: some(60, 1) }), [422, 'validation_failed'])
    assert.equal((await remove(id)).status, 200)
  })

  it('makes a list with all that it asks for, which everyone reads who may view students', async () => {
    const given = {
      name: ' Year 7, girls ',
      filters: {
        search: 'zoe',
        class_id: [3, 5],
        gender: 'female',
        'date_of_birth.from': '2014-01-01',
        'date_of_birth.to': '2014-12-31',
        'notes.empty': 'true',
        guardian: '901820',
        'fields.house': 'Red',
        'fields.bus.empty': 'false',
      },
      columns: ['name', 'guardians', 'fields.house'],
      order: '-name',
      print: { title: 'Our year', orientation: 'landscape', rows_per_page: 30 },
    }
    const id = await created(given)
    const teacher = await personHolding(school, [['students.view'], [3]])
    for (const as of [viewer, teacher]) {
      const { status, body } = await school.get(`/api/lists/${id}`, as)
      assert.equal(status, 200)
      assert.deepEqual(body.data, { id, ...given, name: 'Year 7, girls', version: 1 })
    }
    const [event] = await events(id)
    assert.equal(event!.action, 'created')
    assert.deepEqual(JSON.parse(event!.fields).columns, [null, given.columns])
  })

  it('needs a name alone', async () => {
    const id = await created({ name: 'Everybody' })
    const { body } = await school.get(`/api/lists/${id}`, viewer)
    const rest = { filters: {}, columns: null, order: 'id', print: usualPrint, version: 1 }
    assert.deepEqual(body.data, { id, name: 'Everybody', ...rest })
  })

  it('takes a name once, whatever its case, width or dash', async () => {
    await created({ name: 'Trip – May' })
    const answer = await create({ name: 'TRIP - may' })
    assert.deepEqual([answer.status, answer.body.code], [409, 'list_name_taken'])
    assert.equal(answer.body.errors[0].pointer, '/name')
  })

  it('makes one list of a request that comes twice with one key', async () => {
    const body = { name: 'Once' }
    const headers = { 'idempotency-key': 'once' }
    const send = () => school.send('POST', '/api/lists', { as: registrar, body, headers })
    const [first, second] = [await send(), await send()]
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(first.body.data.id, second.body.data.id)
  })

  const faults: [what: string, given: object, pointer: string, code: string][] = [
    ['an empty name', { name: ' ' }, '/name', 'too_short'],
    ['an invisible name', { name: 'a\u200b' }, '/name', 'invalid_format'],
    ['an unknown filter', { filters: { surname: 'x' } }, '/filters/surname', 'unknown_member'],
    ['a page', { filters: { page: '1' } }, '/filters/page', 'unknown_member'],
    ['a class that is no id', { filters: { class_id: ['3'] } }, '/filters/class_id/0', 'wrong_type'],
    ['no class', { filters: { class_id: [] } }, '/filters/class_id', 'too_few'],
    [
      'no day',
      { filters: { 'date_of_birth.to': '2014-02-30' } },
      '/filters/date_of_birth.to',
      'invalid_format',
    ],
    [
      'days in the wrong order',
      { filters: { 'date_of_birth.from': '2014-02-02', 'date_of_birth.to': '2014-02-01' } },
      '/filters/date_of_birth.to',
      'invalid',
    ],
    ['three digits of a phone number', { filters: { guardian: '182' } }, '/filters/guardian', 'too_short'],
    ['neither true nor false', { filters: { 'email.empty': 'no' } }, '/filters/email.empty', 'not_allowed'],
    ['a field without a key', { filters: { 'fields.': 'x' } }, '/filters/fields.', 'unknown_member'],
    [
      'an own field that is not there',
      { filters: { 'fields.haus': 'Red' } },
      '/filters/fields.haus',
      'unknown_member',
    ],
    ['an unknown option', { filters: { 'fields.house': 'Green' } }, '/filters/fields.house', 'not_allowed'],
    ['an own column that is not there', { columns: ['name', 'fields.haus'] }, '/columns/1', 'not_allowed'],
    ['null as a filter', { filters: { gender: null } }, '/filters/gender', 'wrong_type'],
    ['an unknown column', { columns: ['name', 'password_hash'] }, '/columns/1', 'not_allowed'],
    ['a column twice', { columns: ['name', 'name'] }, '/columns/1', 'duplicate'],
    ['no column', { columns: [] }, '/columns', 'too_few'],
    ['an unknown order', { order: 'height' }, '/order', 'not_allowed'],
    ['a sheet without rows', { print: { rows_per_page: 0 } }, '/print/rows_per_page', 'out_of_range'],
    ['an unknown paper', { print: { orientation: 'round' } }, '/print/orientation', 'not_allowed'],
    ['students', { students: [1] }, '/students', 'unknown_member'],
  ]
  for (const [what, given, pointer, code] of faults) {
    it(`refuses ${what}, and says where`, async () => {
      const answer = await create(given)
      assert.equal(answer.status, 422, answer.text)
      const found = answer.body.errors.map((fault: { pointer: string; code: string }) => [
        fault.pointer,
        fault.code,
      ])
      assert.deepEqual(found, [[pointer, code]])
    })
  }

  it('tells all that is wrong with a list at once, and so does PATCH', async () => {
    const wrong = {
      columns: ['name', 'name', 'height', 'fields.haus'],
      filters: {
        search: 'a b c d e f g h i j k',
        guardian: 'a b c d e f g h i j k',
        'date_of_birth.from': '2014-02-02',
        'date_of_birth.to': '2014-02-01',
        'fields.haus': 'Red',
        'fields.house': 'Green',
      },
    }
    const id = await created()
    for (const answer of [await create(wrong), await patch(id, wrong)]) {
      assert.equal(answer.status, 422, answer.text)
      const found = answer.body.errors.map((fault: { pointer: string; code: string }) => [
        fault.pointer,
        fault.code,
      ])
      assert.deepEqual(found, [
        ['/columns/1', 'duplicate'],
        ['/columns/2', 'not_allowed'],
        ['/columns/3', 'not_allowed'],
        ['/filters/date_of_birth.to', 'invalid'],
        ['/filters/search', 'too_many_words'],
        ['/filters/guardian', 'too_many_words'],
        ['/filters/fields.haus', 'unknown_member'],
        ['/filters/fields.house', 'not_allowed'],
      ])
    }
  })

  it('is for those who hold lists.manage for all classes', async () => {
    const teacher = await personHolding(school, [['students.view', 'lists.manage'], [3]])
    for (const as of [viewer, teacher]) await assertRefused(create({}, as), [403, 'permission_denied'])
  })
})

describe('GET /api/lists', () => {
  it('pages the lists in the order of ids, with the exact total', async () => {
    await created()
    const total = (await stored()).length
    const { body, headers } = await school.get('/api/lists?per_page=1&page=2', viewer)
    assert.equal(body.pagination.total, total)
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      [(await stored())[1]!.id],
    )
    assert.match(String(headers.link), /<\/api\/lists\?page=1&per_page=1>; rel="first"/)
  })

  it('is not for those who may view no student', async () => {
    const clerk = await personHolding(school, [['students.create', 'lists.manage'], 'all'])
    assert.equal((await school.get('/api/lists', clerk)).status, 403)
    assert.equal((await school.get('/api/lists/1', clerk)).status, 403)
  })

  it('is 404 for a list that is not there', async () => {
    const answer = await school.get('/api/lists/999999', viewer)
    assert.deepEqual([answer.status, answer.body.code], [404, 'list_not_found'])
  })
})

describe('PATCH /api/lists/{id}', () => {
  it('changes what it names, in filters and print too, and takes a filter away with null', async () => {
    const id = await created({
      filters: { gender: 'female', class_id: [3] },
      columns: ['name'],
      print: { title: 'A', rows_per_page: 20 },
    })
    const { headers } = await school.get(`/api/lists/${id}`, viewer)
    const change = {
      filters: { gender: null, 'notes.empty': 'false' },
      columns: null,
      print: { title: null, orientation: 'landscape' },
    }
    const answer = await patch(id, change, { tag: String(headers.etag) })
    assert.equal(answer.status, 200, answer.text)
    const { filters, columns, print, version } = answer.body.data
    assert.deepEqual(filters, { class_id: [3], 'notes.empty': 'false' })
    assert.deepEqual([columns, version], [null, 2])
    assert.deepEqual(print, { title: null, orientation: 'landscape', rows_per_page: 20 })
    assert.deepEqual((await school.get(`/api/lists/${id}`, viewer)).body.data, answer.body.data)
    assert.notEqual(answer.headers.etag, headers.etag)
    const [, event] = await events(id)
    assert.deepEqual(Object.keys(JSON.parse(event!.fields)), ['filters', 'columns', 'print'])
  })

  it('makes no version, and no entry in the log, where nothing differs', async () => {
    const id = await created({ order: 'name' })
    const answer = await patch(id, { order: 'name', filters: {} })
    assert.equal(answer.body.data.version, 1)
    assert.equal((await events(id)).length, 1)
  })

  it('changes only the version that was read', async () => {
    const id = await created()
    const { headers } = await school.get(`/api/lists/${id}`, viewer)
    await patch(id, { order: 'name' })
    const late = patch(id, { order: '-name' }, { tag: String(headers.etag) })
    await assertRefused(late, [412, 'precondition_failed'])
    const without = school.send('PATCH', `/api/lists/${id}`, { as: registrar, body: {} })
    await assertRefused(without, [428, 'precondition_required'])
  })

  it('changes the name of a list whose search has too many words from before they were counted', async () => {
    const id = await created({ filters: { search: 'zoe' } })
    const filters = JSON.stringify({ search: 'a b c d e f g h i j k' })
    await write(school.db, byTest, (db) =>
      db.updateTable('named_lists').set({ filters }).where('id', '=', id).execute(),
    )
    assert.equal((await patch(id, { name: 'Many words' })).status, 200)
    assert.equal((await patch(id, { filters: { gender: 'female' } })).status, 422)
    assert.equal((await patch(id, { filters: { search: 'zoe' } })).status, 200)
  })

  it("refuses another list's name, what a list cannot ask for, and lists that are not there", async () => {
    const [id] = [await created(), await created({ name: 'Other' })]
    await assertRefused(patch(id, { name: 'other' }), [409, 'list_name_taken'])
    await assertRefused(patch(id, { columns: ['x'] }), [422, 'validation_failed'])
    await assertRefused(patch(id, { filters: { 'fields.X': 'y' } }), [422, 'validation_failed'])
    await assertRefused(patch(999_999, { name: 'New' }), [404, 'list_not_found'])
    await assertRefused(patch(id, { name: 'New' }, { as: viewer }), [403, 'permission_denied'])
  })

  it('shows the id alone to those who may view no student', async () => {
    const id = await created()
    const clerk = await personHolding(school, [['lists.manage'], 'all'])
    const answer = await patch(id, { order: 'name' }, { as: clerk })
    assert.deepEqual([answer.status, answer.body.data], [200, { id }])
  })
})

describe('DELETE /api/lists/{id}', () => {
  it('deletes the version that was read, and frees the name', async () => {
    const id = await created({ name: 'Short-lived' })
    await assertRefused(remove(id, { tag: '"1"' }), [412, 'precondition_failed'])
    await assertRefused(remove(id, { as: viewer }), [403, 'permission_denied'])
    assert.equal((await remove(id)).status, 200)
    assert.equal((await school.get(`/api/lists/${id}`, viewer)).status, 404)
    const event = (await events(id)).at(-1)!
    assert.deepEqual([event.action, JSON.parse(event.fields).name], ['removed', ['Short-lived', null]])
    const again = await created({ name: 'Short-lived' })
    assert.ok(again > id, 'an id is never used again')
  })
})

describe('the two-hundredth list', () => {
  it('is the last, also when two are made at once', async () => {
    const now = school.now().toISOString()
    const room = 199 - (await stored()).length
    const rows = Array.from({ length: room }, (_, i) => ({
      name: `Filler ${i}`,
      name_key: `filler ${i}`,
      filters: '{}',
      columns: null,
      sorted_by: 'id',
      print: JSON.stringify(usualPrint),
      created_at: now,
      updated_at: now,
    }))
    await write(school.db, byTest, (db) => db.insertInto('named_lists').values(rows).execute())
    const answers = await Promise.all([create({}), create({}), create({})])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
    await assertRefused(create({}), [409, 'too_many_lists'])
  })
})
