import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../test/engine.ts'
import { personHolding } from '../../test/grants.ts'
import { insertStudents } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { Authority } from '../access/authority.ts'
import { write } from '../events/write.ts'
import { selectDoubles } from './doubles.ts'

describe('POST /api/students?duplicates=refuse', () => {
  let school: School
  let registrar: Person
  let lastNumber = 0
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })
  let name: string
  beforeEach(() => {
    name = `Zoë Müller ${++lastNumber}`
  })

  const create = (given: object, { as = registrar, query = '?duplicates=refuse' } = {}) =>
    school.post(
      `/api/students${query}`,
      { name, admission_number: crypto.randomUUID(), class_id: 3, ...given },
      as,
    )
  const created = async (given: object) => {
    const answer = await create(given, { query: '' })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data.id as number
  }
  /** The answer warns of just these students, and nothing was created. */
  async function assertWarned(ids: number[], given: object, as = registrar) {
    const before = await school.count('students')
    const answer = await create(given, { as })
    assert.deepEqual([answer.status, answer.body.code], [409, 'possible_duplicate'], answer.text)
    assert.deepEqual(answer.body.ids, ids)
    assert.match(answer.body.detail, /other_than/)
    assert.equal(await school.count('students'), before)
    assert.doesNotMatch(answer.text, /Müller|2014/)
  }

  it('warns of one with the same name and date of birth, in whatever class, ignoring case and accents', async () => {
    const id = await created({ date_of_birth: '2014-03-09', class_id: 5 })
    await assertWarned([id], { name: name.toUpperCase().replace('Ë', 'E'), date_of_birth: '2014-03-09' })
    assert.equal((await create({ date_of_birth: '2014-03-10', class_id: 5 })).status, 201, 'another date')
    assert.equal(
      (await create({ name: `${name} B`, date_of_birth: '2014-03-09' })).status,
      201,
      'another name',
    )
  })

  it('warns of one whose name has the family name first, there or in the request', async () => {
    const number = ++lastNumber
    const born = { date_of_birth: '2014-05-09' }
    const plain = await created({ name: `Otto van Berg ${number}`, ...born })
    const first = await created({ name: `Berg ${number}, Otto van`, ...born })
    const bare = await created({ name: `van Berg ${number} Otto`, ...born })
    const other = await created({ name: `Berg van ${number} Otto`, ...born })
    await assertWarned([plain, first, bare], { name: `otto van BERG ${number}`, ...born })
    await assertWarned([plain, bare], { name: `van Berg ${number}, Otto`, ...born })
    await assertWarned([other], { name: `Otto Berg van ${number}`, ...born })
    await assertWarned([other], { name: `van ${number}, Otto Berg`, ...born })
    assert.equal(
      (await create({ name: `Otto van Berg ${number}`, class_id: 4 })).status,
      201,
      'another class',
    )
  })

  it('warns of one with the same name in the same class where no date is given', async () => {
    const id = await created({ date_of_birth: '2014-03-09' })
    const second = await created({})
    await assertWarned([id, second], {})
    await assertWarned([id, second], { date_of_birth: null })
    assert.equal((await create({ class_id: 4 })).status, 201, 'another class')
  })

  it('creates without the parameter, as ever, and when it is empty', async () => {
    await created({})
    for (const query of ['', '?duplicates=']) assert.equal((await create({}, { query })).status, 201)
  })

  it('knows no other way to treat doubles, and says so', async () => {
    const before = await school.count('students')
    const answer = await create({}, { query: '?duplicates=allow' })
    assert.deepEqual([answer.status, answer.body.errors[0].detail], [422, 'must be one of refuse'])
    assert.equal(await school.count('students'), before)
  })

  it('is not warned by students whom the caller may not see, nor by dates that the caller may not see', async () => {
    const teacher = await personHolding(
      school,
      [['students.view'], [3, 4]],
      [['students.sensitive'], [3, 5]],
      [['students.create'], 'all'],
    )
    const dated = { date_of_birth: '2014-03-09' }
    const [inThree] = [await created({ ...dated }), await created({ ...dated, class_id: 4 })]
    await created({ ...dated, class_id: 5 })
    await assertWarned([inThree], dated, teacher)
    assert.equal((await create({ class_id: 5 }, { as: teacher })).status, 201)
    const clerk = await personHolding(school, [['students.create', 'students.sensitive'], 'all'])
    assert.equal((await create(dated, { as: clerk })).status, 201)
  })

  it('tells at most a hundred, the first by id', async () => {
    await insertStudents(school.db, Array(120).fill(name))
    await write(school.db, byTest, (db) =>
      sql`update students set class_id = 8 where name = ${name}`.execute(db),
    )
    const rows = await school.db
      .selectFrom('students')
      .select('id')
      .where('name', '=', name)
      .orderBy('id')
      .execute()
    await assertWarned(
      rows.slice(0, 100).map(({ id }) => id),
      { class_id: 8 },
    )
  })

  it('looks only at those who have the name, in a class of any size', onlyOn('sqlite'), async () => {
    for (const scope of ['all', [3, 4]] as const) {
      const authority = new Authority(
        new Map([
          ['students.view', scope],
          ['students.sensitive', scope],
        ]),
      )
      for (const date_of_birth of ['2014-03-09', null]) {
        const student = { name, admission_number: 'x', class_id: 3, date_of_birth }
        const query = selectDoubles(school.db, authority, student)!.compile()
        const plan = await school.db.executeQuery<{ detail: string }>({
          ...query,
          sql: `explain query plan ${query.sql}`,
        })
        assert.match(plan.rows[0]!.detail, /students USING INDEX students_name \(folded_name=\?\)/)
      }
    }
  })
})
