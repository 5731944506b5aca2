import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { studentRow } from '../../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../../test/school.ts'
import { write } from '../../events/write.ts'

describe('GET /api/students/next-number', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
  })
  beforeEach(async () => {
    await write(school.db, byTest, async (db) => {
      for (const table of ['students', 'former_numbers'] as const) await db.deleteFrom(table).execute()
    })
    registrar = await school.person('registrar')
  })

  const proposal = async (as = registrar) => {
    const { status, body, text } = await school.get('/api/students/next-number', as)
    assert.equal(status, 200, text)
    assert.deepEqual(Object.keys(body.data), ['admission_number'])
    return body.data.admission_number as string
  }
  const create = async (...numbers: string[]) => {
    let id = 0
    for (const admission_number of numbers) id = await school.student(registrar, { admission_number })
    return id
  }
  const insert = (numbers: readonly string[]) =>
    write(school.db, byTest, async (db) => {
      for (let i = 0; i < numbers.length; i += 500) {
        const rows = numbers.slice(i, i + 500).map((number) => studentRow('Ada', number))
        await db.insertInto('students').values(rows).execute()
      }
    })

  it('begins at 0001 where there is no student, and reserves nothing', async () => {
    assert.deepEqual([await proposal(), await proposal()], ['0001', '0001'])
    await create('0001')
    assert.equal(await proposal(), '0002')
  })

  const series: [what: string, numbers: string[], proposed: string][] = [
    ['the year and four digits', ['2026-0041', '2026-0042'], '2026-0043'],
    ['the highest number, not the last', ['2026-0099', '2026-0007'], '2026-0100'],
    ['one digit more after the last of a width', ['A-98', 'A-99'], 'A-100'],
    ['the width of the last student', ['A-0001', 'A-100'], 'A-101'],
    ['the series of the last student', ['2025-0900', '2026-0001'], '2026-0002'],
    ['letters as they are written', ['Ém/7'], 'Ém/8'],
    ['digits alone', ['41'], '42'],
    ['the last one that ends in digits', ['2026-0001', 'guest'], '2026-0002'],
    ['the beginning, where no number ends in digits', ['guest', 'visitor 1a'], '0001'],
    ['wide digits, which count as the narrow ones', ['Ｓ－０７', 'Ｓ－０９'], 'S-10'],
    ['numbers longer than any integer', ['9'.repeat(30)], `1${'0'.repeat(30)}`],
    ['the beginning, where the next would be too long', ['9'.repeat(50)], '0001'],
    ['numbers of other widths between', ['7', '70', '700', '71', '8'], '9'],
    ['digits behind the last letter alone', ['2026-01b3', '2026-0002'], '2026-0003'],
  ]
  for (const [what, numbers, proposed] of series) {
    it(`follows ${what}`, async () => {
      await create(...numbers)
      assert.equal(await proposal(), proposed)
      assert.ok((await create(proposed)) > 0, 'it is free')
    })
  }

  it('skips numbers that are taken, in whatever spelling, and numbers that students had', async () => {
    const id = await create('a-9')
    school.passSeconds(31 * 86_400)
    registrar = await school.person('registrar') // the session has ended
    const patch = { admission_number: 'x' }
    const headers = { 'if-match': '*' }
    const changed = await school.send('PATCH', `/api/students/${id}`, { as: registrar, body: patch, headers })
    assert.equal(changed.status, 200)
    await create('A-10', 'A-08')
    assert.equal(await proposal(), 'A-11', 'the highest of two digits is 10')
    await create('z-11', 'a-7', 'a-8')
    assert.equal(await proposal(), 'a-11', 'a-9 was given, 10 is taken, 11 is free')
  })

  it('finds the end of a long run of numbers that are taken', async () => {
    await insert(Array.from({ length: 2_345 }, (_, i) => `${i + 1}`))
    assert.equal(await proposal(), '2346')
    await create('z5')
    assert.equal(await proposal(), 'z6')
    const teacher = await personHolding(school, [['students.create', 'students.view'], [9]])
    assert.equal(await proposal(teacher), '0001', 'there is nobody in the class')
    await write(school.db, byTest, (db) =>
      db.updateTable('students').set({ class_id: 9 }).where('admission_number', '=', '5').execute(),
    )
    assert.equal(await proposal(teacher), '2346')
  })

  it('looks at students whom the caller may see for what numbers look like, and skips those of all', async () => {
    await school.student(registrar, { admission_number: 'K-1', class_id: 3 })
    await school.student(registrar, { admission_number: 'K-2', class_id: 4 })
    await school.student(registrar, { admission_number: 'S-1', class_id: 5 })
    const of = (...classes: number[]) =>
      personHolding(school, [['students.create', 'students.view'], classes])
    assert.equal(await proposal(await of(3)), 'K-3')
    assert.equal(await proposal(await of(3, 5)), 'S-2')
    assert.equal(await proposal(await of(7)), '0001')
    assert.equal(await proposal(await personHolding(school, [['students.create'], 'all'])), '0001')
    const apart = await personHolding(school, [['students.create'], [5]], [['students.view'], [4]])
    assert.equal(await proposal(apart), 'K-3', 'by those whom they see')
  })

  it('is for who may create students, and takes no other method', async () => {
    const viewer = await school.person('viewer')
    const refused = await school.get('/api/students/next-number', viewer)
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'])
    assert.equal((await school.get('/api/students/next-number')).status, 401)
    const patched = await school.send('PATCH', '/api/students/next-number', { as: registrar, body: {} })
    assert.deepEqual([patched.status, patched.body.code], [405, 'method_not_allowed'])
  })
})
