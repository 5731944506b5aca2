import assert from 'node:assert/strict'
import { before, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { onlyOn } from '../../test/engine.ts'
import { insertStudents } from '../../test/many-students.ts'
import { openSchool, type School } from '../../test/school.ts'
import { rareParts } from './trigrams.ts'

describe('what the search index of PostgreSQL is asked for', onlyOn('postgres'), () => {
  let school: School
  const called = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name} ${i}`)
  before(async () => {
    school = await openSchool()
    const names = [...called('Annabel Smith', 400), ...called('Nanana', 40), 'Xu Annabelquix']
    await insertStudents(school.db, names)
  })

  /** What is asked for once it is other than before. */
  async function partsOf(word: string, before?: string[], db = school.db): Promise<string[]> {
    for (;;) {
      const parts = rareParts(db, word)
      if (parts !== undefined && String(parts) !== String(before)) return parts
      await turn()
    }
  }

  it('is what few students hold, and of that, what does not tell the same', async () => {
    assert.equal(rareParts(school.db, 'annabelquix'), undefined, 'nothing is known yet')
    assert.deepEqual(await partsOf('annabelquix'), ['elq', 'uix'])
    assert.deepEqual(await partsOf('annabel-quix'), ['quix'], 'no trigram has a hyphen')
  })

  it('is the whole of what many hold, however often it repeats, or of what has no trigram', () => {
    for (const word of ['smith', 'annabel', 'nananananananan', '  x', ' xu', "a'b"])
      assert.equal(rareParts(school.db, word), undefined, word)
  })

  it('is told anew from how students are called an hour later', async () => {
    await insertStudents(school.db, called('Quix', 400), 1_001)
    const parts = await partsOf('annabelquix')
    assert.deepEqual(parts, ['elq', 'uix'])
    const now = performance.now()
    const clock = mock.method(performance, 'now', () => now + 3_600_001)
    assert.deepEqual(await partsOf('annabelquix', parts), ['elqu'])
    clock.mock.restore()
  })

  it('is counted again a minute after there was hardly anyone to count', async () => {
    const { db } = await openSchool()
    await insertStudents(db, called('Annabel Smith', 100))
    for (let i = 0; i < 1_000; i++) {
      assert.equal(rareParts(db, 'annabelquix'), undefined)
      await turn()
    }
    await insertStudents(db, called('Annabel Smith', 400), 1_001)
    const now = performance.now()
    const clock = mock.method(performance, 'now', () => now + 60_001)
    assert.deepEqual(await partsOf('annabelquix', undefined, db), ['elq', 'uix'])
    clock.mock.restore()
  })

  it('holds no more than 64 KB of students that came of late besides', async () => {
    const pending = async () => {
      const { rows } = await sql<{ pages: number }>`
        select gin_clean_pending_list('students_search') as pages`.execute(school.db)
      return Number(rows[0]!.pages)
    }
    await pending()
    await insertStudents(school.db, called('Ottilie Quistorp', 500), 2_001)
    const pages = await pending()
    assert.ok(pages > 0 && pages <= 9, `${pages} pages of 8 KB`)
  })
})
