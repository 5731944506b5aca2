import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { noPlainDetails } from '../../test/no-details.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('GET /api/students/{id}', () => {
  let school: School
  let viewer: Person
  let stranger: Person
  let id: number
  before(async () => {
    school = await openSchool()
    const registrar = await school.person('registrar')
    viewer = await school.person('viewer')
    stranger = await school.person('none')
    id = await school.student(registrar, { name: 'Zoë', admission_number: 'Z-1', class_id: 7 })
  })

  it('gives the student with the label of its class', async () => {
    const answer = await school.get(`/api/students/${id}`, viewer)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      success: true,
      data: {
        id,
        name: 'Zoë',
        admission_number: 'Z-1',
        class_id: 7,
        class: 'Class 7',
        ...noPlainDetails,
      },
    })
  })

  const nobody = [
    '0',
    '2',
    '999999',
    '2147483648',
    '9007199254740991',
    '9007199254740993',
    '9223372036854775808',
    '18446744073709551617',
    '9'.repeat(400),
    '01',
    `1${'0'.repeat(19)}`,
  ]
  for (const digits of nobody) {
    it(`finds no student with the id ${digits.length > 20 ? 'of 400 digits' : digits}`, async () => {
      const answer = await school.get(`/api/students/${digits}`, viewer)
      assert.equal(answer.status, 404)
      assert.equal(answer.body.code, 'student_not_found')
    })
  }

  const noId = [
    'abc',
    '1.0',
    '-1',
    '-0',
    '+1',
    '1e3',
    '0x1',
    '%201',
    '1%20',
    '1,2',
    '1%00',
    '%D9%A1',
    '%EF%BC%91',
    'null',
    'NaN',
    '__proto__',
    '1;drop',
    "1'%20or%20'1'='1",
    '1_0',
  ]
  for (const text of noId) {
    it(`refuses ${text} as an id`, async () => {
      const answer = await school.get(`/api/students/${text}`, viewer)
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.body.code, 'validation_failed')
      assert.deepEqual(answer.body.errors, [
        { pointer: '/id', code: 'wrong_type', detail: 'must be an integer', params: { types: ['integer'] } },
      ])
    })
  }

  it('reads percent-encoded digits as the digits that they are', async () => {
    const encoded = [...String(id)].map((digit) => `%3${digit}`).join('')
    assert.equal((await school.get(`/api/students/${encoded}`, viewer)).body.data.id, id)
  })

  it('tells who may not read the same, whether or not the student exists', async () => {
    const answers = []
    for (const path of [id, 999_999, 'abc']) answers.push(await school.get(`/api/students/${path}`, stranger))
    for (const { status, body } of answers) {
      assert.equal(status, 403)
      assert.deepEqual({ ...body, request_id: '' }, { ...answers[0]!.body, request_id: '' })
    }
  })

  it('takes no query parameters, and says so', async () => {
    const answer = await school.get(`/api/students/${id}?fields=name`, viewer)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, [
      {
        pointer: '/fields',
        code: 'unknown_parameter',
        detail: 'is not a known parameter; none is accepted here',
        params: { accepted: [] },
      },
    ])
    assert.equal((await school.get(`/api/students/${id}?_=1`, viewer)).status, 200)
  })
})
