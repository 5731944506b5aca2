import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

const born = { class_id: 1, date_of_birth: '2012-06-16' }

describe('an import whose rows have the number of another child', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    await school.student(registrar, { admission_number: '42', name: 'Ole Lange', ...born })
    await school.student(registrar, { admission_number: '43', name: 'Ida Lange', ...born })
    await school.student(registrar, { admission_number: '44', name: 'Jan Lange', class_id: 1 })
    importer = new Importer(school, registrar)
  })

  const warningsFor = async (...rows: string[]) => {
    const header = 'admission_number,name,date_of_birth,class'
    const { counts, warnings } = await importer.planned(`${[header, ...rows].join('\n')}\n`)
    assert.equal(counts.change, rows.length)
    return warnings
  }

  it('warns that a child would be written over, and where that is first', async () => {
    const [warning, ...others] = await warningsFor(
      '44,Jan Larsen,2012-06-16,Class 1',
      '42,Clara Vogel,2012-05-09,Class 1',
      '43,Ida Vogel,2012-06-17,Class 1',
    )
    assert.deepEqual(others, [])
    assert.deepEqual(warning, {
      code: 'other_children',
      detail:
        "2 rows, the first of them 3, give their students another name and another date of birth. Look whether the number is another child's: what stands there would be written over.",
      params: { row: 3, rows: 2 },
    })
  })

  it('does not of rows that are not written, since their number stands twice', async () => {
    const rows = ['42,Clara Vogel,2012-05-09,Class 1', '42,Ole Lange,2012-06-16,Class 1']
    const planned = await importer.planned(`admission_number,name,date_of_birth,class\n${rows.join('\n')}\n`)
    assert.equal(planned.counts.change, 0)
    assert.deepEqual(planned.warnings, [])
  })

  it('does not where the name, or the date of birth, is corrected alone', async () => {
    assert.deepEqual(await warningsFor('42,Ole-Marie Lange,,', '43,,2012-06-17,'), [])
  })
})
