// Runs once: what it shows does not depend on the engine. It takes minutes.
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { writtenSheet } from '../../test/sheets.ts'
import { inline, sheetOf, sourceOf, writtenWorkbook } from '../../test/workbooks.ts'
import { formatOf } from './format.ts'
import { readText, readXlsx, type SheetBatch } from './read.ts'
import { markedEncoding, OlderEncodings } from './reading/encodings.ts'
import { FirstRows, TextRows } from './reading/text-rows.ts'
import { SheetRefusal } from './refusal.ts'
import type { Row, SheetFormat } from './sheet.ts'
import { readWorkbook } from './workbook/workbook.ts'

const megabyte = 1e6

function fileOf(format: SheetFormat, rows: readonly Row[]): Promise<Buffer> {
  return writtenSheet(format, 'students', rows)
}

/** Reads a file as an import does, in this thread. @returns whether it gave rows, or was refused */
async function readWhole(file: Buffer): Promise<'rows' | SheetRefusal['code']> {
  try {
    if (formatOf(file) === 'xlsx') {
      for await (const { rows } of readWorkbook(file))
        assert.ok(rows.every(({ cells }) => cells.length <= 400))
      return 'rows'
    }
    const encoding = encodingOf(file)
    const first = new FirstRows(encoding, [',', ';', '\t', '|'], 10)
    await first.add(file)
    if (!first.isEnough) await first.end()
    const [delimiter = ','] = first.rows.keys()
    const rows = new TextRows({ encoding, delimiter })
    await rows.add(file)
    await rows.end()
    return 'rows'
  } catch (error) {
    if (error instanceof SheetRefusal) return error.code
    throw error
  }
}

function encodingOf(file: Buffer): string {
  const marked = markedEncoding(file)
  if (marked !== undefined || isUtf8(file)) return marked ?? 'utf-8'
  const encodings = new OlderEncodings()
  encodings.add(file)
  return encodings.end()[0]!.encoding
}

function candidatesOrNone(encodings: OlderEncodings) {
  try {
    return encodings.end()
  } catch (error) {
    if (error instanceof SheetRefusal) return []
    throw error
  }
}

/** Changes some bytes: one by one, a piece left out, doubled, or moved. */
function mutated(file: Buffer, places: readonly number[], bytes: readonly number[]): Buffer {
  let copy = Buffer.from(file)
  for (const [i, place] of places.entries()) {
    const at = place % Math.max(copy.length, 1)
    const byte = bytes[i % bytes.length]!
    if (byte % 8 === 0) copy = Buffer.concat([copy.subarray(0, at), copy.subarray(at + byte)])
    else if (byte % 8 === 1) copy = Buffer.concat([copy.subarray(0, at + byte), copy.subarray(at)])
    else if (copy.length > 0) copy[at] = byte
  }
  return copy
}

const places = fc.array(fc.nat(2 ** 20), { minLength: 1, maxLength: 6 })
const bytes = fc.array(fc.nat(255), { minLength: 1, maxLength: 6 })

async function fuzz(files: readonly Buffer[], runs: number): Promise<Map<string, number>> {
  const ends = new Map<string, number>()
  const file = fc.constantFrom(...files)
  await fc.assert(
    fc.asyncProperty(file, places, bytes, async (file, places, bytes) => {
      const began = performance.now()
      const end = await readWhole(mutated(file, places, bytes))
      ends.set(end, (ends.get(end) ?? 0) + 1)
      assert.ok(performance.now() - began < 5_000)
    }),
    { numRuns: runs },
  )
  return ends
}

const cell = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.string({
    unit: fc.constantFrom("'", '=', '-', '\t', '\r', '\n', '"', ',', ';', '|', 'x', '_', '0', '\uFEFF'),
  }),
  fc.constantFrom('_x0041_', "''=1", '0042', 'Зоя', '王小明', 'عائشة', '"Jim"', ' a ', 'sep=;'),
)
const table = fc
  .integer({ min: 1, max: 20 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 8 }),
  )

/** Rows as a reader gives them: blank ones are left out, and so are empty cells at the end. */
function kept(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => row.slice(0, row.findLastIndex((text) => text !== '') + 1))
    .filter((row) => row.length > 0)
}

