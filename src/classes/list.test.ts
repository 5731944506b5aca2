import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'

const labelsOf = ({ body }: Answer) => body.data.map(({ label }: { label: string }) => label)
const labels = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `Class ${from + i}`)

/** A school whose classes are these alone, in this order. */
async function schoolWith(...labels: string[]): Promise<{ school: School; registrar: Person }> {
  const school = await openSchool()
  const registrar = await school.person('registrar')
  await write(school.db, byTest, (db) => db.deleteFrom('classes').execute())
  for (const label of labels) {
    const answer = await school.post('/api/classes', { label }, registrar)
    assert.equal(answer.status, 201, answer.text)
  }
  return { school, registrar }
}

describe('GET /api/classes', () => {
  let school: School
  let viewer: Person
  let registrar: Person
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    registrar = await school.person('registrar')
    for (const class_id of [2, 3, 3, 3]) await school.student(registrar, { class_id })
  })
  const list = (query = '') => school.get(`/api/classes${query}`, viewer)

  it('gives a fresh school its twelve classes, each with its place and the number of its students', async () => {
    const { status, body } = await list()
    assert.equal(status, 200)
    assert.deepEqual(body.pagination, { total: 12, page: 1, per_page: 20, total_pages: 1 })
    assert.deepEqual(body.data.slice(0, 3), [
      { id: 1, label: 'Class 1', position: 1, archived: false, students: 0, version: 1 },
      { id: 2, label: 'Class 2', position: 2, archived: false, students: 1, version: 1 },
      { id: 3, label: 'Class 3', position: 3, archived: false, students: 3, version: 1 },
    ])
    assert.deepEqual(Object.keys(body.data[0]), [
      'id',
      'label',
      'position',
      'archived',
      'students',
      'version',
    ])
  })

  it('gives pages, with links from one to the next', async () => {
    const second = await list('?page=2&per_page=5')
    assert.deepEqual(labelsOf(second), labels(6, 10))
    assert.deepEqual(second.body.pagination, { total: 12, page: 2, per_page: 5, total_pages: 3 })
    assert.equal(
      second.headers.link,
      ['first', 'prev', 'next', 'last']
        .map((rel, i) => `</api/classes?page=${[1, 1, 3, 3][i]}&per_page=5>; rel="${rel}"`)
        .join(', '),
    )
  })

  it('gives an empty page past the end, with the same total', async () => {
    for (const query of ['?page=4&per_page=5', '?page=4&per_page=5&search=class']) {
      const { status, body } = await list(query)
      assert.equal(status, 200)
      assert.deepEqual([body.data, body.pagination.total], [[], 12])
    }
  })

  it('finds labels by words, and keeps the words in its links', async () => {
    const { body, headers } = await list('?search=CLASS%201&per_page=2')
    assert.deepEqual([body.data.length, body.pagination.total], [2, 4], 'Class 1, 10, 11 and 12')
    assert.match(String(headers.link), /page=2&per_page=2&search=CLASS%201>; rel="next"/)
  })

  const refused: [query: string, fault: string][] = [
    ['?archived=1', '/archived not_allowed'],
    ['?archived=True', '/archived not_allowed'],
    ['?per_page=0', '/per_page out_of_range'],
    ['?per_page=1001', '/per_page out_of_range'],
    ['?page=x', '/page wrong_type'],
    [`?search=${'x'.repeat(101)}`, '/search too_long'],
    ['?sort=label', '/sort unknown_parameter'],
  ]
  for (const [query, fault] of refused) {
    it(`refuses ${query.slice(0, 20)}`, async () => {
      const { status, body } = await list(query)
      assert.deepEqual([status, body.code], [422, 'validation_failed'])
      assert.deepEqual(
        body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
        [fault],
      )
    })
  }

  it('shows nothing to who may not view classes', async () => {
    const { status, body } = await school.get('/api/classes', await school.person())
    assert.deepEqual([status, body.code, body.data], [403, 'permission_denied', undefined])
  })
})

