// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  inline,
  sheetOf,
  sourceOf,
  type WrittenWorkbook,
  writtenWorkbook,
  zipped,
} from '../../../test/workbooks.ts'
import { readXlsx, type SheetBatch, type SheetRow } from '../read.ts'
import { SheetRefusal } from '../refusal.ts'
import { readWorkbook } from './workbook.ts'

async function batchesOf(workbook: WrittenWorkbook | Buffer, rows?: number): Promise<SheetBatch[]> {
  const file = Buffer.isBuffer(workbook) ? workbook : await writtenWorkbook(workbook)
  return Array.fromAsync(readWorkbook(file, rows))
}

async function rowsOf(workbook: WrittenWorkbook): Promise<SheetRow[]> {
  return (await batchesOf(workbook)).flatMap(({ rows }) => rows)
}

async function cellsOf(workbook: WrittenWorkbook): Promise<(readonly string[])[]> {
  return (await rowsOf(workbook)).map(({ cells }) => cells)
}

async function refusalOf(workbook: WrittenWorkbook | Buffer, rows?: number): Promise<SheetRefusal> {
  try {
    await batchesOf(workbook, rows)
  } catch (error) {
    if (error instanceof SheetRefusal) return error
    throw error
  }
  throw new Error('it was read')
}

const one = { sheets: [sheetOf([[inline('name')], [inline('Zoë')]])] }

/** The texts of numbers in cells of formats. */
async function shown(
  formats: readonly (number | string)[],
  values: readonly (number | string)[],
  date1904 = false,
) {
  const cells = values.map((value, i) => `<c s="${i}"><v>${value}</v></c>`)
  return (await cellsOf({ sheets: [sheetOf([cells])], formats, date1904 }))[0]
}

