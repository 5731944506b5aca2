// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sourceOf } from '../../../test/workbooks.ts'
import type { SheetRow } from '../read.ts'
import { FirstRows, TextRows } from './text-rows.ts'

interface Options {
  readonly delimiter?: string
  readonly encoding?: string
  readonly rows?: number
  readonly piece?: number
}

async function rowsOf(text: string | Uint8Array, options: Options = {}): Promise<SheetRow[]> {
  const { delimiter = ',', encoding = 'utf-8', piece = 64 * 1024, rows } = options
  const reading = new TextRows({ encoding, delimiter, ...(rows !== undefined && { rows }) })
  const read: SheetRow[] = []
  for await (const bytes of sourceOf(Buffer.from(text), piece).bytes())
    read.push(...(await reading.add(bytes)))
  return [...read, ...(await reading.end())]
}

const cellsOf = (rows: readonly SheetRow[]) => rows.map(({ cells }) => cells)

const refused = (code: string, detail = /./) => ({ name: 'SheetRefusal', code, detail })

describe('a text file', () => {
  it('gives the rows that are not blank, by the numbers that a spreadsheet shows', async () => {
    const text = 'name,class\r\n\r\n"Doe, John",1,,\n,\n"two\r\nlines",2\rlast,3'
    assert.deepEqual(await rowsOf(text), [
      { row: 1, cells: ['name', 'class'] },
      { row: 3, cells: ['Doe, John', '1'] },
      { row: 5, cells: ['two\r\nlines', '2'] },
      { row: 6, cells: ['last', '3'] },
    ])
  })

  it('gives the same in pieces of any length', async () => {
    const text = '\uFEFFname;class\r\n"Zoë ""Z"" O\'Hara";"a;b"\r\n\r\n王小明;"x\r\ny"\r\n'
    const whole = await rowsOf(text, { delimiter: ';' })
    assert.equal(whole.length, 3)
    for (const piece of [1, 2, 3, 5, 7])
      assert.deepEqual(await rowsOf(text, { delimiter: ';', piece }), whole)
  })

  it('has no guards against formulas any more', async () => {
    const text = "'=1,''=1,'+49,'-,'@a,'\ta,O'Hara,'x,=1\n"
    assert.deepEqual(cellsOf(await rowsOf(text)), [
      ['=1', "'=1", '+49', '-', '@a', '\ta', "O'Hara", "'x", '=1'],
    ])
  })

  it('may begin with sep=; as Excel has it: that is no row', async () => {
    for (const start of ['sep=;\r\n', 'SEP=;\n', '\uFEFF"sep=;"\r\n'])
      assert.deepEqual(await rowsOf(`${start}a;b`, { delimiter: ';' }), [{ row: 1, cells: ['a', 'b'] }])
    assert.deepEqual(await rowsOf('sep=;', { delimiter: ';' }), [])
    assert.deepEqual(cellsOf(await rowsOf('separate;x\n', { delimiter: ';' })), [['separate', 'x']])
  })

  it('may have quotation marks within cells, as they are', async () => {
    assert.deepEqual(cellsOf(await rowsOf('12" ruler,John "Jim" Doe\n"""Jim""",x"\n')), [
      ['12" ruler', 'John "Jim" Doe'],
      ['"Jim"', 'x"'],
    ])
  })

  it('is refused where quotation marks can be read in two ways: no row is swallowed', async () => {
    const texts = [
      'a,b\n"Doe, "Jim" John",1\n',
      'a,b\n"abc\nd,e\n"f,g\n',
      'a,b\n "x,y",z\n',
      'a,b\n"x" ,y\n',
      'a,b\n"never closed,1\nb,2\n',
    ]
    for (const text of texts) await assert.rejects(rowsOf(text), refused('invalid_csv', /row 2/i))
  })

  it('is refused where it holds more than is read, and the row is named', async () => {
    const long = 'a'.repeat(32_769)
    const wide = Array(401).fill('x').join()
    await assert.rejects(rowsOf(`a\n${long}\n`), refused('cell_too_long', /row 2/i))
    const marked = (marks: number) => `a\n${'e\u0301'.repeat(40)}\u0316${'\u0301'.repeat(marks - 2)}\n`
    await assert.rejects(rowsOf(marked(31)), refused('too_many_marks', /row 2/i))
    assert.equal((await rowsOf(marked(30))).length, 2)
    await assert.rejects(rowsOf(`a\n${wide}\n`), refused('too_many_columns', /row 2/i))
    await assert.rejects(rowsOf(`a\n"${'x,\n'.repeat(360_000)}`), refused('row_too_long', /row 2/i))
    await assert.rejects(rowsOf(`a\n${','.repeat(1_100_000)}`), refused('row_too_long', /row 2/i))
    assert.equal((await rowsOf('a\n1\n\n2\n', { rows: 2 })).length, 3)
    await assert.rejects(rowsOf('a\n1\n\n2\n3\n', { rows: 2 }), refused('too_many_rows', /2 rows/))
    assert.deepEqual(cellsOf(await rowsOf(`a${','.repeat(300)}\n`)), [['a']])
  })

  it('is refused where its bytes are no text in the encoding', async () => {
    await assert.rejects(
      rowsOf(Buffer.from('a,b\nZo\xeb,1\n', 'latin1')),
      refused('invalid_encoding', /utf-8/),
    )
    await assert.rejects(rowsOf(Buffer.from('a\xc3', 'latin1')), refused('invalid_encoding'))
  })
})

describe('the first rows of a text file', () => {
  async function first(text: string, piece = 64 * 1024) {
    const reading = new FirstRows('utf-8', [',', ';', '\t', '|'], 10)
    for await (const bytes of sourceOf(Buffer.from(text), piece).bytes()) await reading.add(bytes)
    if (!reading.isEnough) await reading.end()
    return Object.fromEntries([...reading.rows].map(([delimiter, rows]) => [delimiter, cellsOf(rows)]))
  }

  it('are given by each delimiter: who knows the names of columns chooses', async () => {
    assert.deepEqual(await first('name;class\nDoe, John;1\n'), {
      ',': [['name;class'], ['Doe', ' John;1']],
      ';': [
        ['name', 'class'],
        ['Doe, John', '1'],
      ],
      '\t': [['name;class'], ['Doe, John;1']],
      '|': [['name;class'], ['Doe, John;1']],
    })
  })

  it('are given by no delimiter under which they cannot be read', async () => {
    assert.deepEqual(Object.keys(await first('name;adm;class\n"Doe, John";1;2\n')), [';'])
    await assert.rejects(first('a,b\n"x" y,1\n'), refused('invalid_csv'))
  })

  it('are refused for the row that stops the delimiter which reads furthest: the others stop at quoted headings', async () => {
    const quoted = '"name";"class"\n"Doe";"1"\n'
    await assert.rejects(first(`${quoted}"Zoë"x;"1"\n`), refused('invalid_csv', /row 3 do not fit/))
    await assert.rejects(first(`${quoted}"Zoë;1\n`), refused('invalid_csv', /row 3 is not closed/))
    await assert.rejects(first('"name","class"\n"Zoë"x,"1"\n'), refused('invalid_csv', /row 2 do not fit/))
  })

  it('are ten, of a file of any length', async () => {
    const rows = await first(`\n${'a;b\n'.repeat(20_000)}`, 1_000)
    assert.deepEqual(rows[';'], Array(10).fill(['a', 'b']))
  })

  it('are given by the delimiter that the file names', async () => {
    assert.deepEqual(await first('sep=|\na|b\n', 1), { '|': [['a', 'b']] })
  })
})
