import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('POST /api/students', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  it('creates a student and says where it is', async () => {
    const answer = await school.post(
      '/api/students',
      { name: ' Zoë  ', admission_number: ' A-1 ', class_id: 3 },
      registrar,
    )
    assert.equal(answer.status, 201)
    const { id } = answer.body.data
    assert.equal(answer.headers.location, `/api/students/${id}`)
    const read = await school.get(`/api/students/${id}`, registrar)
    assert.deepEqual(read.body, {
      success: true,
      data: { id, name: 'Zoë', admission_number: 'A-1', class_id: 3, class: 'Class 3' },
    })
  })

  it('refuses an admission number that another student has, ignoring case, and creates nothing', async () => {
    await school.student(registrar, { admission_number: 'Dup-1' })
    const before = await school.count('students')
    const answer = await school.post(
      '/api/students',
      { name: 'B', admission_number: 'dUP-1', class_id: 1 },
      registrar,
    )
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'admission_number_taken')
    assert.equal(await school.count('students'), before)
  })
})
