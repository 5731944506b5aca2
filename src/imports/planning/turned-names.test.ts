import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('the plan of a file whose names have the family name first', () => {
  it('doubts a child who is there under the same name in another order', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const known = {
      name: 'Paul van Fischer',
      admission_number: 'p-1',
      class_id: 6,
      date_of_birth: '2015-06-21',
    }
    const paul = await school.student(registrar, known)
    const undated = await school.student(registrar, {
      name: 'Ida Moor',
      admission_number: 'p-2',
      class_id: 6,
    })
    const planned = await importer.planned(
      [
        'name;admission_number;class;date_of_birth',
        'van Fischer Paul;q-1;Class 6;2015-06-21',
        'VAN FISCHER, PAUL;q-2;Class 5;2015-06-21',
        'Fischer van Paul;q-3;Class 6;2015-06-21',
        'van Fischer Paul;q-4;Class 6;2015-06-22',
        'Moor, Ida;q-5;Class 6;',
      ].join('\n'),
    )
    assert.deepEqual([planned.counts.doubtful, planned.counts.create], [3, 2])
    const rows = await importer.rows(planned.id, '&outcome=doubtful')
    const told = rows.map(({ row, cells }) => [
      row,
      cells.flatMap(({ code, ids }: { code?: string; ids?: number[] }) => (ids ? [code, ...ids] : [])),
    ])
    assert.deepEqual(told, [
      [2, ['same_name_and_date', paul]],
      [3, ['same_name_and_date', paul]],
      [6, ['same_name_and_class', undated]],
    ])
  })
})
