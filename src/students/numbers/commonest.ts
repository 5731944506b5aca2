import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import type { Db } from '../../db/tables.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { numberAfter } from './next.ts'

/** How many ids of all students are looked at, and how many of the last students: of all, or of each class. */
const idsLookedAt = 200
const lastLookedAt = 20

/** Of how many classes, where the scope is classes. */
const classesLookedAt = 50

/**
 * Proposes the admission number that follows those of the form which most students of the scope have: what stands before
 * the last digits, and how many these are. Some students are looked at, and not all. A number of another form that was
 * given last, as to a guest, decides nothing, other than in `nextNumber`.
 */
export async function commonestNext(db: Db, scope: Scope): Promise<string> {
  const numbers = scope === 'all' ? await someOfAll(db) : await lastOfClasses(db, scope)
  const forms = Map.groupBy(numbers, formOf)
  forms.delete(undefined)
  // Of equally many, those of the last student: they stand first.
  const [commonest] = [...forms.values()].sort((one, other) => other.length - one.length)
  return numberAfter(db, commonest?.[0])
}

/** Equal for numbers that differ in their last digits alone; undefined: a number does not end in digits. */
function formOf(number: string): string | undefined {
  const key = uniqueKey(number)
  const [digits] = /[0-9]+$/.exec(key) ?? []
  return digits && `${digits.length} ${key.slice(0, -digits.length)}`
}

/** Numbers of students from the first to the last, and of the last ones; the last stand first. */
async function someOfAll(db: Db): Promise<string[]> {
  const { newest } = await db
    .selectFrom('students')
    .select(({ fn }) => fn.max('id').as('newest'))
    .executeTakeFirstOrThrow()
  const last = Number(newest ?? 0)
  const ids = new Set(
    Array.from({ length: idsLookedAt }, (_, i) => Math.ceil(((i + 1) * last) / idsLookedAt)),
  )
  for (let id = last; id > last - lastLookedAt; id--) ids.add(id)
  const students = await db
    .selectFrom('students')
    .select('admission_number')
    .where(isOneOf(db, 'id', ids))
    .orderBy('id', 'desc')
    .execute()
  return students.map(({ admission_number }) => admission_number)
}

/** The same of the last students of some classes, which an index has in order. */
async function lastOfClasses(db: Db, classes: readonly number[]): Promise<string[]> {
  if (classes.length === 0) return []
  const parts = classes.slice(0, classesLookedAt).map(
    (id) => sql`select * from (select id, admission_number from students
      where class_id = ${sql.lit(id)} order by id desc limit ${sql.lit(lastLookedAt)}) as of_class`,
  )
  const found = await sql<{ admission_number: string }>`
    select admission_number from (${sql.join(parts, sql` union all `)}) as latest order by id desc`.execute(
    db,
  )
  return found.rows.map(({ admission_number }) => admission_number)
}
