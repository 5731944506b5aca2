import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'

const idsOf = ({ body }: Answer) => body.data.map(({ id }: { id: number }) => id)
const withoutRequestId = ({ status, body, headers }: Answer) => ({
  status,
  body: { ...body, request_id: undefined },
  challenge: headers['www-authenticate'],
})

describe('who may view or manage some classes alone', () => {
  let school: School
  let registrar: Person
  let head: Person
  let idle: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    head = await personHolding(school, [['classes.view'], [2, 5, 11]], [['classes.manage'], [5, 11]])
    idle = await personHolding(school, [['classes.view', 'classes.manage'], []])
    for (const class_id of [2, 3, 5]) await school.student(registrar, { class_id })
  })
  const asHead = (method: string, id: number, body?: object, ifMatch = '*') =>
    school.send(method, `/api/classes/${id}`, { as: head, body, headers: { 'if-match': ifMatch } })

  it('lists, counts and finds those alone', async () => {
    const list = await school.get('/api/classes', head)
    assert.deepEqual([idsOf(list), list.body.pagination.total], [[2, 5, 11], 3])
    const found = await school.get('/api/classes?search=1', head)
    assert.deepEqual([idsOf(found), found.body.pagination.total], [[11], 1])
    const page = await school.get('/api/classes?per_page=2&page=2', head)
    assert.deepEqual([idsOf(page), page.body.pagination.total_pages], [[11], 2])
    assert.deepEqual(idsOf(await school.get('/api/classes?search=3', head)), [])
    assert.deepEqual(idsOf(await school.get('/api/classes?archived=true', head)), [])
  })

  it('finds another class as little as one that is not there', async () => {
    assert.equal((await school.get('/api/classes/2', head)).status, 200)
    const [other, absent] = [
      await school.get('/api/classes/3', head),
      await school.get('/api/classes/99', head),
    ]
    assert.deepEqual(withoutRequestId(other), withoutRequestId(absent))
    assert.deepEqual([other.status, other.body.code, other.headers.etag], [404, 'class_not_found', undefined])
    const headers = { 'if-none-match': String((await school.get('/api/classes/3', registrar)).headers.etag) }
    const conditional = await school.send('GET', '/api/classes/3', { as: head, headers })
    assert.equal(conditional.status, 404)
  })

  it('is shown the id alone of a class that it changes and may not view', async () => {
    const manager = await personHolding(school, [['classes.manage'], [3]])
    const answer = await school.send('PATCH', '/api/classes/3', {
      as: manager,
      body: {},
      headers: { 'if-match': '*' },
    })
    assert.deepEqual([answer.status, answer.body.data], [200, { id: 3 }])
    assert.equal(answer.headers.etag, (await school.get('/api/classes/3', registrar)).headers.etag)
  })

  it('changes those that it manages, and no other, whether or not it sees them', async () => {
    const own = await asHead('PATCH', 5, { label: ' Class 5', position: 50, archived: true })
    const changed = { id: 5, label: 'Class 5', position: 50, archived: true, students: 1, version: 2 }
    assert.deepEqual([own.status, own.body.data], [200, changed])
    const restored = await asHead('PATCH', 5, { position: 5, archived: false }, String(own.headers.etag))
    assert.deepEqual([restored.status, restored.body.data.archived], [200, false])
    const absent = await asHead('PATCH', 99, { label: 'Taken over' }, '"7"')
    for (const id of [2, 3]) {
      const before = (await school.get(`/api/classes/${id}`, registrar)).body
      const tag = String((await school.get(`/api/classes/${id}`, registrar)).headers.etag)
      for (const ifMatch of ['*', tag, '"7"']) {
        const other = await asHead('PATCH', id, { label: 'Taken over' }, ifMatch)
        assert.deepEqual(withoutRequestId(other), withoutRequestId(absent))
      }
      assert.deepEqual((await school.get(`/api/classes/${id}`, registrar)).body, before)
    }
    assert.equal(absent.status, 404)
  })

  it('creates and deletes none, and is told what that needs before anything else is looked at', async () => {
    const before = await school.count('classes')
    const post = (payload: string) =>
      school.send('POST', '/api/classes', {
        as: head,
        payload,
        headers: { 'content-type': 'application/json' },
      })
    const answers = [
      await post('{"label":"Mine"}'),
      await post('{"label":""}'),
      await post('{'),
      await asHead('DELETE', 11),
      await asHead('DELETE', 3),
      await asHead('DELETE', 99, undefined, '"7"'),
      await school.send('DELETE', '/api/classes/11', { as: head }),
    ]
    for (const answer of answers) assert.deepEqual(withoutRequestId(answer), withoutRequestId(answers[0]!))
    const { status, body, headers } = answers[0]!
    assert.deepEqual([status, body.code], [403, 'permission_denied'])
    assert.match(body.detail, /classes\.manage for all classes; you hold it for some/)
    assert.match(String(headers['www-authenticate']), /insufficient_scope.*classes\.manage/)
    assert.equal(await school.count('classes'), before)
  })

  it('sees nothing at all with a grant for no class', async () => {
    for (const query of ['', '?search=class', '?archived=false']) {
      const { status, body } = await school.get(`/api/classes${query}`, idle)
      assert.deepEqual([status, body.data, body.pagination.total], [200, [], 0])
    }
    assert.equal((await school.get('/api/classes/1', idle)).status, 404)
  })

  it('renames none, its own neither: that a label is taken would tell of a class that it does not see', async () => {
    const { body: before, headers } = await school.get('/api/classes/11', registrar)
    const tag = String(headers.etag)
    const answers = [
      await asHead('PATCH', 11, { label: 'CLASS 3' }), // taken, and not seen
      await asHead('PATCH', 11, { label: 'Class 5' }), // taken, and its own
      await asHead('PATCH', 11, { label: 'Of nobody' }),
      await asHead('PATCH', 11, { label: 'class 11' }),
      await asHead('PATCH', 11, { label: 'Of nobody', position: 1, archived: true }, tag),
      await asHead('DELETE', 11),
    ]
    for (const answer of answers) assert.deepEqual(withoutRequestId(answer), withoutRequestId(answers[0]!))
    assert.deepEqual([answers[0]!.status, answers[0]!.body.code], [403, 'permission_denied'])
    assert.deepEqual((await school.get('/api/classes/11', registrar)).body, before)
  })

  it('is told that somebody else renamed a class, when it sends the label of before', async () => {
    const tag = String((await school.get('/api/classes/11', registrar)).headers.etag)
    const headers = { 'if-match': tag }
    const rename = { as: registrar, body: { label: 'Renamed' }, headers }
    assert.equal((await school.send('PATCH', '/api/classes/11', rename)).status, 200)
    const late = await asHead('PATCH', 11, { label: 'Class 11', position: 1 }, tag)
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'])
  })
})

describe('who may manage all classes, and view some', () => {
  it('changes every class, and lists those alone', async () => {
    const school = await openSchool()
    const person = await personHolding(school, [['classes.manage'], 'all'], [['classes.view'], [4]])
    const headers = { 'if-match': '*' }
    const answer = await school.send('PATCH', '/api/classes/1', {
      as: person,
      body: { label: 'Owls', position: 99 },
      headers,
    })
    assert.deepEqual([answer.status, answer.body.data], [200, { id: 1 }])
    const { label, position } = (await school.get('/api/classes/1', await school.person('viewer'))).body.data
    assert.deepEqual([label, position], ['Owls', 99])
    assert.deepEqual(idsOf(await school.get('/api/classes', person)), [4])
    assert.equal((await school.send('DELETE', '/api/classes/1', { as: person, headers })).status, 200)
  })
})
