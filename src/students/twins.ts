import { sql } from 'kysely'
import { twinMark as mark } from '../classes/twin-keys.ts'
import type { Db } from '../db/tables.ts'
import { uniqueKey } from '../text/normalise.ts'

/** A record that looks like an earlier one: its number, label or name differs from that one's in nothing that is seen. */
export interface Twin {
  readonly kind: 'student' | 'class' | 'role'
  readonly id: number
  readonly twin_of: number
}

/** Twins that were made before keys were compared as now. */
export async function findTwins(db: Db): Promise<Twin[]> {
  const students = await markedIn(db, 'students', 'admission_key')
  const classes = await markedIn(db, 'classes', 'label_key')
  const roles = await db.selectFrom('roles').select(['id', 'name']).orderBy('id').execute()
  const first = new Map<string, number>()
  const ofRoles = roles.flatMap(({ id, name }): Twin[] => {
    const key = uniqueKey(name)
    const twin_of = first.get(key)
    if (twin_of !== undefined) return [{ kind: 'role', id, twin_of }]
    first.set(key, id)
    return []
  })
  return [
    ...students.map((pair) => ({ kind: 'student', ...pair }) as const),
    ...classes.map((pair) => ({ kind: 'class', ...pair }) as const),
    ...ofRoles,
  ]
}

async function markedIn(db: Db, table: 'students' | 'classes', key: 'admission_key' | 'label_key') {
  const column = sql.ref(key)
  const { rows } = await sql<{ id: number; twin_of: number }>`
    select marked.id, first.id as twin_of
    from (select id, ${column} as key from ${sql.table(table)} where ${column} like ${`_%${mark}%`}) as marked
    join ${sql.table(table)} as first
      on first.${column} = substr(marked.key, 1, length(marked.key) - length(cast(marked.id as text)) - 1)
    order by marked.id`.execute(db)
  return rows
}

/** What `check` tells of twins. */
export function twinsText(twins: readonly Twin[]): string {
  if (twins.length === 0) return ''
  const wheres = { student: 'admission number', class: 'label', role: 'name' }
  const lines = twins.map(
    ({ kind, id, twin_of }) =>
      `  ${kind} ${id} has the ${wheres[kind]} of ${kind} ${twin_of}, but for what cannot be seen`,
  )
  return `\nRecords that look alike; give each but one another number, label or name:\n${lines.join('\n')}`
}