describe('a workbook', () => {
  it('gives its texts: shared ones, of several looks, without how they are pronounced, and such as XML cannot hold', async () => {
    const shared = `<si><t>name</t></si><si><r><rPr><b/></rPr><t>Anna </t></r><r><t xml:space="preserve">Maria</t></r></si>
      <si><t>課長</t><rPh sb="0" eb="1"><t>カチョウ</t></rPh><phoneticPr fontId="1"/></si><si><t>a_x000D_b_x005F_x0041_</t></si><si><t/></si>
      <si><t><![CDATA[<&>]]> &amp; &#x1F600;</t></si>`
    const cells = [0, 1, 2, 3, 4, 5].map((i) => `<c t="s"><v>${i}</v></c>`)
    assert.deepEqual(await cellsOf({ sheets: [sheetOf([cells])], shared }), [
      ['name', 'Anna Maria', '課長', 'a\rb_x0041_', '', '<&> & 😀'],
    ])
  })

  it('takes no guard off, since its cells have none', async () => {
    assert.deepEqual(await cellsOf({ sheets: [sheetOf([[inline("'=1"), inline('=1')]])] }), [["'=1", '=1']])
  })

  it('keeps the place of cells and rows that stand apart, and leaves blank ones out', async () => {
    const rows =
      '<row r="2"><c r="B2" t="inlineStr"><is><t>b</t></is></c><c r="C2" s="1"/></row><row r="4"/><row r="7"><c r="AA7"><v>1</v></c></row>'
    assert.deepEqual(await rowsOf({ sheets: [{ rows }] }), [
      { row: 2, cells: ['', 'b'] },
      { row: 7, cells: [...Array(26).fill(''), '1'], numeric: [26] },
    ])
  })

  it('gives days as they are, whatever their format, from 1900 and from 1904', async () => {
    const formats = [
      14,
      'dd.mm.yyyy',
      '[$-407]d. mmmm yyyy;@',
      22,
      'hh:mm',
      '[h]:mm:ss',
      'yyyy"d"',
      57,
      'm/d/yy h:mm AM/PM',
    ]
    const values = [42067, 42067.999999, 1, 42067.32291666, 0.5, 1.25, 59, 61, 42067]
    assert.deepEqual(await shown(formats, values), [
      '2015-03-04',
      '2015-03-05',
      '1900-01-01',
      '2015-03-04 07:45',
      '12:00',
      '30:00',
      '1900-02-28',
      '1900-03-01',
      '2015-03-04',
    ])
    assert.deepEqual(await shown([14, 14], [40605, 0], true), ['2015-03-04', '1904-01-01'])
    assert.deepEqual(await shown([14, 14, 14, 14], [60, 0, -1, 2958466]), [
      '1900-02-29', // no day, and so refused as one
      '1900-01-00',
      '-1',
      '2958466',
    ])
  })

  it('applies formats that add zeros or letters to whole numbers, and gives all others in full', async () => {
    const formats = [
      '00000',
      '"A-"000',
      '000-00-0000',
      '(##) ####',
      '0',
      '#,##0.00',
      '0%',
      '[Red]0000;[Blue]-0000',
      '00000',
      '@',
    ]
    const values = [42, 7, 123456789, 4930123, 0, 1234.5, 0.25, -42, 1.5, '1.2010600009352899E+15']
    assert.deepEqual(await shown(formats, values), [
      '00042',
      'A-007',
      '123-45-6789',
      '(493) 0123',
      '0',
      '1234.5',
      '0.25',
      '-0042',
      '1.5',
      '1201060000935290',
    ])
    assert.deepEqual(await shown([0, 0, 0, 0], ['0.1', '1.1000000000000001', '1E-7', '1E+21']), [
      '0.1',
      '1.1',
      '0.0000001',
      '1000000000000000000000',
    ])
    const long = ['9471040101010001', '9007199254740993', '12345678901234567890']
    assert.deepEqual(await shown([0, 0, 0], long), long)
  })

  it('says which cells are numbers that a spreadsheet may have taken zeros from', async () => {
    const cells = [0, 1, 2, 9].map((style) => `<c s="${style}"><v>42</v></c>`)
    const full = '<c s="1"><v>12345</v></c>'
    const sheet = sheetOf([[inline('042'), ...cells, full]])
    const [row] = await rowsOf({ sheets: [sheet], formats: [0, '00000', 14] })
    const shown = ['042', '42', '00042', '1900-02-11', '42', '12345']
    assert.deepEqual(row, { row: 1, cells: shown, numeric: [1, 4] })
  })

  it('gives truth values, the values of formulas, and the errors of those that failed', async () => {
    const cells = [
      '<c t="b"><v>1</v></c>',
      '<c t="b"><f>1=2</f><v>0</v></c>',
      '<c t="str"><f>A1&amp;"x"</f><v>Class 1_x000D_</v></c>',
      '<c><f>1+1</f><v>2</v></c>',
      '<c t="str"><f>""</f></c>',
      '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c t="d"><v>2015-03-04T00:00:00</v></c>',
      '<c t="e"><v>whatever</v></c>',
    ]
    assert.deepEqual(await rowsOf({ sheets: [sheetOf([cells])] }), [
      {
        row: 1,
        cells: ['TRUE', 'FALSE', 'Class 1\r', '2', '', '#DIV/0!', '2015-03-04', '#ERROR!'],
        numeric: [3],
      },
    ])
  })

  it('names its sheets and their rows, and says which are hidden', async () => {
    const rows = `<row r="1"><c t="inlineStr"><is><t>a</t></is></c></row><row r="2" hidden="1"><c><v>1</v></c></row><row r="3" hidden="1"/>`
    const batches = await batchesOf({
      sheets: [
        { name: 'Class 1 &amp; 2', rows },
        { name: 'old', state: 'hidden', rows: '' },
        { state: 'veryHidden', rows },
        { name: 'n'.repeat(300), rows: '' },
      ],
    })
    const shown = [
      { row: 1, cells: ['a'] },
      { row: 2, cells: ['1'], numeric: [0], hidden: true },
    ]
    assert.deepEqual(batches, [
      { sheet: 0, name: 'Class 1 & 2', hidden: false, rows: shown },
      { sheet: 1, name: 'old', hidden: true, rows: [] },
      { sheet: 2, name: 'Sheet3', hidden: true, rows: shown },
      { sheet: 3, name: 'n'.repeat(250), hidden: false, rows: [] },
    ])
  })

  it('may be written with prefixes, in UTF-16, with absolute targets and other capitals, as some programs do', async () => {
    const sheet =
      '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>ż</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>'
    const relations = `<Relationships><Relationship Id="rId1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="/xl/Worksheets/Sheet1.xml"/></Relationships>`
    const parts = {
      'xl/worksheets/sheet1.xml': Buffer.from(`\uFEFF${sheet}`, 'utf16le'),
      'xl/_rels/workbook.xml.rels': relations,
    }
    assert.deepEqual(await cellsOf({ sheets: [{ rows: '' }], parts }), [['ż']])
  })

  it('is read though it holds macros, which are never run', async () => {
    assert.deepEqual(await cellsOf({ ...one, parts: { 'xl/vbaProject.bin': 'macros' } }), [['name'], ['Zoë']])
  })
})

