import { sql } from 'kysely'
import type { Instant } from '../src/db/tables.ts'
import { write } from '../src/events/write.ts'
import { engine } from './engine.ts'
import { byTest, type Person, type School } from './school.ts'

/** Stores so many sessions of a person in one statement, each of which ends a millisecond after the other. */
export async function insertSessions(
  school: School,
  { id }: Pick<Person, 'id'>,
  count: number,
  expiry: Instant,
): Promise<void> {
  const now = school.now().toISOString()
  await write(school.db, byTest, (db) =>
    (engine === 'sqlite'
      ? sql`insert into sessions (key, user_id, created_at, expires_at)
          with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
          select randomblob(32), ${id}, ${now}, strftime('%Y-%m-%dT%H:%M:%fZ', ${expiry}, (i / 1000.0) || ' seconds') from n`
      : sql`insert into sessions (key, user_id, created_at, expires_at)
          select sha256(i::text::bytea), ${id}, ${now}, ${expiry}::timestamptz + i * interval '1 millisecond'
          from generate_series(1, ${count}::int) as i`
    ).execute(db),
  )
}
