import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../test/engine.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { searchPatterns } from '../text/search-words.ts'
import { keepTotal, keptAmong } from './kept-totals.ts'

describe('a search whose total is kept', onlyOn('sqlite'), () => {
  let school: School
  let registrar: Person
  const names = ['Ana Nguyen', 'Nguyen-Le Bo', 'nguyễn văn', 'Annguyena', 'Zoe', 'gs', 'Xander-Alexanderson']
  const searches = [
    'n',
    'ng',
    'ngu',
    'nguy',
    'nguye',
    'nguyen',
    'nguyen-',
    'gs-2014-0',
    'alexanders',
    '-2',
    'ana',
  ]
  const patternOf = (search: string) => searchPatterns(search)[0]!

  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    for (let i = 0; i < 60; i++) await create(`${names[i % names.length]} ${i}`, `gs-201${i % 7}-${1000 + i}`)
  })

  const create = async (name: string, admission_number: string) => {
    const answer = await school.post('/api/students', { name, admission_number, class_id: 1 }, registrar)
    assert.equal(answer.status, 201, answer.text)
  }
  /** Every page of a search, and each page's total. */
  async function pagesOf(search: string) {
    const pages = []
    for (let page = 1; page <= 10; page++) {
      const path = `/api/students?per_page=7&page=${page}&search=${encodeURIComponent(search)}`
      const { body } = await school.get(path, registrar)
      pages.push([body.pagination.total, body.data.map(({ id }: { id: number }) => id)])
    }
    return pages
  }
  const count = async (search: string) => {
    const pattern = patternOf(search)
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from students where instr(search_text, ${pattern}) > 0`.execute(school.db)
    return rows[0]!.n
  }

  it('finds the same students on every page, and the same total', async () => {
    const before = new Map<string, unknown>()
    for (const search of searches) before.set(search, await pagesOf(search))
    for (const search of searches) {
      await keepTotal(school.db, patternOf(search), 1, 1)
      assert.deepEqual(await keptAmong(school.db, [patternOf(search)]), [patternOf(search)])
      assert.deepEqual(await pagesOf(search), before.get(search), search)
    }
  })

  it('finds the same beside another word', async () => {
    for (const search of ['nguyen gs-201', 'nguye ngu 1', 'alexanders 201']) {
      const patterns = searchPatterns(search)
      assert.ok((await keptAmong(school.db, patterns)).length > 0, search)
      const { rows } = await sql<{ id: number }>`
        select id from students where ${sql.join(
          patterns.map((pattern) => sql`instr(search_text, ${pattern}) > 0`),
          sql` and `,
        )} order by id`.execute(school.db)
      const ids = rows.map(({ id }) => id)
      assert.ok(ids.length > 0, search)
      const path = `/api/students?per_page=100&search=${encodeURIComponent(search)}`
      const { body } = await school.get(path, registrar)
      assert.deepEqual(
        [body.data.map(({ id }: { id: number }) => id), body.pagination.total],
        [ids, ids.length],
      )
    }
  })

  it('goes on telling the exact total while students come, change and go', async () => {
    await create('Nguyen Alexandersson', 'gs-2014-0999')
    await school.db.transaction().execute(async (db) => {
      await sql`update students set folded_name = 'nguyen ng' where id = 5`.execute(db)
      await sql`update students set folded_name = 'nobody', further_words = '' where id = 1`.execute(db)
      await sql`update students set further_words = further_words || ' nguyen gs' where id = 2`.execute(db)
      await sql`delete from students where id in (3, 9)`.execute(db)
    })
    const refused = { name: 'Nguyen', admission_number: 'gs-2014-0999', class_id: 1 }
    assert.equal((await school.post('/api/students', refused, registrar)).status, 409)
    for (const search of searches) {
      const [[total]] = (await pagesOf(search)) as [[number]]
      assert.equal(total, await count(search), search)
    }
  })

  it('is counted where what was kept of it was deleted by hand, beside the server', async () => {
    const pages = await pagesOf('nguyen')
    const pattern = patternOf('nguyen')
    await write(school.db, byTest, (db) =>
      db.deleteFrom('search_totals').where('pattern', '=', pattern).executeTakeFirstOrThrow(),
    ).then(({ numDeletedRows }) => assert.equal(numDeletedRows, 1n))
    assert.deepEqual(await pagesOf('nguyen'), pages)
    await create('Nguyen Newly', 'gs-2016-0998')
    const [[total]] = (await pagesOf('nguyen')) as [[number]]
    assert.equal(total, await count('nguyen'))
  })

  it('is not kept where few are found, and of no more than 256 words', async () => {
    await keepTotal(school.db, 'zoe', 49_999)
    assert.deepEqual(await keptAmong(school.db, ['zoe']), [])
    for (let i = 0; i < 300; i++) await keepTotal(school.db, `word${i}`, 1, 1)
    const kept = await school.db.selectFrom('search_totals').selectAll().execute()
    assert.equal(kept.length, 256)
  })
})
