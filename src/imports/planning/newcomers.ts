import { setImmediate as turn } from 'node:timers/promises'
import type { Authority } from '../../access/authority.ts'
import { isInScope } from '../../access/scope.ts'
import { lockCreations } from '../../db/row-locks.ts'
import type { Db } from '../../db/tables.ts'
import { comparedName, plainName } from '../../students/doubles/turned-names.ts'
import type { StoredStudent } from '../../students/queries.ts'
import { fold } from '../../text/search-words.ts'
import type { PlannedChanges } from '../cells/flat-student.ts'
import type { ImportRow } from '../model.ts'
import { slicesInOrder } from '../slices/in-order.ts'
import { inTurns } from '../slices/in-turns.ts'
import { sensitiveScopeOf } from './basis.ts'
import { isWritten, type StoredPlanRow } from './plan-rows.ts'

/*
 * A plan may wait for days, and its application takes a while. A child who came since, by hand or by another import, was
 * not there to make its row doubtful, and would be made twice.
 */

/** How many students, or rows, are read at once. */
const sliceSize = 1_000

/** In how many slices of an import an id is looked at: for some 100 ms. */
const looksKept = 6

/** The highest id of a student once no import has a slice open, whose lower ids would be seen later. Call it in a write. */
export async function newestSettled(tx: Db): Promise<number> {
  await lockCreations(tx)
  return newestStudent(tx)
}

/** The highest id of a student; 0: there is none. */
async function newestStudent(db: Db): Promise<number> {
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
  imported: Pick<ImportRow, 'id' | 'kind' | 'makes'>,
  authority: Authority,
): Promise<number[]> {
  const { id: importId, kind } = imported
  if (kind !== 'students') return []
  const since = await newestAsPlanned(db, imported)
  const come = await newcomers(db, authority, since, await newestStudent(db))
  if (come.length === 0) return []
  const known = new Set(come.map(({ child }) => child))
  const numbers = new Set(come.map(({ number }) => number))
  const places: number[] = []
  const columns = ['place', 'record_id', 'number_key', 'changes']
  const due = { table: 'import_plan', importId, columns, met: isWritten } as const
  for await (const rows of slicesInOrder<PlannedRow>(db, due, sliceSize))
    await inTurns(rows, ({ place, record_id, number_key, changes }) => {
      if (record_id !== null || numbers.has(number_key ?? '')) return
      const { name, date_of_birth: born, class_id: classId } = JSON.parse(changes) as PlannedChanges
      const child = childIn(fold(String(name?.[1])), born?.[1] ?? null, classId?.[1])
      if (known.has(child)) places.push(place)
    })
  return places
}

type PlannedRow = Pick<StoredPlanRow, 'place' | 'record_id' | 'number_key'> & { readonly changes: string }

/** What tells of a new student which child it is. */
type Child = Pick<StoredStudent, 'folded_name' | 'date_of_birth' | 'class_id'>

/** The children who come while an import is applied, by hand or by another import. */
export class Newcomers {
  readonly #children = new Set<string>()
  readonly #changeSet: number
  #made = 0
  #appliedTo = -1
  /** The last looks, the oldest first: the newest student, and what the import had made by then. */
  #looks: readonly { readonly newest: number; readonly made: number; readonly appliedTo: number }[] = []

  /** @param changeSet of the import: whom that makes is no newcomer */
  constructor(changeSet: number) {
    this.#changeSet = changeSet
  }