describe('a workbook that is refused', () => {
  const refused: readonly [string, SheetRefusal['code'], WrittenWorkbook, SheetRefusal['params']?][] = [
    [
      'declares a document type',
      'doctype',
      { ...one, shared: 'x', parts: { 'xl/sharedStrings.xml': '<!DOCTYPE sst [<!ENTITY a "b">]><sst/>' } },
    ],
    [
      'takes values from other files',
      'external_links',
      { ...one, parts: { 'xl/externalLinks/externalLink1.xml': '<a/>' } },
    ],
    [
      'has a formula that was never calculated',
      'formula_without_value',
      { sheets: [sheetOf([['<c r="C1"><f>1+1</f></c>']])] },
      { row: 1, sheet: 'Sheet1', cell: 'C1' },
    ],
    [
      'has a value in column 401',
      'too_many_columns',
      { sheets: [{ rows: '<row><c r="OK1"><v>1</v></c></row>' }] },
      { row: 1, sheet: 'Sheet1', cell: 'OK1', limit: 400 },
    ],
    [
      'has a cell of more than 32 768 characters',
      'cell_too_long',
      { sheets: [sheetOf([[inline('a'.repeat(32_769))]])] },
      { row: 1, sheet: 'Sheet1', limit: 32_768 },
    ],
    [
      'has a letter with more than 30 combining marks',
      'too_many_marks',
      { sheets: [sheetOf([[inline(`a${'\u0301\u0316'.repeat(16)}`)]])] },
      { row: 1, sheet: 'Sheet1', limit: 30 },
    ],
    ['has XML that is not well-formed', 'damaged_file', { sheets: [{ rows: '<row><c></row>' }] }],
    [
      'refers to a text that is not there',
      'damaged_file',
      { sheets: [sheetOf([['<c t="s"><v>7</v></c>']])], shared: '<si/>' },
    ],
    ['has rows in disorder', 'damaged_file', { sheets: [{ rows: '<row r="2"/><row r="1"/>' }] }],
    ['has the same cell twice', 'damaged_file', { sheets: [{ rows: '<row><c r="A1"/><c r="A1"/></row>' }] }],
    ['has cells within cells', 'damaged_file', { sheets: [{ rows: '<row><c><c/></c></row>' }] }],
    [
      'has elements without end',
      'damaged_file',
      { sheets: [{ rows: '<a>'.repeat(100) + '</a>'.repeat(100) }] },
    ],
    ['lacks a sheet that it names', 'damaged_file', { ...one, parts: { 'xl/worksheets/sheet1.xml': null } }],
    ['is binary', 'binary_workbook', { ...one, parts: { 'xl/workbook.xml': null, 'xl/workbook.bin': 'x' } }],
    [
      'is a text document',
      'not_a_table',
      { ...one, parts: { 'xl/workbook.xml': null, 'word/document.xml': '<a/>' } },
    ],
    ['is another archive', 'not_a_table', { ...one, parts: { '_rels/.rels': null } }],
    [
      'is an OpenDocument file whose kind stands last',
      'open_document',
      { ...one, parts: { 'content.xml': '<a/>' } },
    ],
  ]
  for (const [what, code, workbook, params] of refused) {
    it(`${what}: ${code}`, async () => {
      const { code: is, detail, params: told } = await refusalOf(workbook)
      assert.deepEqual([is, told], [code, params])
      assert.match(detail, /^[A-Z].*\.$/)
    })
  }

  it('is told by a part of a long name of its sheet', async () => {
    const sheet = { ...sheetOf([['<c r="C1"><f>1+1</f></c>']]), name: 'n'.repeat(1_100) }
    const { detail, params } = await refusalOf({ sheets: [sheet] })
    assert.equal(params?.sheet, 'n'.repeat(100))
    assert.ok(detail.length < 1_000)
  })

  it('has more rows than are taken', async () => {
    const sheet = sheetOf([[inline('a')], [inline('b')], [inline('c')]])
    assert.equal((await refusalOf({ sheets: [sheet] }, 1)).code, 'too_many_rows')
    assert.equal((await batchesOf({ sheets: [sheet] }, 2))[0]!.rows.length, 3)
    const far = { rows: '<row r="2000001"><c><v>1</v></c></row>' }
    const { code, message, params } = await refusalOf({ sheets: [far] })
    assert.deepEqual([code, params], ['too_many_rows', { row: 2_000_001, sheet: 'Sheet1', limit: 2_000_000 }])
    assert.match(message, /value in row 2000001 of the sheet "Sheet1"\. The last row/)
  })

  it('has a password on a part, parts of one name, or parts outside of it', async () => {
    const file = await writtenWorkbook(one)
    const changed = (change: (copy: Buffer) => void) => {
      const copy = Buffer.from(file)
      change(copy)
      return refusalOf(copy)
    }
    const entry = file.indexOf('PK\x01\x02')
    assert.equal((await changed((copy) => copy.writeUInt16LE(1, entry + 8))).code, 'encrypted_file')
    assert.equal((await changed((copy) => copy.write('../x', entry + 46))).code, 'damaged_file')
    const last = file.lastIndexOf('PK\x01\x02')
    assert.equal((await changed((copy) => copy.writeUInt16LE(12, last + 10))).code, 'damaged_file')
    const twice = await zipped({ 'xl/A.xml': 'a', 'xl/a.xml': 'b' })
    assert.equal((await refusalOf(twice)).code, 'damaged_file')
  })

  it('was changed on its way: the sums of its parts tell', async () => {
    const file = await writtenWorkbook({ sheets: [{ rows: '<row/>'.repeat(9) }] })
    const inDirectory = file.lastIndexOf('PK\x01\x02') + 16
    file.writeUInt8(file.readUInt8(inDirectory) ^ 1, inDirectory)
    assert.equal((await refusalOf(file)).code, 'damaged_file')
    assert.equal((await refusalOf(file.subarray(0, -100))).code, 'damaged_file')
  })
})

