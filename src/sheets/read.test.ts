// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inline, sheetOf, sourceOf, writtenWorkbook } from '../../test/workbooks.ts'
import { encodingsOf, firstRows, readText, readXlsx, type SheetRow } from './read.ts'

async function rowsOf(bytes: Uint8Array, encoding: string, delimiter: string): Promise<SheetRow[]> {
  return (await Array.fromAsync(readText(sourceOf(bytes), { encoding, delimiter }))).flat()
}

const cellsOf = (rows: readonly SheetRow[]) => rows.map(({ cells }) => cells)
const refused = (code: string) => ({ name: 'SheetRefusal', code })

describe('a text file', () => {
  it('is known where it is UTF-8, or a byte order mark says so', async () => {
    assert.deepEqual(await encodingsOf(sourceOf(Buffer.from('Zoë,王小明,عائشة'))), { encoding: 'utf-8' })
    assert.deepEqual(await encodingsOf(sourceOf(Buffer.from('Zoë'), 1)), { encoding: 'utf-8' })
    assert.deepEqual(await encodingsOf(sourceOf(Buffer.from('\uFEFFZoë'), 1)), { encoding: 'utf-8' })
    const wide = Buffer.from('\uFEFFname\tZoë\nŁukasz\t1\n', 'utf16le')
    assert.deepEqual(await encodingsOf(sourceOf(wide)), { encoding: 'utf-16le' })
    assert.deepEqual(cellsOf(await rowsOf(wide, 'utf-16le', '\t')), [
      ['name', 'Zoë'],
      ['Łukasz', '1'],
    ])
    assert.deepEqual(await encodingsOf(sourceOf(Buffer.from(wide).swap16())), { encoding: 'utf-16be' })
  })

  it('gives its first rows, and is refused in a thread as without', async () => {
    const rows = await firstRows(sourceOf(Buffer.from('a;b\n')), { encoding: 'utf-8' }, [',', ';'])
    assert.deepEqual(rows.get(';'), [{ row: 1, cells: ['a', 'b'] }])
    const long = Buffer.from(`${'a,b\n'.repeat(100_000)}"a`)
    for (const bytes of [Buffer.from('"a'), long])
      await assert.rejects(rowsOf(bytes, 'utf-8', ','), refused('invalid_csv'))
    const found = await encodingsOf(sourceOf(Buffer.from('Zo\xeb', 'latin1')))
    assert.ok('candidates' in found)
    assert.deepEqual(found.candidates[0], { encoding: 'windows-1252', samples: ['Zoë'] })
  })

  it('gives those of its first rows that have ended where its first 256 KiB do', async () => {
    const long = 'ö'.repeat(32_000)
    for (const last of [`Eve;${long}`, `Eve;"${long}"`]) {
      const text = ['name;notes', ...Array(4).fill(`Ada;${long}`), last, 'Bo;'].join('\n')
      const rows = await firstRows(sourceOf(Buffer.from(text)), { encoding: 'utf-8' }, [',', ';'])
      assert.deepEqual(
        rows.get(';')?.map(({ cells }) => cells[0]),
        ['name', 'Ada', 'Ada', 'Ada', 'Ada'],
      )
    }
  })

  for (const [length, lines] of [
    ['short', 20_000],
    ['long', 200_000],
  ] as const) {
    it(`is read some rows at a time, and no further than rows are taken: ${length}`, async () => {
      const text = 'a,b\n'.repeat(lines)
      let [begun, cut] = [0, 0]
      const source = {
        async *bytes() {
          begun++
          try {
            for (let at = 0; at < text.length; at += 1_000) yield Buffer.from(text.slice(at, at + 1_000))
          } finally {
            cut++
          }
        },
      }
      const options = { encoding: 'utf-8', delimiter: ',' }
      for await (const rows of readText(source, options)) {
        assert.ok(rows.length <= 500)
        break
      }
      assert.equal(cut, begun)
      const all = (await Array.fromAsync(readText(source, options))).flat()
      assert.deepEqual([all.length, all.at(-1)], [lines, { row: lines, cells: ['a', 'b'] }])
      assert.equal(cut, begun)
    })
  }

  it('fails with what the source of its bytes fails with', async () => {
    const source = {
      async *bytes() {
        yield Buffer.from('a\n')
        throw new Error('the database is away')
      },
    }
    await assert.rejects(
      Array.fromAsync(readText(source, { encoding: 'utf-8', delimiter: ',' })),
      /the database is away/,
    )
  })
})

describe('an XLSX file', () => {
  it('is read in a thread, sheet by sheet', async () => {
    const rows = Array.from({ length: 1_200 }, (_, i) => [inline(`name ${i}`), `<c><v>${i}</v></c>`])
    const file = await writtenWorkbook({ sheets: [sheetOf(rows), { name: 'empty', rows: '' }] })
    const batches = await Array.fromAsync(readXlsx(sourceOf(file)))
    assert.equal(batches.flatMap(({ rows }) => rows).length, 1_200)
    assert.deepEqual([...new Set(batches.map(({ name }) => name))], ['Sheet1', 'empty'])
    await assert.rejects(Array.fromAsync(readXlsx(sourceOf(file), { rows: 1_000 })), refused('too_many_rows'))
  })
})
