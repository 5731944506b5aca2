import { permissionDenied } from '../access/denials.ts'
import { includesScope } from '../access/scope.ts'
import { readingPlaceOf } from '../db/portable-reads.ts'
import type { Db } from '../db/tables.ts'
import { invalidField } from '../problems.ts'
import type { SheetFormat, SheetPiece } from '../sheets/sheet.ts'
import { askedFor, type ListRequest } from '../students/lists/asked.ts'
import { listColumns } from '../students/lists/columns.ts'
import { readSlice, type StudentLists } from '../students/lists/lists.ts'
import type { Slice, SlicePart } from '../students/lists/slices.ts'
import type { HeadingLanguage } from './headings.ts'
import { SheetMaker } from './sheet-maker.ts'
import { planSheet } from './used-columns.ts'

/** How many students are read at once: some 100 KB, and 12 MB where each has all that it may have. */
const sliceSize = 100

/** How many students are exported in another order than that of ids, or found by a search: their ids are kept. */
export const mostInOrder = 100_000

/** How long a slice that is read ahead stands, in milliseconds. */
const mostAheadMs = 1_000

/** What is exported. */
export interface Source {
  readonly db: Db
  readonly lists: StudentLists
  /**
   * The list as it may be read by now; asked for each slice. All but its classes is always the same.
   * @throws Problem where it may not be read any more
   */
  readonly listNow: () => Promise<ListRequest>
  /** For how many systems of identifiers there may be columns. */
  readonly mostSystems?: number
}

/** A file that is being made. */
export interface StudentsFile extends AsyncIterable<SheetPiece> {
  /** How many students stand in it by now. */
  readonly count: number
  /** Whether all stand in it. */
  readonly isWhole: boolean
}

/**
 * Begins a file of all students of a list. Each slice has a snapshot of its own: a student who is there throughout
 * stands in the file once. It breaks off where the list, or one of its classes, may not be read any more.
 * @throws Problem where the list may not be read, or is too long in its order
 */
export async function beginFile(
  source: Source,
  format: SheetFormat,
  language?: HeadingLanguage,
): Promise<StudentsFile> {
  const list = await source.listNow()
  const ids = isById(list) ? undefined : await idsInOrder(source, list)
  const plan = { ...(await planSheet(source.db, list, source.mostSystems)), language }
  const file = { count: 0, isWhole: false }
  async function* pieces() {
    await using maker = new SheetMaker({ format, plan, place: readingPlaceOf(source.db) })
    const parts = partsOf(ids)
    const read = () => (part.done ? undefined : readAdmitted(source, list, part.value))
    let part = parts.next(0)
    for (let reading = read(); reading !== undefined; ) {
      const slice = await reading
      const making = maker.add(slice)
      // What was read here tells where the next slice begins: it is read while this one is made.
      const known = 'rows' in slice ? slice.rows[0]!.last : undefined
      if (known !== undefined) {
        part = parts.next(known)
        reading = read()
        reading?.catch(() => {}) // told when it is awaited
      }
      const { pieces, count, last } = await making
      file.count += count
      const given = performance.now()
      yield* pieces
      if (known === undefined) part = parts.next(last)
      // Who takes long is admitted anew, for what was read meanwhile too.
      if (known === undefined || performance.now() - given > mostAheadMs) reading = read()
    }
    yield* (await maker.add('end')).pieces
    file.isWhole = true
  }
  return Object.assign(file, { [Symbol.asyncIterator]: pieces })
}

function isById({ sort, search, guardian }: ListRequest): boolean {
  return sort === 'id' && search === undefined && guardian === undefined
}

/**
 * Reads a slice of the list as it began, and gives it where all of its classes may be read by now.
 * @throws Problem permission_denied: without a class that is lost the file would look whole
 */
async function readAdmitted({ db, listNow }: Source, list: ListRequest, part: SlicePart): Promise<Slice> {
  const [slice, now] = await Promise.all([readSlice(db, list, part), listNow()])
  if (!includesScope(now.classes, list.classes)) throw permissionDenied('students.export')
  return slice
}

/** What is read, slice by slice. It is told the highest id of each; null: there was nobody. */
function* partsOf(ids: readonly number[] | undefined): Generator<SlicePart, void, number | null> {
  if (ids === undefined) {
    for (let last: number | null = 0; last !== null; ) last = yield { after: last, limit: sliceSize }
    return
  }
  for (let at = 0; at < ids.length; at += sliceSize) yield { ids: ids.slice(at, at + sliceSize) }
}

/** The ids of all that are found, in the order of the list. @throws Problem validation_failed where they are too many */
async function idsInOrder({ lists }: Source, list: ListRequest): Promise<number[]> {
  const columns = listColumns.filter(({ name }) => name === 'id')
  const asked = askedFor({ ...list, columns }, { page: 1, perPage: mostInOrder })
  if (asked === undefined) return []
  const { json, total } = await lists.page(asked)
  if (total > mostInOrder) throw tooManyInOrder()
  return (JSON.parse(Buffer.from(json).toString()) as { id: number }[]).map(({ id }) => id)
}

function tooManyInOrder() {
  const detail = `must be id, and nothing searched for, where more than ${mostInOrder} students are found; class_id and other filters make them fewer`
  return invalidField('/sort', { code: 'too_many', detail, params: { limit: mostInOrder } })
}
