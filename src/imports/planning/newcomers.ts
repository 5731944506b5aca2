import type { Authority } from '../../access/authority.ts'
import { commonScope, isInScope } from '../../access/scope.ts'
import { rowsAside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { fold } from '../../text/search-words.ts'
import type { PlannedChanges } from '../cells/flat-student.ts'
import type { ImportRow } from '../model.ts'
import { nextRows } from '../slices/in-order.ts'
import { inTurns } from '../slices/in-turns.ts'
import { looked, type NearStudent } from './near.ts'
import { isWritten } from './plan-rows.ts'

/*
 * A plan may wait for days. A child who came since, by hand or by another import, was not there to make its row
 * doubtful, and would be made twice.
 */

/** How many students, or rows, are read at once. */
const sliceSize = 1_000

/** The highest id of a student; 0: there is none. */
export async function newestStudent(db: Db): Promise<number> {
  const students = db.selectFrom('students').select('id').orderBy('id', 'desc').limit(1)
  return (await students.executeTakeFirst())?.id ?? 0
}

/**
 * The places of rows that are to make a student, where one of the same name and date of birth came since they were
 * planned; without a date, of the same name and class. Rows whose number is taken are told by that.
 * @param authority of the account that applies: only students whom it may see are found
 */
export async function rowsOfNewcomers(
  db: Db,
  { id: importId, kind }: Pick<ImportRow, 'id' | 'kind'>,
  authority: Authority,
): Promise<number[]> {
  if (kind !== 'students') return []
  const imported = db.selectFrom('imports').select('makes').where('id', '=', importId)
  const { makes } = await imported.executeTakeFirstOrThrow()
  const { newest } = JSON.parse(makes ?? '{}') as { newest?: number }
  const come = newest === undefined ? [] : await newcomers(db, authority, newest)
  if (come.length === 0) return []
  const known = new Set(come.map(([, classId, born, name]) => childIn(name, born, classId)))
  const numbers = new Set(come.map(([, , , , number]) => number))
  const places: number[] = []
  const columns = ['place', 'record_id', 'number_key', 'changes']
  const due = { table: 'import_plan', importId, columns, met: isWritten } as const
  for (let after = -1; ; ) {
    const rows = await nextRows<PlannedRow>(db, due, after, sliceSize)
    if (rows.length === 0) return places
    await inTurns(rows, ({ place, record_id, number_key, changes }) => {
      if (record_id !== null || numbers.has(number_key ?? '')) return
      const { name, date_of_birth: born, class_id: classId } = JSON.parse(changes) as PlannedChanges
      const child = childIn(fold(String(name?.[1])), born?.[1] ?? null, classId?.[1])
      if (known.has(child)) places.push(place)
    })
    after = rows.at(-1)!.place
  }
}

interface PlannedRow {
  readonly place: number
  readonly record_id: number | null
  readonly number_key: string | null
  readonly changes: string
}

function childIn(name: string, born: unknown, classId: unknown): string {
  return JSON.stringify(born === null ? [name, classId] : [name, born, null])
}

async function newcomers(db: Db, authority: Authority, newest: number): Promise<NearStudent[]> {
  const views = authority.scopeOf('students.view') ?? []
  const dates = commonScope(views, authority.scopeOf('students.sensitive') ?? [])
  const slice = `from students where id > :after order by id limit ${sliceSize}`
  const come: NearStudent[] = []
  for (let last = newest; ; ) {
    const read = await rowsAside<NearStudent>(db, looked, slice, last)
    if (read.length === 0) return come
    for (const one of read) if (isInScope(one[2] === null ? views : dates, one[1])) come.push(one)
    last = read.at(-1)![0]
  }
}
