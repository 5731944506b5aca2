import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../../../test/engine.ts'
import { insertStudents } from '../../../../test/many-students.ts'
import { openSchool } from '../../../../test/school.ts'

describe('the search index of PostgreSQL', onlyOn('postgres'), () => {
  it('holds no more than 64 KB of students that came of late besides', async () => {
    const { db } = await openSchool()
    const pending = async () => {
      const { rows } = await sql<{ pages: number }>`
        select gin_clean_pending_list('students_search') as pages`.execute(db)
      return Number(rows[0]!.pages)
    }
    await insertStudents(
      db,
      Array.from({ length: 500 }, (_, i) => `Ottilie Quistorp ${i}`),
    )
    const pages = await pending()
    assert.ok(pages > 0 && pages <= 9, `${pages} pages of 8 KB`)
  })
})