describe('the search among classes', () => {
  const all = ['5 Ä', '5 B (Müller)', 'Größe', '三年二班', '100%_x', 'Élèves CE1', 'elsewhere']
  let school: School
  let registrar: Person
  before(async () => {
    ;({ school, registrar } = await schoolWith(...all))
  })

  const searches: [search: string, found: string[]][] = [
    ['5', ['5 Ä', '5 B (Müller)']],
    ['5 a', ['5 Ä']],
    ['MULLER', ['5 B (Müller)']],
    ['muller 5', ['5 B (Müller)']],
    ['grosse', ['Größe']],
    ['二班', ['三年二班']],
    ['%_x', ['100%_x']],
    ['%', []],
    ['ÉLEVES', ['Élèves CE1']],
    ['ls', []],
    ['els', ['elsewhere']],
    ["'", []],
    ['\u0000', []],
    [' ', all],
    ['', all],
  ]
  for (const [search, found] of searches) {
    it(`finds ${found.length} by ${JSON.stringify(search)}`, async () => {
      const answer = await school.get(`/api/classes?search=${encodeURIComponent(search)}`, registrar)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(labelsOf(answer), found)
      assert.equal(answer.body.pagination.total, found.length)
    })
  }

  it('is among archived classes alone, or the others, where that is asked for', async () => {
    const [{ id }] = (await school.get('/api/classes?search=els', registrar)).body.data
    await school.send('PATCH', `/api/classes/${id}`, {
      as: registrar,
      body: { archived: true },
      headers: { 'if-match': '*' },
    })
    const found = async (query: string) => labelsOf(await school.get(`/api/classes?${query}`, registrar))
    assert.deepEqual(await found('archived=true'), ['elsewhere'])
    assert.deepEqual(await found('archived=false'), all.slice(0, -1))
    assert.deepEqual(await found('archived=true&search=else'), ['elsewhere'])
    assert.deepEqual(await found('archived=false&search=else'), [])
    assert.deepEqual(await found('archived='), all)
  })
})

describe('a long list of classes', () => {
  it('tells every class once, in its order', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const now = school.now().toISOString()
    const rows = Array.from({ length: 1500 }, (_, i) => ({
      label: `Many ${i}`,
      label_key: `many ${i}`,
      position: 2_000 - (i % 40),
      created_at: now,
      updated_at: now,
    }))
    await write(school.db, byTest, (db) => db.insertInto('classes').values(rows).execute())
    await school.student(registrar, { class_id: 1 })
    for (const search of ['', '&search=many']) {
      const seen: { id: number; position: number }[] = []
      for (let page = 1; page <= 2; page++) {
        const { body } = await school.get(`/api/classes?per_page=1000&page=${page}${search}`, registrar)
        assert.equal(body.pagination.total, search ? 1500 : 1512)
        seen.push(...body.data)
      }
      assert.equal(new Set(seen.map(({ id }) => id)).size, search ? 1500 : 1512)
      const sorted = seen.toSorted((a, b) => a.position - b.position || a.id - b.id)
      assert.deepEqual(seen, sorted)
    }
  })
})

describe('GET /api/classes/{id}', () => {
  let school: School
  let viewer: Person
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    await school.student(await school.person('registrar'), { class_id: 7 })
  })

  it('gives the class, with an entity tag', async () => {
    const { status, body, headers } = await school.get('/api/classes/7', viewer)
    assert.equal(status, 200)
    const data = { id: 7, label: 'Class 7', position: 7, archived: false, students: 1, version: 1 }
    assert.deepEqual(body, { success: true, data })
    assert.match(String(headers.etag), /^"[^"]+"$/)
  })

  it('gives nothing but 304 to who has it already', async () => {
    const tag = String((await school.get('/api/classes/7', viewer)).headers.etag)
    const headers = { 'if-none-match': `"0", W/${tag}` }
    const answer = await school.send('GET', '/api/classes/7', { as: viewer, headers })
    assert.deepEqual([answer.status, answer.text, answer.headers.etag], [304, '', tag])
    const other = await school.send('GET', '/api/classes/7', {
      as: viewer,
      headers: { 'if-none-match': '"2"' },
    })
    assert.equal(other.status, 200)
  })

  for (const id of ['0', '13', '007', '9007199254740993', '9'.repeat(30)]) {
    it(`finds no class ${id}`, async () => {
      const { status, body } = await school.get(`/api/classes/${id}`, viewer)
      assert.deepEqual([status, body.code], [404, 'class_not_found'])
      assert.match(body.detail, /GET \/api\/classes/)
    })
  }

  it('refuses what is no id', async () => {
    const { status, body } = await school.get('/api/classes/seven', viewer)
    assert.deepEqual([status, body.errors[0].pointer], [422, '/id'])
  })
})
