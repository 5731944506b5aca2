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

describe('an import whose file lost letters to an encoding', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const given = { address: 'Łódź 1', former_names: 'Trần', notes: 'Why?' }
    await school.student(registrar, { admission_number: '1', name: 'Hanna Nguyễn', class_id: 1, ...given })
    importer = new Importer(school, registrar)
  })

  const lostIn = async (header: string, ...rows: string[]) => {
    const read = await importer.read(await importer.send(`${[header, ...rows].join('\n')}\n`))
    const isAsked = read.state === 'question'
    const planned = isAsked
      ? await importer.continued(read, { answers: { name_order: 'given_first' } })
      : read
    assert.equal(planned.state, 'planned')
    return planned.warnings.map(({ code, params }: { code: string; params: object }) => ({ code, ...params }))
  }

  it('warns of each column whose cells are what stands there, but for question marks', async () => {
    const rows = ['1,Hanna Nguy?n,Class 1,?ód? 1,Tr?n']
    assert.deepEqual(await lostIn('admission_number,name,class,address,former_names', ...rows), [
      { code: 'letters_lost', heading: 'name', rows: 1 },
      { code: 'letters_lost', heading: 'address', rows: 1 },
      { code: 'letters_lost', heading: 'former_names', rows: 1 },
    ])
  })

  it('warns of new names, where nothing stands yet', async () => {
    const rows = ['2,Hanna,Nguy?n,Class 1,?mit', '3,Jan,Dvo?ák,Class 1,Eva']
    assert.deepEqual(await lostIn('admission_number,given_name,family_name,class,guardian_1_name', ...rows), [
      { code: 'letters_lost', heading: 'family_name', rows: 2 },
      { code: 'letters_lost', heading: 'guardian_1_name', rows: 1 },
    ])
  })

  it('does not of questions', async () => {
    const rows = ['1,Hanna Nguyễn?,Class 1,Why not?,Lodz 1?', '4,?,Class 1,Who?,Here?']
    assert.deepEqual(await lostIn('admission_number,name,class,notes,address', ...rows), [])
  })
})
