import { sql } from 'kysely'
import { isOneOfTexts } from '../../db/is-one-of.ts'
import type { Db } from '../../db/tables.ts'
import { uniqueKey } from '../../text/normalise.ts'
import type { PlannedChanges } from '../cells/flat-student.ts'
import type { ImportRow } from '../model.ts'
import { slicesInOrder } from '../slices/in-order.ts'
import type { StepWork } from '../steps.ts'
import { updatePlanRows } from './plan-rows.ts'

/** How many rows get numbers at once. */
const sliceSize = 250

/** Numbers of an answer such as `2026-*0001`: of that width, from there on. */
function* numbersOf(answer: string): Generator<string, never> {
  const at = answer.lastIndexOf('*')
  const [prefix, start] = [answer.slice(0, at), answer.slice(at + 1)]
  for (let number = BigInt(start || '1'); ; number++)
    yield prefix + String(number).padStart(start.length, '0')
}

/**
 * Gives admission numbers to the rows that make students and have none, in the order of the file. Numbers that a
 * student has or had, and those that the file gives, are passed over.
 */
export async function giveNumbers(
  { id, settings }: Pick<ImportRow, 'id' | 'settings'>,
  work: StepWork,
  done: number,
): Promise<void> {
  const { db } = work
  const met = sql`outcome = 'create' and number_key is null`
  const unnumbered = { table: 'import_plan', importId: id, columns: ['place', 'changes'], met } as const
  const numbers = freeNumbers(db, id, numbersOf(String(settings.admission_number)))
  const slices = slicesInOrder<{ place: number; changes: string }>(db, unnumbered, sliceSize)
  for await (const rows of slices) {
    const numbered: { place: number; number_key: string; changes: string }[] = []
    for (const { place, changes } of rows) {
      const number = (await numbers.next()).value
      const { name, name_joined, ...others } = JSON.parse(changes) as PlannedChanges
      const given = {
        ...(name && { name }),
        ...(name_joined && { name_joined }),
        admission_number: [null, number],
      }
      numbered.push({
        place,
        number_key: uniqueKey(number),
        changes: JSON.stringify({ ...given, ...others }),
      })
    }
    await work.write((tx) => updatePlanRows(tx, id, numbered, { number_key: 'text', changes: 'text' }))
    await work.beat(done)
  }
}

async function* freeNumbers(
  db: Db,
  importId: number,
  numbers: Iterator<string, never>,
): AsyncGenerator<string, never> {
  for (;;) {
    const some = Array.from({ length: sliceSize }, () => numbers.next().value as string)
    const taken = await takenKeys(db, importId, some.map(uniqueKey))
    for (const number of some) if (!taken.has(uniqueKey(number))) yield number
  }
}

async function takenKeys(db: Db, importId: number, keys: readonly string[]): Promise<Set<string>> {
  const students = db
    .selectFrom('students')
    .select('admission_key')
    .where(isOneOfTexts(db, 'admission_key', keys))
  const former = db
    .selectFrom('former_numbers')
    .select('admission_key')
    .where(isOneOfTexts(db, 'admission_key', keys))
  const inFile = db
    .selectFrom('import_plan')
    .select('number_key as admission_key')
    .where('import_id', '=', importId)
    .where(isOneOfTexts(db, 'number_key', keys))
  const rows = await students.unionAll(former).unionAll(inFile.$castTo<{ admission_key: string }>()).execute()
  return new Set(rows.map(({ admission_key }) => admission_key))
}
