import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { engine, onlyOn } from '../../test/engine.ts'
import { insertStudents } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { startOfPage } from './counts.ts'

/** How many ids SQLite counts together, to skip them together. */
const idsInBlock = 4096
const students = 13_000

describe('GET /api/students, far from the first page', () => {
  let school: School
  let viewer: Person
  let ids = Array.from({ length: students }, (_, i) => i + 1)
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    await insertStudents(
      school.db,
      ids.map((id) => `Student ${id}`),
    )
  })

  async function remove(isGone: (id: number) => boolean): Promise<void> {
    const gone = JSON.stringify(ids.filter(isGone))
    await write(school.db, byTest, (db) =>
      engine === 'sqlite'
        ? sql`delete from students where id in (select value from json_each(${gone}))`.execute(db)
        : sql`delete from students where id in (select value::bigint from json_array_elements_text(${gone}::json))`.execute(
            db,
          ),
    )
    ids = ids.filter((id) => !isGone(id))
  }

  async function checkPage(page: number, perPage: number): Promise<void> {
    const { body } = await school.get(`/api/students?page=${page}&per_page=${perPage}`, viewer)
    const found = body.data.map(({ id }: { id: number }) => id)
    const where = `page ${page} of ${perPage}`
    assert.deepEqual(found, ids.slice((page - 1) * perPage, page * perPage), where)
    assert.equal(body.pagination.total, ids.length, where)
  }

  /** Every page of a thousand and two beyond, and small ones where a block of ids begins or the students end. */
  async function checkPages(): Promise<void> {
    const last = Math.ceil(ids.length / 1000)
    for (let page = 1; page <= last + 2; page++) await checkPage(page, 1000)
    const borders = Array.from(
      { length: 4 },
      (_, block) => ids.filter((id) => id < block * idsInBlock).length,
    )
    for (const border of [...borders, ids.length]) {
      const middle = Math.floor(border / 7) + 1
      for (let page = Math.max(1, middle - 2); page <= middle + 2; page++) await checkPage(page, 7)
      await checkPage(border + 1, 1)
    }
    await checkPage(1_000_000, 1000)
  }

  it('counts from the block of ids that the page begins in', onlyOn('sqlite'), async () => {
    const admission = {
      check: async () => {},
      decide() {},
      isDecided: true,
      session: undefined as never,
      scope: 'all' as const,
      expectedScope: 'all' as const,
      scopeBesides: undefined,
    }
    const starts: [offset: number, from: number, skip: number][] = [
      [4_095, 0, 4_095],
      [4_096, 4_096, 1],
      [8_190, 4_096, 4_095],
      [8_191, 8_192, 0],
      [12_999, 12_288, 712],
      [13_000, 12_288, 713],
    ]
    for (const [offset, from, skip] of starts) {
      assert.deepEqual(await startOfPage(school.db, { admission }, offset), { from, skip })
    }
  })

  it('gives every page with the exact total', checkPages)

  it('does so when students are gone here and there, and a whole block of ids is', async () => {
    await remove((id) => id % 7 === 0)
    await remove((id) => Math.floor(id / idsInBlock) === 1)
    await checkPages()
  })

  it('does so when the students with the last ids are gone', async () => {
    await remove((id) => Math.floor(id / idsInBlock) === 3)
    await checkPages()
  })

  it('gives nobody, of none, when all are gone', async () => {
    await remove(() => true)
    await checkPages()
  })
})
