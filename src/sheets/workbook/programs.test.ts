// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inline, sheetOf, type WrittenWorkbook, writtenWorkbook } from '../../../test/workbooks.ts'
import { readWorkbook } from './workbook.ts'

async function cellsOf(workbook: WrittenWorkbook | Buffer): Promise<(readonly string[])[]> {
  const file = Buffer.isBuffer(workbook) ? workbook : await writtenWorkbook(workbook)
  return (await Array.fromAsync(readWorkbook(file))).flatMap(({ rows }) => rows.map(({ cells }) => cells))
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook's own part, with one sheet. @param rest what stands behind the sheets */
function workbookPart(properties: string, sheets = '', rest = ''): string {
  return `<workbook xmlns:r="${relations}">${properties}<sheets><sheet name="a" sheetId="1" r:id="rId1"/>${sheets}</sheets>${rest}</workbook>`
}

/* Traits of files that other programs saved: each was met in a real file. */

describe('a workbook of Excel', () => {
  it('counts its days from 1904 where it says so, though an extension has an element of that name', async () => {
    const rest =
      '<extLst><ext uri="{140A7094-0E35-4892-8432-C4D2E57EDEB5}"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>'
    const parts = { 'xl/workbook.xml': workbookPart('<workbookPr date1904="1"/>', '', rest) }
    const sheets = [sheetOf([['<c s="0"><v>40605</v></c>']])]
    assert.deepEqual(await cellsOf({ sheets, formats: [14], parts }), [['2015-03-04']])
  })

  it('gives days as such though the look of a table has another format by that number', async () => {
    const styles =
      '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs><dxfs><dxf><numFmt numFmtId="14" formatCode="0.00%"/></dxf></dxfs></styleSheet>'
    const sheets = [sheetOf([['<c s="0"><v>42067</v></c>']])]
    assert.deepEqual(await cellsOf({ sheets, parts: { 'xl/styles.xml': styles } }), [['2015-03-04']])
  })

  it('is read though it has modules of Excel 95, which are sheets without a part', async () => {
    const parts = {
      'xl/workbook.xml': workbookPart('', '<sheet name="Module1" sheetId="2" state="veryHidden" r:id=""/>'),
    }
    assert.deepEqual(await cellsOf({ sheets: [sheetOf([[inline('Zoë')]])], parts }), [['Zoë']])
  })

  it('gets the zeros of a format with conditions, as postcodes of Japan have', async () => {
    const formats = [
      '[&lt;=999]000;[&lt;=9999]000\\-00;000\\-0000',
      '[&lt;=9999999]###\\-####;(###) ###\\-####',
      '[>99]0;000',
    ]
    const cells = formats.flatMap((_, style) =>
      ['60', '600001', '5551234567', '1.5'].map((value) => `<c s="${style}"><v>${value}</v></c>`),
    )
    assert.deepEqual(await cellsOf({ sheets: [sheetOf([cells])], formats }), [
      [
        ...['060', '060-0001', '555123-4567', '1.5'],
        ...['-60', '60-0001', '(555) 123-4567', '1.5'],
        ...['060', '600001', '5551234567', '1.5'],
      ],
    ])
  })

  it('gives the time of day where a cell shows that alone of a day and a time', async () => {
    const cells = [0, 1].map((style) => `<c s="${style}"><v>42067.32291666</v></c>`)
    const sheets = [sheetOf([cells])]
    assert.deepEqual(await cellsOf({ sheets, formats: [20, '[h]:mm'] }), [['07:45', '1009615:45']])
  })

  it('gives the fifteen digits that Excel shows of fractions', async () => {
    const cells = ['7714.5199999999995', '0.30000000000000004', '2.3333333333333335'].map(
      (value) => `<c><v>${value}</v></c>`,
    )
    assert.deepEqual(await cellsOf({ sheets: [sheetOf([cells])] }), [['7714.52', '0.3', '2.33333333333333']])
  })
})

describe('a workbook of another program', () => {
  it('gets the zeros of a format that names a language, as reports of SQL Server have', async () => {
    const cells = ['<c s="0"><v>42</v></c>', '<c s="1"><v>42</v></c>']
    const formats = ['[$-010409]00000', '[$€-407]00000']
    assert.deepEqual(await cellsOf({ sheets: [sheetOf([cells])], formats }), [['00042', '42']])
  })

  it('may have backslashes in the names of its parts', async () => {
    const file = await writtenWorkbook({ sheets: [sheetOf([[inline('Zoë')]])] })
    const names = file.toString('latin1').replaceAll('xl/worksheets/', 'xl\\worksheets\\')
    assert.deepEqual(await cellsOf(Buffer.from(names.replaceAll('_rels/', '_rels\\'), 'latin1')), [['Zoë']])
  })

  it('may name cells in small letters', async () => {
    const rows = '<row r="1"><c r="b1"><v>1</v></c><c r="ac1"><v>2</v></c></row>'
    assert.deepEqual(await cellsOf({ sheets: [{ rows }] }), [['', '1', ...Array(26).fill(''), '2']])
  })

  it('may name styles and shared texts that it lacks, if no cell needs them', async () => {
    const parts = { 'xl/styles.xml': null, 'xl/sharedStrings.xml': null }
    assert.deepEqual(await cellsOf({ sheets: [sheetOf([[inline('Zoë')]])], shared: '', parts }), [['Zoë']])
  })

  it('may hold the text of a formula as texts are held in cells', async () => {
    const cells = ['<c t="inlineStr"><f>A2</f><is><t>Zoë</t></is></c>']
    assert.deepEqual(await cellsOf({ sheets: [sheetOf([cells])] }), [['Zoë']])
  })
})
