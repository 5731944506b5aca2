import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const

describe('GET /api/imports/{id}/rows?changed_since=true', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const header = 'name,admission_number,class\n'
  const applied = async (rows: string, by = importer) =>
    (await by.applied(await by.planned(header + rows))).id
  const rowsOf = async (id: number, by = importer) =>
    (await by.rows(id, '&changed_since=true')).map(({ row }) => row)
  const change = async (number: string, body: object) => {
    const [student] = (await school.get(`/api/students?search=${number}`, registrar)).body.data
    const sent = { as: registrar, body, headers: { 'if-match': '*' } }
    const { status, text } = await school.send('PATCH', `/api/students/${student.id}`, sent)
    assert.equal(status, 200, text)
  }

  it('lists rows of new and of changed students who were changed since, by hand or by an import', async () => {
    await applied('Old One,s-1,Class 1\nOld Two,s-2,Class 1\n')
    const first = await applied(
      'Old First,s-1,Class 1\nOld Second,s-2,Class 1\nNew One,s-3,Class 1\nNew Two,s-4,Class 1\n',
    )
    assert.deepEqual(await rowsOf(first), [])
    await change('s-1', { address: 'By Hand' })
    assert.deepEqual(await rowsOf(first), [2])
    const later = await applied('New Last,s-4,Class 1\n')
    assert.deepEqual([await rowsOf(first), await rowsOf(later)], [[2, 5], []])
    await importer.undone(first)
    assert.deepEqual(await rowsOf(first), [], 'there is nothing to take back any more')
    const kept = await importer.rows(first, '&kept=true')
    assert.deepEqual(
      kept.map(({ row }) => row),
      [5],
      'an address that the import did not write is not kept',
    )
  })

  it('tells before an undo how many new students it leaves, and how many it may change less of', async () => {
    await applied('Un One,u-1,Class 1\nUn Two,u-2,Class 1\n')
    const id = await applied(
      'Un First,u-1,Class 1\nUn Second,u-2,Class 1\nUn New,u-3,Class 1\nUn Newer,u-4,Class 1\n',
    )
    await change('u-3', { address: 'By Hand' })
    await change('u-2', { name: 'By Hand' })
    const staying = await Promise.all(
      ['create', 'change'].map(async (outcome) => {
        const asked = `/api/imports/${id}/rows?changed_since=true&outcome=${outcome}&per_page=1`
        return (await school.get(asked, registrar)).body.pagination.total
      }),
    )
    const { counts } = await importer.undone(id)
    assert.deepEqual(staying, [counts.kept_create, counts.kept_change])
    assert.deepEqual([counts.create, counts.change, ...staying], [2, 2, 1, 1])
  })

  it('lists none of a plan', async () => {
    await applied('Pa Plan,p-1,Class 1\n')
    const { id } = await importer.planned(`${header}Pa Planned,p-1,Class 1\n`)
    await change('p-1', { address: 'By Hand' })
    assert.deepEqual(await rowsOf(id), [])
  })

  it('lists those alone whose students its reader sees', async () => {
    const clerk = await personHolding(school, [held, [1, 2]])
    const clerks = new Importer(school, clerk)
    const id = await applied('Ce One,c-1,Class 1\nCe Two,c-2,Class 2\n', clerks)
    await change('c-1', { class_id: 3 })
    await change('c-2', { address: 'By Hand' })
    assert.deepEqual([await rowsOf(id), await rowsOf(id, clerks)], [[2, 3], [3]])
  })
})