describe('a workbook that is a bomb', () => {
  it('is refused for what it says of its size, before anything is unpacked', async () => {
    const bomb = await writtenWorkbook({ sheets: [{ rows: ' '.repeat(5_000_000) }] })
    assert.equal((await refusalOf(bomb)).code, 'too_large')
  })

  it('is refused for what it unpacks to, whatever it says', async () => {
    const file = await writtenWorkbook({ sheets: [{ rows: ' '.repeat(2_000_000) }] })
    for (let at = file.indexOf('PK\x01\x02'); at !== -1; at = file.indexOf('PK\x01\x02', at + 1))
      file.writeUInt32LE(2_000, at + 24)
    assert.equal((await refusalOf(file)).code, 'damaged_file')
  })

  it('is refused for one tag, text or comment without end', async () => {
    const noise = `n${randomBytes(560_000).toString('hex')}` // packed no tighter than any spreadsheet
    for (const rows of [
      `<row a="${noise}"/>`,
      `<row><c><v>${noise}</v></c></row>`,
      `<!--${noise}-->`,
      `<${noise}/>`,
    ])
      assert.equal((await refusalOf({ sheets: [{ rows }] })).code, 'damaged_file', rows.slice(0, 20))
  })

  it('is refused for a text that it shares among more cells than are read', async () => {
    const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(6)}</row>`
    const workbook = (rows: number) => ({
      sheets: [{ rows: row.repeat(rows) }],
      shared: `<si><t>${'x'.repeat(32_000)}</t></si>`,
    })
    assert.equal((await refusalOf(workbook(600))).code, 'too_large')
    const batches = await batchesOf(workbook(100))
    const characters = batches.map(({ rows }) => JSON.stringify(rows).length)
    assert.ok(Math.max(...characters) < 1_300_000, `a batch of ${Math.max(...characters)} characters`)
    assert.equal(batches.flatMap(({ rows }) => rows).length, 100)
  })

  it('is refused by the thread that reads it, too', async () => {
    const bomb = await writtenWorkbook({ sheets: [{ rows: ' '.repeat(5_000_000) }] })
    await assert.rejects(Array.fromAsync(readXlsx(sourceOf(bomb))), {
      name: 'SheetRefusal',
      code: 'too_large',
    })
  })
})
