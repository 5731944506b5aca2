import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engine } from '../../../test/engine.ts'
import { openSchool } from '../../../test/school.ts'
import { Pace } from './pace.ts'

describe('the slices of an import', () => {
  it('have 50 to 150 rows on SQLite and to 100 on PostgreSQL, as many as are done in 100 ms', async (t) => {
    const { db } = await openSchool()
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const pace = new Pace(db)
    const most = engine === 'sqlite' ? 150 : 100
    const sizesWhereARowTakes = async (ms: number) => {
      const sizes: number[] = []
      for (let i = 0; i < 10; i++)
        await pace.timed(async (size) => {
          sizes.push(size)
          now += size * ms
        })
      return sizes
    }
    assert.equal((await sizesWhereARowTakes(0.001)).at(-1), most)
    const last = (await sizesWhereARowTakes(1.2)).at(-1)!
    assert.ok(last >= 50 && last * 1.2 <= 100, `${last} rows`)
    assert.equal((await sizesWhereARowTakes(50)).at(-1), 50)
    assert.equal((await sizesWhereARowTakes(0.001)).at(-1), most)
    t.mock.restoreAll()
  })
})
