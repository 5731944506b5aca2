import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('an import whose given and family names stand in each other’s columns', () => {
  let importer: Importer
  const children = [
    ['Ana María', 'Gil Ríos'],
    ['Léa', 'Dupont'],
    ['Bo', 'Nord'],
    ['Eva', 'Berg'],
  ]
  before(async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
    for (const [i, [given_name, family_name]] of children.entries())
      await school.student(registrar, {
        name: `${given_name} ${family_name}`,
        given_name,
        family_name,
        admission_number: `${i + 1}`,
      } as never)
  })

  /** What is told of a file with these names. */
  const warned = async (heading: string, cells: readonly string[]) => {
    const lines = [`admission_number,${heading}`, ...cells.map((cell, i) => `${i + 1},${cell}`)]
    const asked = await importer.read(await importer.send(`${lines.join('\n')}\n`, '?mode=update'))
    assert.equal(asked.state, 'planned')
    return asked.warnings.map(({ code, params }: { code: string; params: object }) => [code, params])
  }

  it('is told of, and two such rows are not: an office corrects one or two', async () => {
    const turned = children.map(([given, family]) => `${family},${given}`)
    const told = [['turned_names', { row: 2, rows: 4 }]]
    assert.deepEqual(await warned('given_name,family_name', turned), told)
    assert.deepEqual(await warned('given_name,family_name', turned.slice(0, 2)), [])
  })

  it('is told of where the full names turn round', async () => {
    const turned = children.map(([given, family]) => `${family} ${given}`)
    assert.deepEqual(await warned('name', turned), [['turned_names', { row: 2, rows: 4 }]])
  })
})