describe('files that Registrar wrote', () => {
  it('come back as they were, as CSV with any delimiter', async () => {
    const delimiter = fc.constantFrom(',' as const, ';' as const, '\t' as const, '|' as const)
    await fc.assert(
      fc.asyncProperty(
        table,
        delimiter,
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        async (rows, delimiter, bom, piece) => {
          const file = await fileOf({ type: 'csv', delimiter, bom }, [['id'], ...rows])
          const reading = new TextRows({ encoding: 'utf-8', delimiter })
          const read = []
          for await (const some of sourceOf(file, piece).bytes()) read.push(...(await reading.add(some)))
          read.push(...(await reading.end()))
          assert.deepEqual(
            read.map(({ cells }) => cells),
            kept([['id'], ...rows]),
          )
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('come back as they were, as XLSX', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const file = await fileOf({ type: 'xlsx' }, rows)
        const read = (await Array.fromAsync(readWorkbook(file))).flatMap(({ rows }) => rows)
        assert.deepEqual(
          read.map(({ cells }) => cells),
          kept(rows),
        )
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('files with faults', () => {
  it('end in rows or in a refusal: 6 000 text files', async () => {
    const rows = [
      ['name', 'class', 'note'],
      ['Doe, John', '1', 'a "b"'],
      ['Zoë', '2', '=1\r\n2'],
      ['王小明', '', "'"],
    ]
    const files = [',', ';', '\t'].map((delimiter) =>
      fileOf({ type: 'csv', delimiter: delimiter as ',', bom: false }, rows),
    )
    const old = Buffer.from('name;class\r\n"Müller; Zoë";1\r\nÅke;"2"\r\n', 'latin1')
    const wide = Buffer.from('\uFEFFname\tclass\nZoë\t"1"\n', 'utf16le')
    const ends = await fuzz([...(await Promise.all(files)), old, wide], 6_000)
    for (const end of ['rows', 'invalid_csv', 'not_a_table']) assert.ok(ends.has(end), String([...ends]))
  })

  it('end in rows or in a refusal: 4 000 XLSX files, and as many whose XML alone has faults', async () => {
    const rows = [
      ['name', 'class'],
      ['Doe', '0042'],
      ['Zoë', '王'],
    ]
    const cells = rows.map((row) => [
      ...row.map(inline),
      '<c t="s"><v>1</v></c>',
      '<c s="1"><f>1</f><v>42067</v></c>',
    ])
    const workbook = {
      sheets: [sheetOf(cells)],
      shared: '<si><t>a</t></si><si><r><t>b</t></r></si>',
      formats: [0, 'dd.mm.yyyy'],
    }
    const ends = await fuzz([await fileOf({ type: 'xlsx' }, rows), await writtenWorkbook(workbook)], 4_000)
    for (const end of ['rows', 'damaged_file']) assert.ok(ends.has(end), String([...ends]))
    const sheet = Buffer.from(workbook.sheets[0]!.rows)
    await fc.assert(
      fc.asyncProperty(places, bytes, async (places, bytes) => {
        const parts = { 'xl/worksheets/sheet1.xml': mutated(sheet, places, bytes) }
        await readWhole(await writtenWorkbook({ ...workbook, parts }))
      }),
      { numRuns: 4_000 },
    )
  })

  it('have encodings or none, whatever their bytes', async () => {
    await fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (pieces) => {
        const encodings = new OlderEncodings()
        for (const piece of pieces) encodings.add(piece)
        const candidates = candidatesOrNone(encodings)
        for (const { encoding } of candidates)
          new TextDecoder(encoding, { fatal: true }).decode(Buffer.concat(pieces))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('files that are too much', () => {
  /** How much more memory the process takes while a file is read than before, in bytes. */
  async function memoryOf(reading: AsyncIterable<unknown>, end = { code: '' }): Promise<number> {
    const before = process.memoryUsage.rss()
    let most = before
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
    try {
      for await (const _ of reading) most = Math.max(most, process.memoryUsage.rss())
    } catch (error) {
      if (!(error instanceof SheetRefusal)) throw error
      end.code = error.code
    } finally {
      clearInterval(timer)
    }
    return most - before
  }

  it('are refused within the memory of the thread', async () => {
    const blocks = Array.from({ length: 70 }, () => randomBytes(450_000).toString('hex'))
    const texts = Array.from(
      { length: 1_300_000 },
      (_, i) => `<si><t>${i * 7919} ${blocks[0]!.slice(i % 9_999, (i % 9_999) + 24)}</t></si>`,
    )
    const related = Array.from({ length: 20_000 }, (_, i) => `<Relationship Id="${i}"/>`)
    const sheets = [{ rows: '' }]
    const files = [
      await writtenWorkbook({ sheets, shared: texts.join('') }),
      await writtenWorkbook({
        sheets,
        parts: { 'xl/_rels/workbook.xml.rels': `<a>${related.join('')}</a>` },
      }),
      await writtenWorkbook({ sheets, formats: Array(70_000).fill(14) }),
      await writtenWorkbook({ sheets, formats: [...blocks, ...blocks, ...blocks] }), // more than the thread's memory
    ]
    for (const file of files) {
      const end = { code: '' }
      const memory = await memoryOf(readXlsx(sourceOf(file)), end)
      assert.equal(end.code, 'too_large')
      assert.ok(memory < 3 * 150 * megabyte, `${memory / megabyte} MB`)
    }
  })

  it('are refused for more than 200 MB unpacked, though no part is packed tight', async () => {
    const noise = randomBytes(400_000).toString('hex') // packed to half of it
    const row = `<row r="9"><c t="inlineStr"><is><t>${'a'.repeat(900)}</t></is></c></row>`
    const part = `<a>${noise}${row.repeat(60_000)}${noise}</a>`
    const parts = Object.fromEntries([1, 2, 3, 4].map((i) => [`xl/media/${i}.xml`, part]))
    const file = await writtenWorkbook({ sheets: [{ rows: '' }], parts })
    assert.ok(file.length * 100 > 205 * megabyte, `${file.length} bytes`)
    const end = { code: '' }
    await memoryOf(readXlsx(sourceOf(file)), end)
    assert.equal(end.code, 'too_large')
  })

  it('or are read at a constant one: CSV of 60 MB', async () => {
    const line = Buffer.from('00042,Doe,"Zoë, Anna",2015-03-04,Class 1,+49 30 1234567\r\n'.repeat(5_000))
    const source = {
      async *bytes() {
        for (let i = 0; i < 200; i++) yield line
      },
    }
    const memory = await memoryOf(readText(source, { encoding: 'utf-8', delimiter: ',' }))
    assert.ok(memory < 3 * 64 * megabyte, `${memory / megabyte} MB`)
  })

  it('give all rows of all sheets', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => [inline(`name ${i}`), `<c><v>${i}</v></c>`])
    const file = await writtenWorkbook({ sheets: [sheetOf(rows), sheetOf(rows)] })
    const batches: SheetBatch[] = await Array.fromAsync(readXlsx(sourceOf(file)))
    assert.equal(batches.flatMap(({ rows }) => rows).length, 120_000)
  })
})
