import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

const header = 'id,admission_number,name,class'

describe('a file with ids of students', () => {
  it('is warned of those that no student has whom the account sees: they make new students', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const seen = await school.student(registrar, { name: 'Ada One', admission_number: 'i-1', class_id: 1 })
    const hidden = await school.student(registrar, { name: 'Bo Two', admission_number: 'i-2', class_id: 2 })
    const warningsOf = async (as: Importer, ...rows: string[]) => {
      const planned = await as.planned(`${[header, ...rows].join('\n')}\n`)
      return [planned.counts, planned.warnings] as const
    }
    const [counts, [warning, ...others]] = await warningsOf(
      importer,
      `${seen},i-1,Ada One,Class 1`,
      `${hidden},i-9,Bo Two,Class 2`,
      '9001,i-10,Cy Three,Class 1',
      ',i-11,Di Four,Class 1',
      '9002,i-12,Ed Five,Class 1',
      '9003,i-13,Fu Six,Class 2',
    )
    assert.deepEqual([counts.unchanged, counts.doubtful, counts.create], [1, 1, 4])
    assert.deepEqual(warning, {
      code: 'unknown_ids',
      detail:
        '3 rows, the first of them row 4, have an id that no student has. They make new students, with ids of their own.',
      params: { row: 4, rows: 3 },
    })
    assert.deepEqual(others, [])
    const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    const teacher = new Importer(school, await personHolding(school, [held, [1]]))
    const [, [theirs]] = await warningsOf(teacher, `${hidden},i-20,Gil Seven,Class 1`)
    assert.deepEqual(theirs.params, { row: 2, rows: 1 })
    assert.match(
      theirs.detail,
      /^Row 2 has an id that no student has\. It makes a new student, with an id of its own\.$/,
    )
  })
})