  /**
   * Looks who came since the import was planned: before its first slice, and where another instance goes on with it.
   * @param newest see `newestSettled`
   */
  async begin(
    db: Db,
    authority: Authority,
    imported: Pick<ImportRow, 'makes' | 'applied_to'>,
    newest: number,
  ): Promise<void> {
    this.#appliedTo = imported.applied_to ?? -1
    const look = { newest, made: 0, appliedTo: this.#appliedTo }
    const since = { newest: await newestAsPlanned(db, imported), appliedTo: -1 }
    await this.#add(db, authority, since, look.newest)
    this.#looks = [look]
  }

  /**
   * Looks again, in the write of a slice; it may be done again with that. Ids are given one after another: where there
   * are no more than the import made, nobody else came. On PostgreSQL a student may be seen later than one with a higher
   * id, so each id is looked at in some slices. Call it behind `lockCreations`: no other import has a slice open then.
   */
  async look(db: Db, authority: Authority): Promise<void> {
    const [before] = this.#looks
    const look = { newest: await newestStudent(db), made: this.#made, appliedTo: this.#appliedTo }
    this.#looks = [...this.#looks.slice(1 - looksKept), look]
    if (look.newest - before!.newest !== look.made - before!.made)
      await this.#add(db, authority, before!, look.newest)
  }

  /** @param since a look: the places after it are those of the students whom the import made since */
  async #add(
    db: Db,
    authority: Authority,
    { newest, appliedTo }: { readonly newest: number; readonly appliedTo: number },
    last: number,
  ): Promise<void> {
    const own = { changeSet: this.#changeSet, after: appliedTo }
    for (const { child } of await newcomers(db, authority, newest, last, own)) this.#children.add(child)
  }

  /** Says how many students a slice made, and its last place, once it is written. */
  made(count: number, last: number): void {
    this.#made += count
    this.#appliedTo = last
  }

  /** Whether one of them may be a student who is to be made. */
  mayHave({ folded_name: name, date_of_birth: born, class_id: classId }: Child): boolean {
    return this.#children.size > 0 && this.#children.has(childIn(name, born ?? null, classId))
  }
}

function childIn(name: string, born: unknown, classId: unknown): string {
  const words = plainName(comparedName(name)).split(' ').sort()
  return JSON.stringify(born === null ? [words, classId] : [words, born, null])
}

async function newestAsPlanned(db: Db, { makes }: Pick<ImportRow, 'makes'>): Promise<number> {
  return makes?.newest ?? newestStudent(db)
}

interface Newcomer {
  /** See `childIn`. */
  readonly child: string
  readonly number: string
}

/** What an import made after a place. */
interface Own {
  readonly changeSet: number
  readonly after: number
}

/** The students above an id, up to another, whom an account may see; without those whom an import made itself. */
async function newcomers(
  db: Db,
  authority: Authority,
  after: number,
  last: number,
  own?: Own,
): Promise<Newcomer[]> {
  const views = authority.scopeOf('students.view') ?? []
  const dates = sensitiveScopeOf(authority)
  const come: Newcomer[] = []
  for (let from = after; from < last; from += sliceSize) {
    if (from > after) await turn()
    const to = Math.min(from + sliceSize, last)
    const students = await db
      .selectFrom('students')
      .select(['id', 'class_id', 'date_of_birth', 'folded_name', 'admission_key'])
      .where('id', '>', from)
      .where('id', '<=', to)
      .execute()
    if (students.length === 0) continue
    const made = own === undefined ? new Set() : await madeBy(db, own, from, to)
    for (const { id, class_id, date_of_birth: born, folded_name, admission_key } of students)
      if (!made.has(id) && isInScope(born === null ? views : dates, class_id))
        come.push({ child: childIn(folded_name, born, class_id), number: admission_key })
  }
  return come
}

/**
 * The students whom an import made, of those above an id, up to another. It is a statement of its own: as part of
 * another PostgreSQL would read the import's changes for each student, where it takes every change set for a small one.
 */
async function madeBy(db: Db, { changeSet, after }: Own, from: number, to: number): Promise<Set<number>> {
  const events = await db
    .selectFrom('events')
    .select('record_id')
    .where('change_set_id', '=', changeSet)
    .where('place', '>', after)
    .where('record', '=', 'student')
    .where('record_id', '>', from)
    .where('record_id', '<=', to)
    .execute()
  return new Set(events.map(({ record_id }) => record_id))
}
