import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../test/engine.ts'
import { openSchool } from '../../test/school.ts'
import { selectEvents } from './entries.ts'

describe('the events of a change set', onlyOn('postgres'), () => {
  it('are read with their secrets by the whole key, though PostgreSQL knows of few', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const body = { name: 'Ada', admission_number: 'k-1', class_id: 1, date_of_birth: '2014-03-09' }
    await school.post('/api/students', body, registrar)
    await sql`analyze events, event_secrets`.execute(school.db)
    const { sql: text } = selectEvents(school.db).where('events.change_set_id', '=', sql.lit(1)).compile()
    const rows = await school.db.connection().execute(async (db) => {
      await sql`set enable_seqscan = off`.execute(db) // the tables are small
      const { rows } = await sql.raw<{ 'QUERY PLAN': string }>(`explain ${text}`).execute(db)
      await sql`reset enable_seqscan`.execute(db)
      return rows
    })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /Index Cond: \(\(change_set_id = [^)]*\) AND \(place = /, plan)
  })
})
