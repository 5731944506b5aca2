import type { Instant } from '../db/tables.ts'
import type { RecordChange } from '../events/log.ts'
import { detailNames, sensitiveMembers } from './details.ts'
import { changedOwnFields, type OwnFields } from './own-fields.ts'

/** The columns of a student that the log tells of, as the table has them. */
const loggedColumns = [
  'name',
  'name_joined',
  'admission_number',
  'class_id',
  ...detailNames,
  'identifiers',
  'guardians',
] as const

type LoggedColumn = (typeof loggedColumns)[number]

/** A student as far as it is logged; a column that is left out is null. */
type LoggedStudent = Readonly<Partial<Record<LoggedColumn, unknown>>>

/** A student before a change and after it; nothing: it was not there, or is gone. */
interface Change {
  readonly before: LoggedStudent
  readonly after: LoggedStudent
}

const sensitiveColumns: ReadonlySet<string> = new Set(sensitiveMembers)

/** A student as the log tells of it: lists as such, null for nothing. */
export function loggedOf(student: LoggedStudent): Record<string, unknown> {
  return Object.fromEntries(loggedColumns.map((name) => [name, shown(name, storedIn(name, student))]))
}

/** What the log tells of a change of a student: each column that differs; sensitive ones apart. */
export function studentChange(
  { before, after }: Change,
  at: Instant,
  own?: OwnFields,
): Omit<RecordChange, 'id' | 'action'> {
  const [fields, secrets]: Record<string, readonly [unknown, unknown]>[] = [{}, {}]
  for (const name of loggedColumns) {
    const [from, to] = [storedIn(name, before), storedIn(name, after)]
    if (from !== to)
      (sensitiveColumns.has(name) ? secrets : fields)![name] = [shown(name, from), shown(name, to)]
  }
  const ofOwn = own && changedOwnFields(own.before, own.stored, own.definitions)
  const belongsTo = Number(after.class_id ?? before.class_id)
  return {
    record: 'student',
    at,
    belongsTo,
    fields: { ...fields, ...ofOwn?.fields },
    secrets: { ...secrets, ...ofOwn?.secrets },
  }
}

function storedIn(name: LoggedColumn, student: LoggedStudent): unknown {
  return name === 'name_joined' ? student[name] || null : (student[name] ?? null)
}

/** Lists stand in the table as JSON. */
function shown(name: LoggedColumn, value: unknown): unknown {
  const isList = name === 'guardians' || name === 'identifiers'
  return isList && typeof value === 'string' ? JSON.parse(value) : value
}
