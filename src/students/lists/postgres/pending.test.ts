import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../../../test/engine.ts'
import { insertStudents } from '../../../../test/many-students.ts'
import { byTest, openSchool } from '../../../../test/school.ts'
import type { Db } from '../../../db/tables.ts'
import { write } from '../../../events/write.ts'
import * as many from '../../many.ts'
import { storedStudent } from '../../queries.ts'

/** Empties the list beside the search index of students. @returns how many pages of 8 KB it had */
async function pagesOfList(db: Db): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select gin_clean_pending_list('students_search') as pages`.execute(db)
  return Number(rows[0]!.pages)
}

/** Inserts 500 students as an import does. */
async function insertMany(db: Db): Promise<void> {
  const coming = Array.from({ length: 500 }, (_, place) => {
    const student = { name: `Ottilie Quistorp ${place}`, admission_number: `m-${place}`, class_id: 1 }
    return { student: storedStudent(db, student), own: undefined, place }
  })
  await write(db, byTest, async (tx) => {
    await tx.beginChangeSet({ kind: 'import' }, '2026-09-01T08:00:00.000Z')
    await many.insertStudents(tx, coming, '2026-09-01T08:00:00.000Z')
  })
}

describe('the search index of PostgreSQL', onlyOn('postgres'), () => {
  it('holds no more than 64 KB of students that came of late besides', async () => {
    const { db } = await openSchool()
    await insertStudents(
      db,
      Array.from({ length: 500 }, (_, i) => `Ottilie Quistorp ${i}`),
    )
    const pages = await pagesOfList(db)
    assert.ok(pages > 0 && pages <= 9, `${pages} pages of 8 KB`)
  })

  it('holds up to 1 MB where many come at once', async () => {
    const { db } = await openSchool()
    await insertMany(db)
    const pages = await pagesOfList(db)
    assert.ok(pages > 9 && pages <= 129, `${pages} pages of 8 KB`)
  })

  it('holds 64 KB again once the next student came alone', async () => {
    const { db } = await openSchool()
    await insertMany(db)
    await insertStudents(db, ['Undine Quistorp'])
    const pages = await pagesOfList(db)
    assert.ok(pages <= 9, `${pages} pages of 8 KB`)
  })
})
