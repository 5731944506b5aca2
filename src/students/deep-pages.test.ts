import assert from 'node:assert/strict'
import type { SQLInputValue } from 'node:sqlite'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { engine, onlyOn } from '../../test/engine.ts'
import { inFile } from '../../test/files.ts'
import { insertStudents } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import type { PageRead } from '../db/sqlite-reader.ts'
import { sqliteReadersOf } from '../db/sqlite-readers.ts'
import { write } from '../events/write.ts'
import { fold } from '../text/search-words.ts'
import { askedFor, sorts } from './lists/asked.ts'
import { plainColumns } from './lists/columns.ts'
import { pageStatement } from './lists/sqlite/statements.ts'

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

  it('reads no more than a block of ids, however many it skips', onlyOn('sqlite'), () => {
    const all = { classes: 'all', sort: 'id', columns: plainColumns } as const
    const { sql, parameters } = pageStatement(askedFor(all, { page: 650, perPage: 20 })!)
    inFile(school.databaseUrl, (db) => {
      const plan = db.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]))
      const details = plan.map(({ detail }) => String(detail))
      assert.ok(details.includes('SEARCH students USING INTEGER PRIMARY KEY (rowid>?)'), details.join('\n'))
    })
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

describe('GET /api/students?sort=name, far from the first page', () => {
  const folded = ['anna', 'ben', 'éva', 'eva', 'zoe']
  /** Many of one folded name, which are told apart by their names, and many of one name. */
  const names = Array.from({ length: 3_500 }, (_, i) => {
    const name = folded[((i * i) % 7) % folded.length]!
    return [name, name.toUpperCase(), `${name[0]!.toUpperCase()}${name.slice(1)}`][i % 3]!
  })
  const keys = names.map((name, i) => [fold(name), name, i + 1] as const)
  const bytewise = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
  const inOrder = keys
    .toSorted((one, other) => bytewise(one[0], other[0]) || bytewise(one[1], other[1]) || one[2] - other[2])
    .map(([, , id]) => id)
  let school: School
  let viewer: Person
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    await insertStudents(school.db, names)
  })

  it('reads by the index what it skips, from the first page on', onlyOn('sqlite'), async () => {
    const readers = sqliteReadersOf(school.db)!
    const reads: PageRead[] = []
    const pageBeside = readers.pageBeside.bind(readers)
    readers.pageBeside = (read) => {
      reads.push(read)
      return pageBeside(read)
    }
    for (const page of [1, 150])
      for (const sort of sorts.filter((sort) => /name|number|created/.test(sort)))
        await school.get(`/api/students?sort=${sort}&page=${page}&per_page=7`, viewer)
    readers.pageBeside = pageBeside
    assert.equal(reads.length, 16)
    inFile(school.databaseUrl, (db) => {
      for (const { page } of reads) {
        const plan = db.prepare(`explain query plan ${page.sql}`).all(...(page.parameters as SQLInputValue[]))
        const details = plan.map(({ detail }) => String(detail))
        assert.ok(
          details.some((detail) => /(SCAN|SEARCH) students USING COVERING INDEX/.test(detail)),
          details.join('\n'),
        )
        assert.ok(
          !details.some((detail) => /^SCAN students(?! USING COVERING)/.test(detail)),
          details.join('\n'),
        )
      }
    })
  })

  for (const sort of ['name', '-name']) {
    it(`gives every page in order, sorted by ${sort}`, async () => {
      const ids = sort === 'name' ? inOrder : inOrder.toReversed()
      for (const perPage of [1_000, 333, 100]) {
        for (let page = 1; page <= 3_500 / perPage + 2; page++) {
          const { body } = await school.get(
            `/api/students?sort=${sort}&page=${page}&per_page=${perPage}`,
            viewer,
          )
          const found = body.data.map(({ id }: { id: number }) => id)
          assert.deepEqual(found, ids.slice((page - 1) * perPage, page * perPage), `${page} of ${perPage}`)
          assert.equal(body.pagination.total, 3_500)
        }
      }
    })
  }
})
