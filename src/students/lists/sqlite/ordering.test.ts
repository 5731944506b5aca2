// Runs once: PostgreSQL's index has the instants themselves.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { createdMilliseconds } from './ordering.ts'

it('the order by creation tells every millisecond from the next, in any year', () => {
  const db = new DatabaseSync(':memory:')
  const milliseconds = db.prepare(
    `select ${createdMilliseconds} as ms from (select ? as created_at) as students`,
  )
  for (const year of [1900, 1969, 1970, 2000, 2026, 2038, 2100, 9999]) {
    const begins = Date.UTC(year, 11, 31, 23, 59, year % 60)
    for (let ms = begins; ms < begins + 1_000; ms++)
      assert.equal(milliseconds.get(new Date(ms).toISOString())?.ms, ms)
  }
  db.close()
})
