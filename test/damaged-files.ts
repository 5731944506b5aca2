import { seededRandom } from '../bench/random.ts'
import { inline, sheetOf, writtenWorkbook, zipped } from './workbooks.ts'

type Random = (below: number) => number

const header = ['name', 'admission_number', 'class', 'date_of_birth', 'guardian_1_name', 'Haus']
const cells = (i: number) => [
  ...[`Zoë Müller ${i}`, `00${i}`, `Class ${1 + (i % 3)}`, `2014-03-0${1 + (i % 9)}`, 'Jörg', '=1+1'],
]
const rows = [header, ...Array.from({ length: 12 }, (_, i) => cells(i))]
const lines = (delimiter: string) =>
  rows.map((row) => `${row.map((cell) => `"${cell}"`).join(delimiter)}\r\n`).join('')

/** Files as people have them, before they are damaged. */
async function wholeFiles(): Promise<readonly Buffer[]> {
  const sheet = sheetOf(rows.map((row) => row.map(inline)))
  const shared = rows.flat().map((text) => `<si><t>${text}</t></si>`)
  const places = rows.map((row, i) => row.map((_, j) => `<c t="s"><v>${i * row.length + j}</v></c>`))
  const numbers = rows.map((row, i) =>
    row.map((text, j) => (i > 0 && j === 1 ? `<c s="0"><v>${i}</v></c>` : inline(text))),
  )
  return [
    Buffer.from(lines(',')),
    Buffer.from(lines(';'), 'latin1'),
    Buffer.from(lines('\t')),
    Buffer.from(`\uFEFF${lines('|')}`, 'utf16le'),
    Buffer.from(rows.map((row) => row.join()).join('\n')),
    await writtenWorkbook({ sheets: [sheet, { ...sheet, name: 'Two' }] }),
    await writtenWorkbook({ sheets: [sheetOf(places)], shared: shared.join('') }),
    await writtenWorkbook({ sheets: [sheetOf(numbers)], formats: ['00000', 14] }),
  ]
}

/** Files that are far larger than they look, or nested. */
async function bombs(): Promise<readonly Buffer[]> {
  const wide = `<row r="1">${inline('x'.repeat(2_000_000))}</row>`
  const many = Array.from({ length: 60_000 }, (_, i) => `<row r="${i + 1}">${inline('a')}</row>`).join('')
  const deep = `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`
  const workbooks = [wide, many, deep].map((rows) => writtenWorkbook({ sheets: [{ rows }] }))
  const zeros = await zipped({ 'xl/worksheets/sheet1.xml': Buffer.alloc(30_000_000) })
  const nested = await zipped({
    'xl/workbook.xml': zeros,
    '_rels/.rels': '<!DOCTYPE x [<!ENTITY y "z">]>&y;',
  })
  return [
    ...(await Promise.all(workbooks)),
    ...[zeros, nested],
    Buffer.from(`${lines(',')}"${'x'.repeat(300_000)}`),
    Buffer.from(`name,admission_number,class\n${','.repeat(100_000)}\n`),
    Buffer.from('"'.repeat(200_000)),
    Buffer.from(`name,admission_number\n${'a,b\n'.repeat(30_000)}`),
  ]
}

const heads = [
  'PK\x03\x04',
  'sep=;\n',
  '\xef\xbb\xbf',
  '\xff\xfe',
  '\xd0\xcf\x11\xe0',
  'name,class\n',
  '<?xml ',
  '',
]

/** Changes a file: bits, a part left out, doubled or overwritten, or all behind a place cut off. */
function damaged(file: Buffer, random: Random): Buffer {
  const at = random(file.length)
  const to = Math.min(file.length, at + 1 + random(64))
  switch (random(5)) {
    case 0:
      return file.subarray(0, at)
    case 1:
      return Buffer.concat([file.subarray(0, at), file.subarray(to)])
    case 2:
      return Buffer.concat([file.subarray(0, to), file.subarray(at)])
    default: {
      const copy = Buffer.from(file)
      for (let flips = 1 + random(12); flips > 0; flips--) copy[random(copy.length)]! ^= 1 << random(8)
      return copy
    }
  }
}

/** Damages a spreadsheet's XML before it is packed: its checksums are good then. */
function damagedInside(random: Random): Promise<Buffer> {
  const xml = Buffer.from(sheetOf(rows.map((row) => row.map(inline))).rows)
  return writtenWorkbook({ sheets: [{ rows: damaged(xml, random).toString('latin1') }] })
}

/** Makes files that nobody should send, each by its number alone. */
export async function damagedFiles(seed: number): Promise<(number: number) => Promise<Buffer>> {
  const [whole, large] = [await wholeFiles(), await bombs()]
  return async (number) => {
    const next = seededRandom(seed * 1_000_003 + number)
    const random: Random = (below) => Math.floor(next() * below)
    const kind = random(100)
    if (kind < 2) return large[random(large.length)]!
    if (kind < 4) return damaged(large[random(large.length)]!, random)
    if (kind < 14) {
      const bytes = Uint8Array.from({ length: 1 + random(400) }, () => random(256))
      return Buffer.concat([Buffer.from(heads[random(heads.length)]!, 'latin1'), bytes])
    }
    if (kind < 34) return damagedInside(random)
    return damaged(whole[random(whole.length)]!, random)
  }
}
