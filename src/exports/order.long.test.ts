import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { studentRow } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { readCsv } from '../../test/sheets.ts'
import { write } from '../events/write.ts'

const mostInOrder = 100_000

/** How many students one statement makes. */
const atOnce = 10_000

describe('an export in another order than that of ids, or of those whom a search finds', () => {
  let school: School
  let registrar: Person
  let first: number
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    first = await school.student(registrar, { name: 'Ada Lovelace', admission_number: 'the first' })
    await makeAlike(mostInOrder - 1)
  })

  /** Makes so many students who are as the first is, but for the number. */
  async function makeAlike(count: number): Promise<void> {
    const { admission_number, admission_key, ...alike } = studentRow('', '')
    const columns = sql.join(Object.keys(alike).map((name) => sql.ref(name)))
    await write(school.db, byTest, async (tx) => {
      for (let made = 0; made < count; made += atOnce) {
        const some = Math.min(atOnce, count - made)
        const number = sql`${`${count} ${made} `} || n`
        await sql`insert into students (admission_number, admission_key, ${columns})
          with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${some})
          select ${number}, ${number}, ${columns}
          from numbers, students where students.id = ${first}`.execute(tx)
      }
    })
  }

  async function idsOf(query: string): Promise<number[]> {
    const url = `/api/students.csv?columns=id&${query}`
    const answer = await school.inject({ url, headers: { authorization: `Bearer ${registrar.token}` } })
    assert.equal(answer.statusCode, 200, answer.payload)
    return readCsv(answer.rawPayload)
      .slice(1)
      .map(([id]) => Number(id))
  }

  it('is given of 100 000 students', async () => {
    const ids = await idsOf('sort=-id')
    assert.equal(ids.length, mostInOrder)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    )
  })

  it('is refused of one more, who can be exported by id, or class by class', async () => {
    await school.student(registrar, { name: 'Ada Lovelace', class_id: 2 })
    for (const asked of [
      'csv?sort=name',
      'csv?sort=-id',
      'csv?search=ada',
      'xlsx?sort=name',
      'xlsx?search=ada',
    ]) {
      const { status, body, headers } = await school.get(`/api/students.${asked}`, registrar)
      assert.deepEqual([status, body.code], [422, 'validation_failed'], asked)
      const [{ pointer, code, params }] = body.errors
      assert.deepEqual([pointer, code, params], ['/sort', 'too_many', { limit: mostInOrder }])
      assert.equal(headers['content-disposition'], undefined)
    }
    assert.equal((await idsOf('')).length, mostInOrder + 1)
    assert.equal((await idsOf('sort=name&class_id=2')).length, 1)
    assert.equal((await idsOf('search=ada&class_id=2')).length, 1)
  })
})
