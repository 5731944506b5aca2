import { type RawBuilder, sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { bytewise, engineOf } from '../../db/engine.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import { countBeside, rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import type { ImportRow } from '../model.ts'
import type { NamedClasses } from '../questions/warnings.ts'

/** A student of a class that the file names, who is in no row of it. */
interface MissingStudent {
  readonly id: number
  readonly name: string
  readonly admission_number: string
  readonly class: string
}

/** Whether an import tells which students are missing. */
export function tellsMissing({ kind, mode }: Pick<ImportRow, 'kind' | 'mode'>): boolean {
  return kind === 'students' && mode === 'mirror'
}

/** Whose students may be missing, and from where. */
export interface MissingFrom {
  readonly imported: Pick<ImportRow, 'id' | 'state' | 'change_set_id' | 'updated_at'>
  readonly authority: Authority
  /** Whether whoever asks is told of doubtful rows, and so of whom they may be. */
  readonly isWhole: boolean
}

/**
 * The students whom the file lacks, of those whom somebody may see. Neither of refused rows they are missing, nor while
 * a doubtful row, or a refused one, may be of them. The rows' students are no join: where PostgreSQL takes the plan for
 * small, it would compare each student with each of them.
 */
function missingFrom(db: Db, from: MissingFrom): RawBuilder<unknown> {
  return sql`from students join classes on classes.id = students.class_id
    where students.class_id in (${namedClasses(from.imported)})
    and ${isInNoRow(db, from)} and ${isInClassSince(from.imported)}`
}

/** The ids of the classes that rows name. */
const namedClasses = ({ id }: Pick<ImportRow, 'id'>) =>
  sql`select distinct class_id from import_plan where import_id = ${id} and class_id is not null`

/** Students whom somebody may see, who are in no row. */
function isInNoRow(db: Db, { imported: { id }, authority, isWhole }: MissingFrom): RawBuilder<boolean> {
  const scope = authority.scopeOf('students.view') ?? []
  const seen = scope === 'all' ? sql`true` : isOneOf(db, 'students.class_id', scope)
  return sql`students.id not in (
      select record_id from import_plan where import_id = ${id} and record_id is not null
      union all select record_id from events where record = 'student'
        and change_set_id = (select change_set_id from imports where id = ${id})
      ${isWhole ? sql`union all ${idsOfDoubts(db, id)}` : sql``})
    and ${seen}`
}

/**
 * Of an applied import: students who were in their class then. Whoever was moved since was looked after, or came later.
 * An import that wrote nothing is no change set, so the last one before its end stands for it.
 */
function isInClassSince({ state, change_set_id, updated_at }: MissingFrom['imported']): RawBuilder<boolean> {
  if (state !== 'applied') return sql`true`
  const applied =
    change_set_id ??
    sql`coalesce((select id from change_sets where made_at <= ${updated_at} order by id desc limit 1), 0)`
  return sql`not exists (select 1 from events as later
    where later.record_id = students.id and later.record = 'student' and later.change_set_id + 0 > ${applied}
    and later.fields like '%"class_id":[%')`
}

/**
 * Whom doubtful rows may be, and refused ones. PostgreSQL reads them into a list first: of a list it expects few, and so
 * looks ids up.
 */
function idsOfDoubts(db: Db, importId: number): RawBuilder<unknown> {
  const isAsked = sql`import_plan.import_id = ${importId} and import_plan.outcome in ('doubtful', 'refused')`
  const member = sql`case outcome when 'doubtful' then 'ids' else 'mayBe' end`
  return engineOf(db) === 'postgres'
    ? sql`select unnest(array(select alike.value::bigint from import_plan, json_array_elements(cells::json) as cell,
        json_array_elements_text(cell.value -> ${member}) as alike where ${isAsked}))`
    : sql`select alike.value from import_plan, json_each(cells) as cell,
        json_each(cell.value, '$.' || ${member}) as alike where ${isAsked}`
}

export function countMissing(db: Db, from: MissingFrom): Promise<number> {
  return countBeside(db, sql`select count(*) as count ${missingFrom(db, from)}`)
}

/** A page of them, in the order of their classes, and of their names in each. */
export async function missingStudents(
  db: Db,
  from: MissingFrom,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<MissingStudent[]> {
  const query = sql<MissingStudent>`
    select students.id, students.name, students.admission_number, classes.label as class
    ${missingFrom(db, from)}
    order by classes.position, classes.id, students.folded_name ${bytewise(db)}, students.id
    limit ${sql.lit(limit)} offset ${sql.lit(offset)}`
  return rowsBeside(db, query)
}

/** How many classes the rows name, and of which others they lack students. */
export async function countUnnamed(db: Db, from: MissingFrom): Promise<NamedClasses> {
  const classes = namedClasses(from.imported)
  const others = sql<{ label: string; students: number }>`select label, students from (
      select students.class_id, count(*) as students from students
      where students.class_id not in (${classes}) and ${isInNoRow(db, from)}
      group by students.class_id) as lacking
    join classes on classes.id = lacking.class_id
    where archived_at is null order by position, classes.id`
  const found = await rowsBeside(db, others)
  return {
    named: await countBeside(db, sql`select count(*) as count from (${classes}) as named`),
    others: found.map(({ label, students }) => ({ label, students: Number(students) })),
  }
}
