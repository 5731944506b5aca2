import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'
import { mostLooks } from './near.ts'

/** So many rows that each with each student is more than is compared. */
const count = Math.ceil(Math.sqrt(mostLooks)) + 100

describe('a file that gives all children one date of birth', () => {
  const fileOf = (prefix: string) => {
    const lines = Array.from(
      { length: count },
      (_, i) => `${prefix} ${i} ${prefix},${prefix}x${i},Class 1,2014-03-09\n`,
    )
    return `name,admission_number,class,date_of_birth\n${lines.join('')}`
  }

  it('is planned, and says that not all names were compared', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const first = await importer.planned(fileOf('Ada'))
    assert.deepEqual([first.counts.create, first.warnings], [count, []])
    assert.equal((await importer.applied(first)).state, 'applied')
    const second = await importer.planned(fileOf('Bo'))
    assert.equal(second.counts.create, count)
    const [warning] = second.warnings
    assert.equal(warning.code, 'names_not_compared')
  })
})
