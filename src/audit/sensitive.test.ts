import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { openSchool } from '../../test/school.ts'

const headers = { 'if-match': '*' }

/** A student with a value of a field that was for all to see when it was given. */
async function openWithField() {
  const school = await openSchool()
  const admin = await school.person('administrator')
  const made = await school.post('/api/fields', { label: 'Care', key: 'care', kind: 'text' }, admin)
  const field = `/api/fields/${made.body.data.id}`
  const student = `/api/students/${await school.student(admin)}`
  const patch = async (path: string, body: object) => {
    const { status, text } = await school.send('PATCH', path, { as: admin, body, headers })
    assert.equal(status, 200, text)
  }
  await patch(student, { fields: { care: 'In foster care' } })
  const entry = (await school.get(`${student}/history`, admin)).body.data[0]
  const teacher = await personHolding(school, [['students.view', 'students.update'], 'all'])
  return { school, admin, teacher, field, student, patch, changeSet: entry.change_set_id }
}

describe('a field that becomes sensitive', () => {
  it('hides its earlier values from those who may not see sensitive ones', async () => {
    const { school, admin, teacher, field, student, patch } = await openWithField()
    assert.ok((await school.get(`${student}/history`, teacher)).text.includes('foster'))
    await patch(field, { sensitive: true })
    const { body, text } = await school.get(`${student}/history`, teacher)
    assert.ok(!text.includes('foster'))
    assert.deepEqual([body.data[0].changes, body.data[0].hidden], [[], ['fields.care']])
    assert.ok((await school.get(`${student}/history`, admin)).text.includes('foster'))
    const auditor = await personHolding(school, [['students.view', 'audit.view'], 'all'])
    assert.ok(!(await school.get('/api/audit?record=student', auditor)).text.includes('foster'))
  })

  it('hides them also when the field is gone', async () => {
    const { school, admin, teacher, field, student, patch } = await openWithField()
    await patch(field, { sensitive: true })
    await patch(student, { fields: { care: null } })
    const gone = await school.send('DELETE', field, { as: admin, headers })
    assert.equal(gone.status, 200, gone.text)
    assert.ok(!(await school.get(`${student}/history`, teacher)).text.includes('foster'))
  })

  it('takes `students.sensitive` of who undoes an earlier change of it', async () => {
    const { school, admin, teacher, field, student, patch, changeSet } = await openWithField()
    await patch(field, { sensitive: true })
    const undo = (as: typeof admin) => school.post(`/api/change-sets/${changeSet}/undo`, undefined, as)
    const refused = await undo(teacher)
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'])
    assert.deepEqual((await school.get(student, admin)).body.data.fields, { care: 'In foster care' })
    assert.equal((await undo(admin)).status, 200)
    assert.deepEqual((await school.get(student, admin)).body.data.fields, {})
  })
})

describe('a change with a move to another class', () => {
  it('hides what was from those who may not see it in the class before', async () => {
    const { school, admin, student, patch } = await openWithField()
    await patch(student, { notes: 'Of class 1', preferred_name: 'Early' })
    await patch(student, { class_id: 2, notes: 'Of class 2', preferred_name: 'Late' })
    const history = (as: typeof admin) => school.get(`${student}/history`, as)
    const ofTwo = await personHolding(school, [['students.view', 'students.sensitive'], [2]])
    const { body, text } = await history(ofTwo)
    assert.ok(!text.includes('Of class 1') && !text.includes('Early'), text)
    assert.deepEqual(body.data[0].changes, [{ field: 'class_id', from: 1, to: 2 }])
    assert.deepEqual(body.data[0].hidden, ['preferred_name', 'notes'])
    const ofBoth = await personHolding(school, [
      ['students.view', 'students.sensitive'],
      [1, 2],
    ])
    assert.ok((await history(ofBoth)).text.includes('Of class 1'))
    const half = await personHolding(
      school,
      [['students.view', 'students.sensitive'], [2]],
      [['students.view'], [1]],
    )
    const seen = await history(half)
    assert.ok(seen.text.includes('Early') && !seen.body.data[0].hidden.includes('preferred_name'))
    assert.ok(!seen.text.includes('Of class 1'))
  })
})
