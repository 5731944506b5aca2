import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../test/engine.ts'
import { openSchool } from '../../test/school.ts'

describe('statements on PostgreSQL', () => {
  it(
    'are prepared under names, but no more than 250 of them on a connection',
    onlyOn('postgres'),
    async () => {
      const { db } = await openSchool()
      const prepared = async () => {
        const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db)
        return rows[0]!.count
      }
      const read = async (column: number) => {
        const { rows } = await sql`select ${column}::int as ${sql.id(`c${column}`)}`.execute(db)
        assert.deepEqual(rows, [{ [`c${column}`]: column }])
      }
      const before = await prepared()
      for (let i = 0; i < 100; i++) await read(i)
      assert.ok((await prepared()) >= before + 100)
      for (let i = 100; i < 400; i++) await read(i)
      assert.ok((await prepared()) <= 250)
      await read(399)
    },
  )
})
