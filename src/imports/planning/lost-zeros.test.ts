import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('an import of new children with phones of which some lost the zero in front', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    importer = new Importer(school, await school.person('registrar'))
  })

  /** The warnings of a file with these phones. */
  const warned = async (...phones: string[]) => {
    const rows = phones.map((phone, i) => `z-${i},Ida Holm ${'abcdefgh'[i]},Class 1,Eva Holm,${phone}`)
    const { warnings } = await importer.planned(
      `Student No,Student,Class,Mother,Mother's phone\n${rows.join('\n')}\n`,
    )
    return warnings.map(({ code, params }: { code: string; params: object }) => [code, params])
  }

  it('is told of where most others have one', async () => {
    assert.deepEqual(await warned('0171 1234567', '01721234567', '1731234567', '0174/1234567'), [
      ['zeros_missing', { heading: "Mother's phone", rows: 1 }],
    ])
  })

  it('is not where the others have none, or have other digits too', async () => {
    assert.deepEqual(await warned('600123123', '600123124', '034 600 123 125'), [])
    assert.deepEqual(await warned('050 123 4567', '050 123 4568', '971501234569'), [])
  })
})
