// Measures times. Runs once: PostgreSQL keeps long values apart.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { personHolding } from '../../test/grants.ts'
import { openSchool } from '../../test/school.ts'
import { write } from '../events/write.ts'

describe('GET /api/imports', () => {
  it('reads no headings and questions to tell counts to whoever sees less than a plan was made with', async () => {
    const school = await openSchool()
    const reader = await personHolding(school, [['students.import'], 'all'], [['students.view'], [1]])
    const now = school.now().toISOString()
    const facts = { header: ['x'.repeat(2_000_000)], sheets: [], warnings: [], decided: {} }
    const planned = {
      ...{ kind: 'students', mode: 'upsert', state: 'planned', file_bytes: 1, settings: '{}', done: 0 },
      ...{ facts: JSON.stringify(facts), questions: '[]', user_id: null, created_at: now, updated_at: now },
      counts: '{"create":3,"rows":3}',
      planned_scopes: JSON.stringify({ scopes: ['all', 'all', 'all', 'all'] }),
    }
    for (let i = 0; i < 50; i++)
      await write(school.db, {}, (tx) => tx.insertInto('imports').values(planned).execute())
    const list = async () => {
      const before = process.threadCpuUsage()
      const { body } = await school.get('/api/imports?per_page=50', reader)
      const { user, system } = process.threadCpuUsage(before)
      assert.deepEqual([body.data.length, body.data[0].counts.create], [50, 0])
      return (user + system) / 1_000
    }
    const [, ...times] = [await list(), await list(), await list()]
    assert.ok(Math.min(...times) < 500, `${times} ms`) // with the headings some 2 500
  })

  it('lets others go on, also where each import has very long headings and questions', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const now = school.now().toISOString()
    const long = 'x'.repeat(1_000_000)
    const facts = JSON.stringify({ header: [long], sheets: [], warnings: [], decided: {} })
    for (let i = 0; i < 100; i++)
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

    /** How long nobody else was served while something was done, in milliseconds: the best of several times. */
    async function longestGap(work: () => Promise<unknown>): Promise<number> {
      const gaps: number[] = []
      for (let times = 0; times < 3; times++) {
        let [gap, hasEnded] = [0, false]
        const working = work().finally(() => (hasEnded = true))
        for (let at = performance.now(); !hasEnded; at = performance.now()) {
          await turn()
          gap = Math.max(gap, performance.now() - at)
        }
        await working
        gaps.push(gap)
      }
      return Math.min(...gaps)
    }

    const readingAll = await longestGap(() => school.db.selectFrom('imports').select('updated_at').execute())
    for (const query of ['', '?unfinished=true&per_page=50']) {
      const gap = await longestGap(async () => {
        const { body } = await school.get(`/api/imports${query}`, registrar)
        assert.equal(body.pagination.total, 100)
      })
      assert.ok(gap < readingAll / 2, `${query}: ${gap} ms, and all at once ${readingAll}`)
    }
  })
})
