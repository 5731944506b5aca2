import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('a name that has the family name first, and a comma', () => {
  it('changes no student who has it without, and new ones are warned of', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const known = { admission_number: 'l-1', class_id: 1, date_of_birth: '2015-06-21' }
    const id = await school.student(registrar, { name: 'Jürgen von Möller', ...known })
    const header = 'name;admission_number;class;date_of_birth'
    const planned = async (...rows: string[]) => importer.planned([header, ...rows, ''].join('\n'))
    const same = await planned('von Möller, Jürgen;l-1;Class 1;')
    assert.deepEqual([same.counts.unchanged, same.warnings], [1, []])
    const other = await planned('von Moeller, Jürgen;l-1;Class 1;')
    assert.equal(other.warnings[0].code, 'names_with_commas')
    const mixed = await planned(
      'Neu, Ada;l-2;Class 1;',
      'Ada Alt;l-3;Class 1;',
      'Ein, Bo, Cy;l-4;Class 1;',
      'von Möller, Jürgen;l-9;Class 1;2015-06-21',
      'Neu, Di;;Class 1;',
    )
    assert.deepEqual([mixed.counts.create, mixed.counts.doubtful, mixed.counts.refused], [3, 1, 1])
    assert.deepEqual(mixed.warnings, [
      {
        code: 'names_with_commas',
        detail:
          '2 rows, the first of them row 2, have a name with a comma, which is taken as it stands. Give family and given names columns of their own.',
        params: { row: 2, rows: 2 },
      },
    ])
    const decided = await importer.continued(mixed, { decisions: [{ row: 5, decision: 'same', id }] })
    const [changed] = await importer.rows(decided.id, '&outcome=change')
    assert.deepEqual(
      changed.cells.map(({ column }: { column: string }) => column),
      ['admission_number'],
    )
  })
})
