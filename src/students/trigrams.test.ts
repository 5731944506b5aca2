import assert from 'node:assert/strict'
import { before, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { onlyOn } from '../../test/engine.ts'
import { insertStudents } from '../../test/many-students.ts'
import { openSchool, type School } from '../../test/school.ts'
import { tellingParts } from './trigrams.ts'

describe('what the search index of PostgreSQL is asked for', onlyOn('postgres'), () => {
  let school: School
  before(async () => {
    school = await openSchool()
    await insertStudents(school.db, [
      ...Array.from({ length: 400 }, (_, i) => `Annabel Smith ${i}`),
      'Xu Annabelquix',
    ])
  })

  /** What is asked for once it is other than before. */
  async function partsOf(word: string, before?: string[]): Promise<string[]> {
    for (;;) {
      const parts = tellingParts(school.db, word)
      if (parts !== undefined && String(parts) !== String(before)) return parts
      await turn()
    }
  }

  it('is what few students hold, and of that, what does not tell the same', async () => {
    assert.equal(tellingParts(school.db, 'annabelquix'), undefined, 'nothing is known yet')
    assert.deepEqual(await partsOf('annabelquix'), ['elq', 'uix'])
    assert.deepEqual(await partsOf('annabel-quix'), ['quix'], 'no trigram has a hyphen')
  })

  it('is the whole of what many hold, or of what has no trigram', () => {
    for (const word of ['smith', 'annabel', '  x', ' xu', "a'b"])
      assert.equal(tellingParts(school.db, word), undefined, word)
  })

  it('is told anew from how students are called an hour later', async () => {
    await insertStudents(
      school.db,
      Array.from({ length: 400 }, (_, i) => `Quix ${i}`),
      1_001,
    )
    const parts = await partsOf('annabelquix')
    assert.deepEqual(parts, ['elq', 'uix'])
    const now = performance.now()
    const clock = mock.method(performance, 'now', () => now + 3_600_001)
    assert.deepEqual(await partsOf('annabelquix', parts), ['elqu'])
    clock.mock.restore()
  })

  it('holds no more than 64 KB of students that came of late besides', async () => {
    const pending = async () => {
      const { rows } = await sql<{ pages: number }>`
        select gin_clean_pending_list('students_search') as pages`.execute(school.db)
      return Number(rows[0]!.pages)
    }
    await pending()
    await insertStudents(
      school.db,
      Array.from({ length: 500 }, (_, i) => `Ottilie Quistorp ${i}`),
      2_001,
    )
    const pages = await pending()
    assert.ok(pages > 0 && pages <= 9, `${pages} pages of 8 KB`)
  })
})
