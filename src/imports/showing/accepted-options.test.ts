import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('a cell that is none of the options of its field', () => {
  it('tells those that the field has now, beside its row and in a group', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const importer = new Importer(school, admin)
    const field = { label: 'House', key: 'house', kind: 'several_of', options: ['Oak', 'Elm'] }
    const { body } = await school.post('/api/fields', field, admin)
    const { id } = await importer.planned(
      'name,admission_number,class,fields.house\nAda,o-1,Class 1,Ash\nBo,o-2,Class 1,\n',
    )
    const told = async (query: string) => {
      const { body } = await school.get(`/api/imports/${id}/rows?outcome=refused${query}`, admin)
      const [{ cells, first }] = body.data
      const [{ column, code, params }] = cells ?? first.cells
      return [column, code, params]
    }
    for (const query of ['', '&group=true'])
      assert.deepEqual(await told(query), ['fields.house', 'not_allowed', { accepted: field.options }])
    const options = { options: ['Oak', 'Elm', 'Fir'] }
    const changed = await school.send('PATCH', `/api/fields/${body.data.id}`, {
      ...{ as: admin, body: options, headers: { 'if-match': '*' } },
    })
    assert.equal(changed.status, 200)
    assert.deepEqual(await told(''), ['fields.house', 'not_allowed', { accepted: options.options }])
    const many = Array.from({ length: 50 }, (_, i) => `Tree ${i}`)
    const grown = await school.send('PATCH', `/api/fields/${body.data.id}`, {
      ...{ as: admin, body: { options: many }, headers: { 'if-match': '*' } },
    })
    assert.equal(grown.status, 200)
    assert.deepEqual(await told(''), ['fields.house', 'not_allowed', undefined], 'a page has 1 000 rows')
  })
})
