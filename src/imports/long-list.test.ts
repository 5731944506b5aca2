// Measures times. Runs once: PostgreSQL keeps long values apart.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openSchool } from '../../test/school.ts'
import { write } from '../events/write.ts'

describe('GET /api/imports', () => {
  it('lets others go on, also where each import has very long headings and questions', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const now = school.now().toISOString()
    const long = 'x'.repeat(1_000_000)
    const facts = JSON.stringify({ header: [long], sheets: [], warnings: [], decided: {} })
    for (let i = 0; i < 200; i++)
      await write(school.db, {}, (tx) =>
        tx
          .insertInto('imports')
          .values({
            ...{
              kind: 'students',
              mode: 'upsert',
              state: 'question',
              file_bytes: 1,
              settings: '{}',
              done: 0,
            },
            ...{ facts, questions: '[]', user_id: registrar.id, created_at: now, updated_at: now },
          })
          .execute(),
      )

    /** How long nobody else was served while a page was read, in milliseconds. */
    async function longestGap(query: string): Promise<number> {
      let [gap, hasEnded] = [0, false]
      const reading = school.get(`/api/imports${query}`, registrar)
      void reading.finally(() => (hasEnded = true))
      for (let at = performance.now(); !hasEnded; at = performance.now()) {
        await turn()
        gap = Math.max(gap, performance.now() - at)
      }
      const { body } = await reading
      assert.equal(body.pagination.total, 200)
      return gap
    }

    for (const query of ['', '?unfinished=true&per_page=50']) {
      const gaps: number[] = []
      for (let times = 0; times < 5; times++) gaps.push(await longestGap(query))
      assert.ok(Math.min(...gaps) < 50, `${query}: ${gaps}`)
    }
  })
})
