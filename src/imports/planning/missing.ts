import { type RawBuilder, sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'

/** A student of a class that the file names, who is in no row of it. */
export interface MissingStudent {
  readonly id: number
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
  readonly class: string
}

/**
 * The students whom the file lacks, of those whom somebody may see. Of refused rows they are not missing. The
 * rows' students are no join: where PostgreSQL takes the plan for small, it would compare each student with each of them.
 */
function missingFrom(db: Db, importId: number, authority: Authority): RawBuilder<unknown> {
  const scope = authority.scopeOf('students.view') ?? []
  const seen = scope === 'all' ? sql`true` : isOneOf(db, 'students.class_id', sql`${scope.join()}`)
  return sql`from students join classes on classes.id = students.class_id
    where students.class_id in (
      select distinct class_id from import_plan where import_id = ${importId} and class_id is not null)
    and students.id not in (
      select record_id from import_plan where import_id = ${importId} and record_id is not null
      union all select record_id from events where record = 'student'
        and change_set_id = (select change_set_id from imports where id = ${importId}))
    and ${seen}`
}

export async function countMissing(db: Db, importId: number, authority: Authority): Promise<number> {
  const query = sql<{ count: number }>`select count(*) as count ${missingFrom(db, importId, authority)}`
  const [row] = await rowsBeside(db, query.compile(db), ['count'])
  return Number(row!.count)
}

/** A page of them, in the order of ids. */
export async function missingStudents(
  db: Db,
  importId: number,
  authority: Authority,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<MissingStudent[]> {
  const query = sql<MissingStudent>`
    select students.id, students.name, students.admission_number, students.class_id, classes.label as class
    ${missingFrom(db, importId, authority)} order by students.id limit ${sql.lit(limit)} offset ${sql.lit(offset)}`
  return rowsBeside(db, query.compile(db), ['id', 'name', 'admission_number', 'class_id', 'class'])
}
