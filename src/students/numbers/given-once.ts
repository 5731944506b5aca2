import { type RawBuilder, sql } from 'kysely'
import { instantAfter } from '../../access/clock.ts'
import type { Db, Instant } from '../../db/tables.ts'
import { type Holder, Problem } from '../../problems.ts'
import { uniqueKey } from '../../text/normalise.ts'

/** The longest admission number, in code points. */
export const maxNumberLength = 50

/** For how long a number can be corrected: one that a student had for no longer is free again. */
const correctionDays = 30

/**
 * That no other student has an admission number, or had it: the unique index does not know of former ones. It belongs
 * into the statement that gives the number. A student who gives it up at that moment still has it there, since what a
 * statement reads is of one moment.
 * @param id whose number it is to be; 0: a new student's
 */
export function isFree(
  key: string | RawBuilder<unknown>,
  id: number | RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(
    not exists (select 1 from students as others where others.admission_key = ${key} and others.id <> ${id})
    and not exists (select 1 from former_numbers where admission_key = ${key} and student_id <> ${id}))`
}

/**
 * Keeps the number that a student gives up, so that no other student gets it, unless the student had it for at most
 * `correctionDays`. It stays kept where the student takes it back. Call inside the write, before the number is changed.
 * @param next the key of the student's next number
 */
export async function keepFormerNumber(db: Db, id: number, next: string, now: Instant): Promise<void> {
  const { admission_number, admission_key, created_at } = await db
    .selectFrom('students')
    .select(['admission_number', 'admission_key', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (admission_key === next) return
  const kept = await db.selectFrom('former_numbers').selectAll().where('student_id', '=', id).execute()
  const hadSince = [created_at, ...kept.map(({ kept_since }) => kept_since)].sort().at(-1)!
  const isCorrection = hadSince >= instantAfter(new Date(now), -correctionDays * 86_400_000)
  // Of twins from before keys were compared as now, one alone has the number.
  const isTwin = admission_key !== uniqueKey(admission_number)
  const isKept = kept.some((former) => former.admission_key === admission_key)
  if (!isKept && (isCorrection || isTwin)) return
  await db
    .insertInto('former_numbers')
    .values({ admission_key, student_id: id, kept_since: now })
    .onConflict((conflict) => conflict.column('admission_key').doUpdateSet({ kept_since: now }))
    .execute()
}

/** A number that another student has or had: one text for both. */
export function admissionNumberTaken(cause?: unknown, holder?: Holder): Problem {
  const detail =
    'Another student has this admission number, or had it: a number is never given twice, and numbers that look alike count as one.'
  const fault = { code: 'taken', detail: 'is or was the number of another student' } as const
  return new Problem('admission_number_taken', detail, {
    errors: [{ pointer: '/admission_number', ...fault }],
    ...(holder && { holder }),
    cause,
  })
}
