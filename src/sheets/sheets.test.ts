// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readCsv, readXlsx, writtenSheet } from '../../test/sheets.ts'
import type { Row, SheetFormat } from './sheet.ts'
import { XlsxWriter } from './xlsx.ts'

function fileOf(format: SheetFormat, rows: readonly Row[], piece = 2): Promise<Buffer> {
  return writtenSheet(format, 'students', rows, piece)
}

const csv = { type: 'csv', delimiter: ',', bom: true } as const

/** Cells of every kind: formulas, quotes, scripts, and what looks like an escape of XLSX. */
const cell = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', 'x', '_', '0'),
  }),
  fc.constantFrom(
    '_x0041_',
    '=1+1',
    "'=1",
    "''=1",
    '0042',
    'Зоя',
    '王小明',
    'عائشة',
    '\uFEFFa',
    '</t>',
    ' a ',
  ),
)
const rows = fc
  .integer({ min: 1, max: 30 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 5 }),
  )

describe('a CSV file', () => {
  it('gives every text back, in every script, with either delimiter', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(',' as const, ';' as const), async (rows, delimiter) => {
        const file = await fileOf({ ...csv, delimiter }, rows)
        assert.deepEqual(readCsv(file, { delimiter }), rows)
      }),
    )
  })

  it('begins with a byte order mark unless that is switched off, and its lines end in CR LF', async () => {
    const rows = [['name'], ['Zoë']]
    assert.equal((await fileOf(csv, rows)).toString(), '\uFEFFname\r\nZoë\r\n')
    assert.equal((await fileOf({ ...csv, bom: false }, rows)).toString(), 'name\r\nZoë\r\n')
  })

  it('has a line for a row of one empty cell, which a reader would take for none', async () => {
    const file = await fileOf({ ...csv, bom: false }, [['name'], [''], ['Zoë']])
    assert.equal(file.toString(), 'name\r\n""\r\nZoë\r\n')
  })

  it('holds no cell that a spreadsheet would run', async () => {
    const dangerous = ['=1+1', '+49 30', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", "''=1"]
    const file = await fileOf(csv, [dangerous])
    for (const text of readCsv(file, { isGuarded: false })[0]!) assert.match(text, /^'/)
    const harmless = [['a=1', "O'Hara", "'", '1-2', ' =1']]
    assert.deepEqual(readCsv(await fileOf(csv, harmless), { isGuarded: false }), harmless)
  })
})

describe('an XLSX file', () => {
  it('gives every text back as a text, in every script, with no mark before it', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (rows) => {
        const sheets = await readXlsx(await fileOf({ type: 'xlsx' }, rows))
        const filled = sheets.get('students')!.map((row, i) => [...row, ...rows[i]!.slice(row.length)])
        assert.deepEqual(filled, rows)
      }),
    )
  })

  it('goes on in another sheet below the same header, where one is full', async () => {
    const sheet = new XlsxWriter('students', 1, 3)
    const numbers = Array.from({ length: 5 }, (_, i) => [String(i)])
    const file = Buffer.concat([await sheet.add([['number'], ...numbers]), await sheet.end()])
    const sheets = await readXlsx(file)
    assert.deepEqual([...sheets.keys()], ['students', 'students 2', 'students 3'])
    assert.deepEqual([...sheets.values()].flat().flat().join(), 'number,0,1,number,2,3,number,4')
  })
})
