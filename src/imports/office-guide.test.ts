// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { archive, rowsNotUnchanged } from '../../test/exported-students.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { projectFolder } from '../../test/server.ts'
import { inline, sheetOf, sourceOf, writtenWorkbook, zipped } from '../../test/workbooks.ts'
import { readText } from '../sheets/read.ts'
import { type SheetRefusal, sheetRefusalCodes } from '../sheets/refusal.ts'
import { mostRows } from './reading/file-rows.ts'
import { refusedLanguages } from './showing/refused-words.ts'

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
      { label: 'Clubs', kind: 'several_of', options: ['Choir', 'Chess'] },
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
    const mothers = ['Anna', 'Eva'].map((name) => ({ name, relation: 'mother' }))
    await student({ name: 'Mo Mothers', admission_number: 'mothers', guardians: mothers })
    await archive(school, registrar, 9, true)
  })

  async function student(given: object): Promise<number> {
    return school.student(registrar, { class_id: 2, ...given })
  }

  /** What is said of the first row of a file, in a table's words. */
  async function saidOf(header: string, ...rows: string[]): Promise<string> {
    const [query, lines] = header.startsWith('?') ? [header, rows] : ['', [header, ...rows]]
    const importer = new Importer(school, registrar)
    const read = await importer.read(await importer.send([...lines, ''].join('\n'), query))
    const known = {
      ...{ admission_number: 'new-*001', name_order: 'family_first', class_id: 'none' },
      ...{ 'short_years.date_of_birth': 'refuse' },
    }
    const asked = read.questions.map(({ key }: { key: string }) => key)
    const answers = Object.fromEntries(Object.entries(known).filter(([key]) => asked.includes(key)))
    const planned = read.state === 'question' ? await importer.continued(read, { answers }) : read
    assert.equal(planned.state, 'planned', JSON.stringify(planned.questions))
    const found = await rowsNotUnchanged(school, registrar, planned.id)
    const faults = found.map(({ cells }) => cells.filter(({ code }) => code !== undefined))
    const [told, ...more] = faults.find((some) => some.length > 0) ?? []
    assert.ok(told !== undefined && more.length === 0, JSON.stringify(found))
    for (const language of refusedLanguages) {
      const { text } = await importer.refused(planned.id, `?language=${language}`)
      assert.ok(!text.includes(told.detail!), text)
    }
    return `\`${told.column}\` ${told.detail}`
  }

  const plain = 'admission_number,name,class'
  const born = `${plain},date_of_birth`
  const good = 'g-1,Good One,Class 2'

  const doubtful: Record<string, string[]> = {
    'a number without the zeros at its beginning': [plain, '42,Other,Class 1'],
    'another number, the same name and date of birth': [born, 'd-1,zoe same,Class 1,2014-03-09'],
    'no number, or one that nobody has, though a new child needs it, and the same name and date of birth': [
      born,
      ',zoe same,Class 1,2014-03-09',
    ],
    'another number, the same date of birth and a name with one letter changed': [
      born,
      'd-2,Zoë Samt,Class 1,2014-03-09',
    ],
    'another number, the same name and class, no date of birth': [plain, 'd-3,Jane Class,Class 2'],
    'the same, and a date of birth that the record does not have': [
      born,
      'd-8,Jane Class,Class 2,2014-03-10',
    ],
    'no number, the same name and class, another date of birth': [
      'name,class,date_of_birth',
      'Zoë Same,Class 2,2014-09-03',
    ],
    'the `id` of a child who has another number': [`${plain},id`, 'd-7,Other,Class 1,1'],
    'two new children with one name and date of birth': [
      born,
      'd-5,Twin One,Class 1,2015-01-02',
      'd-6,Twin One,Class 1,2015-01-02',
    ],
    'two new children with one name and class, without numbers and dates of birth': [
      'name,class',
      'Twin Two,Class 1',
      'Twin Two,Class 1',
    ],
    'two new children with one number': [plain, 'd-4,One,Class 1', 'd-4,Other,Class 1'],
    'two new children with `0043` and `43`': [plain, '0043,One,Class 1', '43,Other,Class 1'],
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
    'a number such as 40123, by which a spreadsheet counts days': [born, `${good},40123`],
    'a year of two digits, where you answered that such rows are refused': [born, `${good},19.3.14`],
    'a day that is still to come': [born, `${good},2031-01-01`],
    'an e-mail address that is none': [`${plain},email`, `${good},zoe@`],
    "a new guardian's phone and no name, in an import that creates nobody": [
      ...['?mode=update', `${plain},guardian_1_name,guardian_1_phone`],
      'twice,Di Twice,Class 2,,0171 234',
    ],
    'an option that the field does not have': [`${plain},fields.house`, `${good},Ash`],
    'a word where yes or no is meant': [`${plain},fields.bus`, `${good},maybe`],
    'a number that can be read in two ways': [`${plain},fields.height`, `${good},"1,234"`],
    'a number that would be rounded': [`${plain},fields.height`, `${good},12345678901234567`],
    'a row with more cells than headings': [plain, `${good},more`],
    'an error of a formula, such as `#N/A`': [`${plain},gender`, `${good},#N/A`],
    'an identifier of two rows: nobody knows whose it is, so both are refused': [
      `${plain},identifiers.state`,
      'r-5,One,Class 2,S-2',
      'r-6,Two,Class 2,S-2',
    ],
    'a name with an invisible character': [plain, 'r-7,A\u200bda,Class 2'],
    'a text that is too long': [`${plain},gender`, `${good},${'x'.repeat(300)}`],
    'the label of a class with more than 250 characters': [plain, `g-1,Good One,${'x'.repeat(300)}`],
    'an option of a field twice': [`${plain},fields.clubs`, `${good},"Choir\nChess\nChoir"`],
    'an identifier twice in a cell': [`${plain},identifiers.state`, `${good},"S-3\nS-3"`],
    'a number that is too large': [`${plain},fields.height`, `${good},1e999`],
    "a guardian's phone, in a row that may mean two guardians": [
      ...['?mode=update', "admission_number,class,Mother's phone"],
      'mothers,Class 2,0171 234',
    ],
    'a row of totals, whose name has no letter': [plain, 'total-1,27,Class 2'],
    'the `id` of another child than the number': [`${plain},id`, 'twice,Di Twice,Class 2,1'],
    'a given and a family name that are too long together': [
      'admission_number,given_name,family_name,class',
      `r-10,${'x'.repeat(200)},${'y'.repeat(200)},Class 2`,
    ],
    'a class, and a `class_id` of another class, where the child is in neither': [
      `${plain},class_id`,
      'r-8,Nobody,Class 2,3',
    ],
    'a child who is there, in an import that only creates': ['?mode=create', plain, 'twice,Di Twice,Class 2'],
    'a child who is not there, in an import that creates nobody': ['?mode=update', plain, 'r-9,Ed,Class 2'],
    'a number that no child has, in a file without names and classes': [
      'admission_number,email',
      'r-11,zoe@school.example',
    ],
    'one child in two rows': [plain, 'twice,Di Twice,Class 2', 'twice,Di,Class 2'],
  }

  it('says of refused rows what the plan says', async () => {
    const said: [string, string][] = []
    for (const [what, [header, ...rows]] of Object.entries(refused))
      said.push([what, await saidOf(header!, ...rows)])
    assert.deepEqual(tableBelow('Refused rows'), said)
  })

  const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const cell = (number: number) => `<c r="A2"><v>${number}</v></c>`
  const header = plain.split(',').map((text) => inline(text))
  const workbook = (second: string, parts: Record<string, string | Uint8Array> = {}) =>
    writtenWorkbook({ sheets: [sheetOf([header, [second]])], parts })

  /** A file of each kind that is not read; with a mode, where that decides. */
  const unread: Record<string, () => Buffer | Promise<Buffer> | { file: Buffer; query: string }> = {
    'is empty below the headings': () => Buffer.from(`${plain}\n`),
    'has no heading that is known': () => Buffer.from('a,b\n1,2\n'),
    'has a password': () => Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]),
    'is of Excel 97 to 2003': () => Buffer.concat([compound, Buffer.alloc(512)]),
    'is a binary file of Excel': () => workbook('', { 'xl/workbook.bin': 'x' }),
    'is of LibreOffice': () =>
      Buffer.concat([
        Buffer.from('PK\x03\x04'),
        Buffer.alloc(26),
        Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      ]),
    'is a web page called `.xls`': () => Buffer.from('<html><table><tr><td>name</td></tr></table></html>'),
    'is a PDF': () => Buffer.from('%PDF-1.7\n'),
    'is a picture': () => Buffer.from('\x89PNG\r\n', 'latin1'),
    'is a text document': () => zipped({ 'word/document.xml': '<document/>' }),
    'is an archive with files in it': () => zipped({ 'year-7.csv': plain }),
    'is of another program': () => Buffer.from('SQLite format 3\0'),
    'did not come whole, or is damaged': async () => (await workbook(inline('x'))).subarray(0, 400),
    'declares a document type': () => workbook('', { 'xl/workbook.xml': '<!DOCTYPE x><workbook/>' }),
    'takes values from other files': () => workbook('', { 'xl/externalLinks/externalLink1.xml': '<x/>' }),
    'has a formula without a value': () => workbook('<c r="A2"><f>1+1</f></c>'),
    'is packed too tightly': () => workbook(inline(' '.repeat(5_000_000))),
    'has a value far below the others': () =>
      writtenWorkbook({
        sheets: [{ rows: `<row r="1">${header.join('')}</row><row r="2000001">${cell(1)}</row>` }],
      }),
    'has more columns than are read': () => Buffer.from(`${plain}${',x'.repeat(398)}\nq-1\n`),
    'has a very long cell': () => Buffer.from(`${plain}\nq-1,${'x'.repeat(32_769)}\n`),
    'has very many accents on one letter': () => Buffer.from(`${plain}\nq-1,${'\u0301'.repeat(31)}\n`),
    'has a very long row': () => Buffer.from(`${plain}${`,${'x'.repeat(32_000)}`.repeat(40)}\nq-1\n`),
    'has a quotation mark that is not closed': () => Buffer.from(`${plain}\nq-1,"Ada,Class 2\n`),
    'has quotation marks that do not fit': () => Buffer.from(`${plain}\nq-1,"Ada"x,Class 2\n`),
    'has bytes that are no text': () => Buffer.from(`\ufeff${plain}\n\ud800`, 'utf16le'),
    'has no column to find students by, and only changes some': () => ({
      file: Buffer.from('name,class\nAda,Class 2\n'),
      query: '?mode=update',
    }),
  }

  /** The same of a file with so many rows, of which none is stored. */
  async function saidOfRows(count: number): Promise<string> {
    const source = sourceOf(Buffer.from(`name\n${'x\n'.repeat(count)}`))
    const reading = Array.fromAsync(readText(source, { encoding: 'utf-8', delimiter: ',', rows: mostRows }))
    return reading.then(
      () => assert.fail('all rows are read'),
      (error: SheetRefusal) => error.detail,
    )
  }

  it('says of files that are not read what people are told', async () => {
    const importer = new Importer(school, registrar)
    const said: [string, string][] = []
    const codes = new Set<string>()
    for (const [what, make] of Object.entries(unread)) {
      const made = await make()
      await turn() // else the server seems to lag by what it took to make the file
      const { file, query } = 'query' in made ? made : { file: made, query: '' }
      const { state, failure } = await importer.read(await importer.send(file, query))
      assert.equal(state, 'refused', what)
      codes.add(failure.code)
      const isLong = failure.detail.length > 200
      said.push([what, isLong ? `${failure.detail.split('. ')[0]}. …` : failure.detail])
    }
    said.push(['has more rows than are read', await saidOfRows(200_001)])
    assert.deepEqual(tableBelow('Files that are not read'), said)
    codes.add('too_many_rows')
    // A file without a byte is refused as it comes: it is no import.
    const sheets = sheetRefusalCodes.filter((code) => code !== 'empty_file')
    assert.deepEqual([...codes].sort(), [...sheets, 'header_not_found', 'no_match_column', 'no_rows'].sort())
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
