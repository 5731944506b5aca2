import { isOneOf } from '../../db/is-one-of.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { comparedName, isTurned, plainName } from '../../students/doubles/turned-names.ts'
import { fold } from '../../text/search-words.ts'
import type { PlannedChanges } from '../cells/flat-student.ts'
import type { CellValue } from '../cells/row-values.ts'
import { inTurns } from '../slices/in-turns.ts'
import { mostOthers, type Twin } from './near.ts'
import { partingsOf } from './skeleton.ts'

/** How many rows are read at once. */
const sliceSize = 500

/** Of rows whose numbers are alike, with how many each is compared: the first of them. */
const mostAlike = 100

/** A row that is to make a student. */
interface NewRow {
  readonly place: number
  readonly number: string
  readonly partings: string
  readonly name: string
  readonly born: CellValue
}

/**
 * Finds rows that may be of one child, since their numbers differ in what `skeletonOf` takes away alone. Two with other
 * names and other dates of birth are two children.
 * @param groups places of rows whose numbers have one skeleton
 * @param between is called after each slice of rows
 */
export async function findLikeNumbers(
  db: Db,
  importId: number,
  groups: readonly (readonly number[])[],
  between: () => Promise<void>,
): Promise<Twin[]> {
  const rows = await newRows(db, importId, groups.flat(), between)
  const compared = groups.flatMap((places) => {
    const alike = places.flatMap((place) => rows.get(place) ?? [])
    const first = alike.slice(0, mostAlike)
    return alike.map((row) => ({ row, first }))
  })
  const told = await inTurns(compared, ({ row, first }): Twin[] => {
    const others = first.filter((other) => mayBeOneChild(row, other)).slice(0, mostOthers)
    if (others.length === 0) return []
    return [{ place: row.place, reason: 'similar_number_twice', others: others.map(({ place }) => place) }]
  })
  return told.flat()
}

function mayBeOneChild(one: NewRow, other: NewRow): boolean {
  if (one.number === other.number) return false // which is told of otherwise
  if (one.partings !== '' && other.partings !== '' && one.partings !== other.partings) return false
  if (one.born === null || other.born === null || one.born === other.born) return true
  return one.name === other.name || isTurned(one.name, other.name)
}

async function newRows(
  db: Db,
  importId: number,
  places: readonly number[],
  between: () => Promise<void>,
): Promise<Map<number, NewRow>> {
  const rows = new Map<number, NewRow>()
  for (let at = 0; at < places.length; at += sliceSize) {
    const query = db
      .selectFrom('import_plan')
      .select(['place', 'number_key', 'changes'])
      .where('import_id', '=', importId)
      .where('outcome', '=', 'create')
      .where(isOneOf(db, 'place', places.slice(at, at + sliceSize)))
      .$narrowType<{ number_key: string; changes: string }>()
    const read = await rowsBeside(db, query)
    for (const { place, number_key: number, changes } of read) {
      const { name, date_of_birth: born } = JSON.parse(changes) as PlannedChanges
      const child = { name: plainName(comparedName(fold(String(name?.[1])))), born: born?.[1] ?? null }
      rows.set(place, { place, number, partings: partingsOf(number), ...child })
    }
    await between()
  }
  return rows
}
