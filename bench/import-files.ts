import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { openSheet, type Row, type SheetFormat } from '../src/sheets/sheet.ts'
import { generatePeople } from './people.ts'
import { pickEvenly, seededRandom } from './random.ts'

/** What stands in a file that an office imports. */
const header = [
  'admission_number',
  'name',
  'class',
  'date_of_birth',
  'gender',
  'email',
  'address',
  'notes',
  'guardian_1_name',
  'guardian_1_phone',
]

const formats = {
  csv: { type: 'csv', delimiter: ',', bom: true },
  xlsx: { type: 'xlsx' },
} as const satisfies Record<string, SheetFormat>

/** How many rows are written at once. */
const rowsAtOnce = 1_000

/**
 * A file of so many students, the same ones each time, in the school's classes.
 * @param numbers what their admission numbers begin with: no other file has that
 */
export async function fileOf(
  format: keyof typeof formats,
  count: number,
  numbers: string,
  classes: readonly string[],
): Promise<Buffer> {
  const sheet = await openSheet(formats[format], 'Students', header.length)
  const pieces = [await sheet.add([header])]
  const rows = rowsOf(numbers, classes)
  for (let left = count; left > 0; left -= rowsAtOnce) {
    const some = Array.from({ length: Math.min(left, rowsAtOnce) }, () => rows.next().value)
    pieces.push(await sheet.add(some))
  }
  return buffer(Readable.from([...pieces, await sheet.end()]))
}

function* rowsOf(numbers: string, classes: readonly string[]): Generator<Row, never> {
  const people = generatePeople(23)
  const random = seededRandom(23)
  const below = (limit: number) => Math.floor(random() * limit)
  const day = () =>
    `${2008 + below(10)}-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`
  const made = new Set<string>()
  for (let number = 1; ; number++) {
    // Nobody else is called so: who is there has no day of birth, and one name in one class would be doubtful.
    const name = `${people.next().value.name} II`
    const digits = String(number).padStart(6, '0')
    // Two rows with one name and one day of birth would be doubtful.
    let born = day()
    while (made.has(`${name} ${born}`)) born = day()
    made.add(`${name} ${born}`)
    yield [
      ...[`${numbers}-${digits}`, name, pickEvenly(random, classes)!, born],
      ...[number % 2 === 0 ? 'female' : 'male', `student${digits}@school.example`],
      `Lindenweg ${1 + below(200)}, ${10_000 + below(5_000)} Berlin`,
      number % 10 === 0 ? 'Allergic to nuts; collected by her grandmother on Fridays' : '',
      ...[`Guardian of ${name}`, `+49 30 ${100_000 + below(900_000)}`],
    ]
  }
}
