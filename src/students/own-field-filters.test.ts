import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe("GET /api/students, by the school's own fields", () => {
  let school: School
  let admin: Person
  let viewer: Person
  const ids: Record<string, number> = {}
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    viewer = await school.person('viewer')
    const fields = [
      { label: 'House', kind: 'one_of', options: ['Oak', 'Elm'] },
      { label: 'Clubs', kind: 'several_of', options: ['Chess', 'Choir'] },
      { label: 'Bus', kind: 'yes_no' },
      { label: 'Nickname', kind: 'text' },
      { label: 'Plan', kind: 'yes_no', sensitive: true },
    ]
    for (const field of fields) assert.equal((await school.post('/api/fields', field, admin)).status, 201)
    const create = async (name: string, class_id: number, own: object) => {
      const body = { name, admission_number: name, class_id, fields: own }
      const answer = await school.post('/api/students', body, admin)
      assert.equal(answer.status, 201, answer.text)
      ids[name] = answer.body.data.id
    }
    await create('Anna', 1, { house: 'Oak', clubs: ['Chess', 'Choir'], bus: true, plan: true })
    await create('Ben', 2, { house: 'Elm', clubs: ['Choir'], bus: false, nickname: 'Benny "B"' })
    await create('Cleo', 2, {})
  })

  const list = (query: string, as = admin) => school.get(`/api/students?${query}`, as)
  const names = async (query: string, as = admin) => {
    const { status, body, text } = await list(query, as)
    assert.equal(status, 200, text)
    assert.equal(body.pagination.total, body.data.length)
    return body.data.map(({ name }: { name: string }) => name)
  }

  it('are filtered by what can be chosen, and by what is missing', async () => {
    assert.deepEqual(await names('fields.house=Oak'), ['Anna'])
    assert.deepEqual(await names('fields.clubs=Choir'), ['Anna', 'Ben'])
    assert.deepEqual(await names('fields.bus=false'), ['Ben'])
    assert.deepEqual(await names('fields.bus.empty=true'), ['Cleo'])
    assert.deepEqual(await names('fields.nickname.empty=false'), ['Ben'])
    assert.deepEqual(await names('fields.clubs=Choir&class_id=2&sort=-name'), ['Ben'])
    assert.deepEqual(await names('fields.clubs=Choir&search=ann'), ['Anna'])
    assert.deepEqual(await names('fields.house=Oak&fields.bus=false'), [])
  })

  it('are shown in the columns that are asked for', async () => {
    const { body } = await list('columns=name,fields.house,fields.clubs,fields.bus,fields.nickname')
    assert.deepEqual(body.data, [
      {
        name: 'Anna',
        'fields.house': 'Oak',
        'fields.clubs': ['Chess', 'Choir'],
        'fields.bus': true,
        'fields.nickname': null,
      },
      {
        name: 'Ben',
        'fields.house': 'Elm',
        'fields.clubs': ['Choir'],
        'fields.bus': false,
        'fields.nickname': 'Benny "B"',
      },
      {
        name: 'Cleo',
        'fields.house': null,
        'fields.clubs': null,
        'fields.bus': null,
        'fields.nickname': null,
      },
    ])
  })

  it('are refused where there is no such field, value or filter', async () => {
    for (const [query, pointer, code] of [
      ['fields.nothing=1', '/fields.nothing', 'unknown_member'],
      ['fields.house=Ash', '/fields.house', 'not_allowed'],
      ['fields.bus=yes', '/fields.bus', 'not_allowed'],
      ['fields.nickname=Benny', '/fields.nickname', 'invalid'],
      ['fields.bus.empty=perhaps', '/fields.bus.empty', 'not_allowed'],
      ['columns=name,fields.nothing', '/columns', 'not_allowed'],
    ] as const) {
      const { status, body, text } = await list(query)
      assert.deepEqual([status, body.errors?.[0].pointer, body.errors?.[0].code], [422, pointer, code], text)
    }
  })

  it('are sensitive where their field is', async () => {
    for (const query of ['fields.plan=true', 'fields.plan.empty=true', 'columns=name,fields.plan']) {
      const { status, body } = await list(query, viewer)
      assert.deepEqual([status, body.code], [403, 'permission_denied'], query)
    }
    assert.deepEqual(await names('fields.plan=true'), ['Anna'])
    assert.deepEqual(await names('fields.house=Oak', viewer), ['Anna'])
    const teacher = await personHolding(school, [['students.view', 'students.sensitive'], [2]])
    assert.deepEqual(await names('fields.plan.empty=true', teacher), ['Ben', 'Cleo'])
  })

  it('are unknown once their field is archived', async () => {
    const { data } = (await school.get('/api/fields', admin)).body
    const bus = data.find(({ key }: { key: string }) => key === 'bus')
    const archive = { as: admin, body: { archived: true }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', `/api/fields/${bus.id}`, archive)).status, 200)
    assert.equal((await list('fields.bus=true')).body.errors[0].code, 'unknown_member')
    assert.equal((await list('columns=fields.bus')).status, 422)
  })
})
