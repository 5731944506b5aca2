import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { archive, rowsNotUnchanged, sentFile } from '../../test/exported-students.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { projectFolder } from '../../test/server.ts'

const page = readFileSync(join(projectFolder, 'docs', 'import.md'), 'utf8')

/** The rows of the table below a heading. */
function tableBelow(heading: string): [string, string][] {
  const part = page.slice(page.indexOf(`\n### ${heading}\n`)).split(/\n##/)[1]!
  const rows = [...part.matchAll(/^\| (.*) \| (.*) \|$/gm)].map(([, one, other]): [string, string] => [
    one!,
    other!,
  ])
  return rows.slice(1)
}

describe('docs/import.md', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    const id = await student({ name: 'Bo Former', admission_number: 'former' })
    school.passSeconds(40 * 86_400) // until then, another number is a correction
    registrar = await school.person('registrar')
    const administrator = await school.person('administrator')
    const fields = [
      { label: 'House', kind: 'one_of', options: ['Oak', 'Elm'] },
      { label: 'Bus', kind: 'yes_no' },
      { label: 'Height', kind: 'number' },
    ]
    for (const field of fields)
      assert.equal((await school.post('/api/fields', field, administrator)).status, 201)
    await student({ name: 'Ada Zeros', admission_number: '0042' })
    await student({ name: 'Zoë Same', date_of_birth: '2014-03-09' })
    await student({ name: 'Jane Class' })
    const change = { as: registrar, body: { admission_number: 'later' }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', `/api/students/${id}`, change)).status, 200)
    await student({ name: 'Cy Known', identifiers: [{ system: 'state', value: 'S-1' }] })
    await student({ name: 'Di Twice', admission_number: 'twice' })
    await archive(school, registrar, 9, true)
  })

  async function student(given: object): Promise<number> {
    return school.student(registrar, { class_id: 2, ...given })
  }

  /** What is said of the first row of a file, in a table's words. */
  async function saidOf(header: string, ...rows: string[]): Promise<string> {
    const planned = await sentFile(school, registrar, Buffer.from([header, ...rows, ''].join('\n')))
    assert.equal(planned.state, 'planned', JSON.stringify(planned))
    const [first] = await rowsNotUnchanged(school, registrar, planned.id)
    const [told, ...more] = first!.cells.filter(({ code }) => code !== undefined)
    assert.ok(told !== undefined && more.length === 0, JSON.stringify(first))
    return `\`${told.column}\` ${told.detail}`
  }

  const plain = 'admission_number,name,class'
  const born = `${plain},date_of_birth`
  const good = 'g-1,Good One,Class 2'

  const doubtful: Record<string, string[]> = {
    'a number without the zeros at its beginning': [plain, '42,Other,Class 1'],
    'another number, the same name and date of birth': [born, 'd-1,zoe same,Class 1,2014-03-09'],
    'another number, the same date of birth and a name with one letter changed': [
      born,
      'd-2,Zoë Samt,Class 1,2014-03-09',
    ],
    'another number, the same name and class, no date of birth': [plain, 'd-3,Jane Class,Class 2'],
    'two new children with one name and date of birth': [
      born,
      'd-5,Twin One,Class 1,2015-01-02',
      'd-6,Twin One,Class 1,2015-01-02',
    ],
    'two new children with one number': [plain, 'd-4,One,Class 1', 'd-4,Other,Class 1'],
  }

  it('says of doubtful rows what the plan says', async () => {
    const said: [string, string][] = []
    for (const [what, [header, ...rows]] of Object.entries(doubtful))
      said.push([what, await saidOf(header!, ...rows)])
    assert.deepEqual(tableBelow('Doubtful rows'), said)
  })

  const refused: Record<string, string[]> = {
    'no name': [plain, 'r-1,,Class 2'],
    'no admission number': [plain, ',Nobody,Class 2'],
    'no class': [plain, 'r-2,Nobody,'],
    'a class that is archived': [plain, 'r-3,Nobody,Class 9'],
    'a number that another child had': [plain, 'former,Nobody,Class 2'],
    'an identifier that another child has': [`${plain},identifiers.state`, 'r-4,Nobody,Class 2,S-1'],
    'a day that there is not': [born, `${good},2014-02-30`],
    'a year of two digits': [born, `${good},9.3.14`],
    'a day that is still to come': [born, `${good},2031-01-01`],
    'an e-mail address that is none': [`${plain},email`, `${good},zoe@`],
    "a guardian's phone, and no name": [`${plain},guardian_1_phone`, `${good},0171 234`],
    'an option that the field does not have': [`${plain},fields.house`, `${good},Ash`],
    'a word where yes or no is meant': [`${plain},fields.bus`, `${good},maybe`],
    'a number that can be read in two ways': [`${plain},fields.height`, `${good},"1,234"`],
    'a row with more cells than headings': [plain, `${good},more`],
    'an error of a formula, such as `#N/A`': [`${plain},gender`, `${good},#N/A`],
    'one child in two rows': [plain, 'twice,Di Twice,Class 2', 'twice,Di,Class 2'],
  }

  it('says of refused rows what the plan says', async () => {
    const said: [string, string][] = []
    for (const [what, [header, ...rows]] of Object.entries(refused))
      said.push([what, await saidOf(header!, ...rows)])
    assert.deepEqual(tableBelow('Refused rows'), said)
  })

  it('says of files that are not read what people are told', async () => {
    const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    const files: Record<string, Buffer> = {
      'is empty below the headings': Buffer.from(`${plain}\n`),
      'has no heading that is known': Buffer.from('a,b\n1,2\n'),
      'has a password': Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]),
      'is of Excel 97 to 2003': Buffer.concat([compound, Buffer.alloc(512)]),
      'is of LibreOffice': Buffer.concat([
        Buffer.from('PK\x03\x04'),
        Buffer.alloc(26),
        Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      ]),
      'is a web page called `.xls`': Buffer.from('<html><table><tr><td>name</td></tr></table></html>'),
      'is a PDF': Buffer.from('%PDF-1.7\n'),
      'has a quotation mark that is not closed': Buffer.from(`${plain}\nq-1,"Ada,Class 2\n`),
    }
    const said: [string, string][] = []
    for (const [what, file] of Object.entries(files)) {
      const { state, failure } = await sentFile(school, registrar, file)
      assert.equal(state, 'refused', what)
      const isLong = failure.detail.length > 200
      said.push([what, isLong ? `${failure.detail.split('. ')[0]}. …` : failure.detail])
    }
    assert.deepEqual(tableBelow('Files that are not read'), said)
  })

  it('lists every outcome that a row can have', () => {
    const part = page.slice(page.indexOf('\n## What the plan says\n')).split('\n###')[0]!
    const named = [...part.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    assert.deepEqual(named, ['create', 'change', 'unchanged', 'doubtful', 'refused', 'left_out'])
  })

  it('says that a child cannot leave', () => {
    assert.match(page, /\*\*A child cannot leave\.\*\*/)
  })
})
