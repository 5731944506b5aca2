import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type School } from '../../../test/school.ts'

const children = ['Ada Adler', 'Bea Blum', 'Jörg Müller', 'Dora Dietz', 'Emil Ebert']
const born = (i: number) => `2015-0${i + 1}-1${i}`

describe('an import of a spreadsheet whose columns were sorted apart', () => {
  let school: School
  let importer: Importer
  before(async () => {
    school = await openSchool()
    const registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
    for (const [i, name] of children.entries())
      await school.student(registrar, {
        name,
        admission_number: `${i + 1}`,
        date_of_birth: born(i),
      } as object)
  })

  /** The warnings of a file in which names and dates of birth are those of other places. */
  const warned = async (rows: readonly (readonly [name: string, born: string])[]) => {
    const lines = rows.map(([name, born], i) => `${i + 1},${name},${born}`)
    const file = `${['admission_number,name,date_of_birth', ...lines].join('\n')}\n`
    const asked = await importer.read(await importer.send(file))
    const { warnings } = await importer.continued(asked, { answers: { class_id: 'none' } })
    return warnings.map(({ code, params }: { code: string; params: object }) => [code, params])
  }
  const moved = <Item>(all: readonly Item[]) => [...all.slice(1), all[0]!]

  it('warns of names that are all those of other children, with and without dates of birth', async () => {
    const told = [['other_names', { row: 2, rows: 5 }]]
    assert.deepEqual(await warned(moved(children).map((name, i) => [name, born(i)])), told)
    assert.deepEqual(await warned(moved(children).map((name) => [name, ''])), told)
  })

  it('warns of dates of birth that are those of other children, and not of one or two', async () => {
    const all = moved(children.map((_, i) => born(i)))
    assert.deepEqual(await warned(children.map((name, i) => [name, all[i]!])), [
      ['other_dates', { row: 2, rows: 5 }],
    ])
    assert.deepEqual(await warned(children.map((name, i) => [name, i < 2 ? all[i]! : born(i)])), [])
  })

  it('tells of names and dates of birth that moved together by one warning alone', async () => {
    const [warning, ...others] = await warned(moved(children.map((name, i) => [name, born(i)] as const)))
    assert.deepEqual([warning, others], [['other_children', { row: 2, rows: 5, known: 5 }], []])
  })

  it('does not of names that are spelt otherwise, turned round, or of which a part is another', async () => {
    const names = ['Adler Ada', 'Beate Blum', 'Joerg Mueller', 'Dora Ebert-Dietz', 'E. Ebert']
    assert.deepEqual(await warned(names.map((name, i) => [name, born(i)])), [])
  })
})
