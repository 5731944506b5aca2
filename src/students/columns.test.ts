import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { insertRecorded, type RecordedStudent } from '../../test/recorded-students.ts'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'
import { sensitiveMembers } from './details.ts'
import { listColumns } from './lists/columns.ts'
import { optionalFields } from './lists/filter.ts'

const names = listColumns.map(({ name }) => name)
const isSensitive = (name: string) => (sensitiveMembers as readonly string[]).includes(name)
const plain = names.filter((name) => !isSensitive(name))

/** Every way to ask for something sensitive. */
const sensitiveQueries = [
  ...sensitiveMembers.flatMap((name) => [`columns=id,${name}`, `${name}.empty=true`, `${name}.empty=false`]),
  'gender=female',
  'date_of_birth.from=2014-01-01',
  'date_of_birth.to=2014-01-01',
  'sort=date_of_birth',
  'sort=-date_of_birth',
]

describe('GET /api/students?columns=', () => {
  let school: School
  let students: RecordedStudent[]
  let registrar: Person
  let viewer: Person
  before(async () => {
    school = await openSchool()
    students = await insertRecorded(school.db, 40)
    registrar = await school.person('registrar')
    viewer = await school.person('viewer')
  })

  const list = (query: string, as: Person) => school.get(`/api/students?${query}`, as)

  function assertDenied(answer: Answer, what: string): void {
    assert.deepEqual([answer.status, answer.body.code], [403, 'permission_denied'], `${what} ${answer.text}`)
    assert.match(String(answer.headers['www-authenticate']), /scope="students.sensitive"/)
    assert.ok(!('data' in answer.body))
  }

  it('shows each student with just these members, in the order in which they are asked for', async () => {
    for (const asked of [names, names.toReversed(), ['class'], ['guardians', 'id']]) {
      const { body, text } = await list(`columns=${asked}&per_page=100`, registrar)
      const shown = students.map((student) =>
        Object.fromEntries(asked.map((name) => [name, student[name as keyof RecordedStudent]])),
      )
      assert.deepEqual(body.data, shown, text)
      for (const row of body.data) assert.deepEqual(Object.keys(row), asked)
    }
  })

  it('is to the letter what the record shows, and the list as ever without it', async () => {
    const { data: rows } = (await list('per_page=100', registrar)).body
    const same = (await list('columns=id,name,admission_number,class_id,class&per_page=100', registrar)).body
    assert.deepEqual(same.data, rows)
    const optional = optionalFields.join()
    for (const { id, ...row } of (await list(`columns=id,${optional}&per_page=100`, registrar)).body.data) {
      const record = (await school.get(`/api/students/${id}`, registrar)).body.data
      assert.deepEqual(row, Object.fromEntries(optionalFields.map((name) => [name, record[name]])))
    }
    assert.deepEqual(
      (await list('columns=', registrar)).body,
      (await list('', registrar)).body,
      'empty: absent',
    )
  })

  for (const asked of [
    'size',
    'id,size',
    'id,id',
    'id,',
    ',id',
    'id, name',
    'ID',
    'students.id',
    '*',
    'fields.house',
    'version',
    'admission_key',
    "id' as x",
    'constructor',
  ]) {
    it(`refuses columns=${asked}, and tells which there are`, async () => {
      const answer = await list(`columns=${encodeURIComponent(asked)}`, registrar)
      assert.equal(answer.status, 422, answer.text)
      const [{ pointer, code, detail, params }] = answer.body.errors
      assert.deepEqual([pointer, code], ['/columns', 'not_allowed'])
      assert.deepEqual(params, { accepted: names })
      assert.ok(detail.endsWith(`accepted are: ${names.join(', ')}, fields.KEY`))
    })
  }

  const refused: [query: string, pointer: string, code: string][] = [
    [`columns=${'a'.repeat(4_001)}`, '/columns', 'too_long'],
    ['email.empty=yes', '/email.empty', 'not_allowed'],
    ['name.empty=true', '/name.empty', 'unknown_parameter'],
    ['id.empty=true', '/id.empty', 'unknown_parameter'],
    ['date_of_birth=2014-01-01', '/date_of_birth', 'unknown_parameter'],
    ['date_of_birth.from=2014-02-30', '/date_of_birth.from', 'invalid_format'],
    ['date_of_birth.to=1.2.2014', '/date_of_birth.to', 'invalid_format'],
    ['date_of_birth.from=2014-01-02&date_of_birth.to=2014-01-01', '/date_of_birth.to', 'invalid'],
    ['guardian=%2B49 (0)', '/guardian', 'too_short'],
    ['guardian=182', '/guardian', 'too_short'],
    [`gender=${'a'.repeat(51)}`, '/gender', 'too_long'],
    ['sort=gender', '/sort', 'not_allowed'],
    ['class_id=3&class_id=x', '/class_id', 'wrong_type'],
    ['class_id=3&class_id=0', '/class_id', 'out_of_range'],
    [Array(501).fill('class_id=3').join('&'), '/class_id', 'too_many'],
  ]
  for (const [query, pointer, code] of refused) {
    it(`refuses ?${query.slice(0, 40)}`, async () => {
      const answer = await list(query, registrar)
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(
        answer.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
        [[pointer, code]],
      )
    })
  }

  for (const query of [
    'columns=id&columns=name',
    'gender=x&gender=y',
    'email.empty=true&email.empty=false',
    'date_of_birth.from=2014-01-01&date_of_birth.from=2014-01-01',
  ]) {
    it(`refuses ?${query}: only a class may stand more than once`, async () => {
      const answer = await list(query, registrar)
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_request'])
    })
  }

  it('shows nothing sensitive, and finds and orders by nothing sensitive, without students.sensitive', async () => {
    for (const query of sensitiveQueries) {
      assertDenied(await list(query, viewer), query)
      assertDenied(await list(`${query}&class_id=3&search=zoe`, viewer), query)
      assert.equal((await list(query, registrar)).status, 200, query)
    }
    const { body } = await list(`columns=${plain}&per_page=100`, viewer)
    assert.equal(body.data.length, students.length)
    for (const field of optionalFields.filter((name) => !isSensitive(name)))
      assert.equal((await list(`${field}.empty=false`, viewer)).status, 200)
    assert.equal((await list('sort=-family_name', viewer)).status, 200)
  })

  it('takes students.sensitive for all classes that are asked for, of those that the caller sees', async () => {
    const teacher = await personHolding(
      school,
      [['students.view'], [2, 3, 5]],
      [['students.sensitive'], [2, 5]],
    )
    for (const query of sensitiveQueries) {
      assertDenied(await list(query, teacher), query)
      assertDenied(await list(`${query}&class_id=2&class_id=3`, teacher), query)
      for (const classes of ['class_id=2', 'class_id=5&class_id=2', 'class_id=2&class_id=4&class_id=999']) {
        const { status, body, text } = await list(`${query}&${classes}`, teacher)
        assert.equal(status, 200, text)
        assert.ok(
          body.pagination.total <= students.filter(({ class_id }) => [2, 5].includes(class_id)).length,
        )
      }
    }
    const { body } = await list('columns=class_id,gender&class_id=5&class_id=4', teacher)
    const ofClass = students.filter(({ class_id }) => class_id === 5)
    assert.deepEqual(
      body.data,
      ofClass.slice(0, 20).map(({ class_id, gender }) => ({ class_id, gender })),
    )
  })

  it('shows everybody else of one class nothing: neither who holds it elsewhere nor who may not view', async () => {
    const elsewhere = await personHolding(school, [['students.view'], 'all'], [['students.sensitive'], [2]])
    assertDenied(await list('columns=notes', elsewhere), 'all')
    assertDenied(await list('columns=notes&class_id=3', elsewhere), '3')
    assert.equal((await list('columns=notes&class_id=2', elsewhere)).status, 200)
    const clerk = await personHolding(school, [['students.sensitive', 'students.update'], 'all'])
    const answer = await list('columns=notes', clerk)
    assert.match(String(answer.headers['www-authenticate']), /scope="students.view"/)
    const starter = await personHolding(school, [['students.view', 'students.sensitive'], []])
    assert.deepEqual((await list('columns=notes', starter)).body.data, [], 'of no class nothing is told')
  })

  it('tells all that is wrong at once, of a list and of an export: the columns and each filter', async () => {
    const query =
      'columns=nix&guardian=12&search=a+b+c+d+e+f+g+h+i+j+k&date_of_birth.from=2020-01-01&date_of_birth.to=2019-01-01&fields.no=1&fields.none.empty=true'
    for (const path of ['/api/students', '/api/students.csv', '/api/students.xlsx']) {
      const { status, body } = await school.get(`${path}?${query}`, registrar)
      assert.equal(status, 422)
      const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
      const filters = ['/fields.no', '/fields.none.empty', '/date_of_birth.to', '/search', '/guardian']
      const wrong = ['/columns', ...filters]
      assert.deepEqual(pointers.toSorted(), wrong.toSorted(), path)
    }
  })

  it('tells who may not see it no more by a faulty request than by a right one', async () => {
    const { status, body } = await list('columns=notes,size', viewer)
    assert.deepEqual([status, body.code], [422, 'validation_failed'])
    assert.doesNotMatch(JSON.stringify(body), /nuts/)
  })
})
