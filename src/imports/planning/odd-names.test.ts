// Runs once: which names are odd does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('an import of a list with totals and notes below it', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    importer = new Importer(school, await school.person('registrar'))
  })

  /** The warnings of a file of full names. */
  const warned = async (...names: string[]) => {
    const asked = await importer.read(await importer.send(`Full name,Notes\n${names.join(',\n')},\n`))
    const answers = { class_id: 1, admission_number: 'A-*1' }
    const { warnings, counts } = await importer.continued(asked, { answers })
    assert.equal(counts.create, names.length)
    return warnings.map(({ code, params }: { code: string; params: object }) => [code, params])
  }
  const children = ['Ada Adler', 'Bo Total', 'Cy Cole', 'Di Dole', 'Ed Ebb', 'Flo Ford', 'Gil Gray']

  it('warns that these would be children', async () => {
    for (const below of ['Total', 'Gesamt:', 'Total général', '2 Anzahl', 'As of 1.9.2026', 'المجموع ٧'])
      assert.deepEqual(await warned(...children, below), [['odd_names', { row: 9, rows: 1 }]], below)
    assert.deepEqual(await warned(...children, 'Total 7', 'Note 1'), [['odd_names', { row: 9, rows: 2 }]])
  })

  it('does not where most are called so, or nobody is', async () => {
    assert.deepEqual(await warned(...children), [])
    assert.deepEqual(await warned('Child 1', 'Child 2', 'Ada Adler'), [])
  })
})
