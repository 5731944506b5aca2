import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { studentRow } from '../../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../../test/school.ts'
import { write } from '../../events/write.ts'

describe('the question with which number the rows of a file begin', () => {
  /** A file that was sent before is not read again. */
  let files = 0

  /** What is asked of a file in which two rows have no number. */
  const askedOf = async (school: School, as: Person) => {
    const importer = new Importer(school, as)
    const rows = [',Ada One,Class 9', ',Bo Two,Class 9', `x,Cy ${++files},Class 9`]
    const id = await importer.send(['admission_number,name,class', ...rows, ''].join('\n'))
    const { questions } = await importer.read(id)
    return questions.find(({ key }: { key: string }) => key === 'admission_number')
  }
  const proposed = async (school: School, as: Person) => (await askedOf(school, as)).choices[0].answer
  const insert = (school: School, prefix: string, numbers: number) =>
    write(school.db, byTest, async (db) => {
      const rows = Array.from({ length: numbers }, (_, i) => studentRow('Ada', `${prefix}${10_001 + i}`))
      for (let i = 0; i < numbers; i += 500)
        await db
          .insertInto('students')
          .values(rows.slice(i, i + 500))
          .execute()
    })

  it('tells how many rows have none, and proposes the one behind those that most students have', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    await insert(school, 'S-', 800)
    await school.student(registrar, { admission_number: '0001' })
    const question = await askedOf(school, registrar)
    assert.deepEqual([question.rows, question.required], [2, false])
    assert.match(question.text, /^2 rows have no admission number\. .* without one are refused\.$/)
    assert.deepEqual(question.choices, [{ answer: 'S-*10801', text: 'Count on from S-10801' }])
    const { body } = await school.get('/api/students/next-number', registrar)
    assert.equal(body.data.admission_number, '0002', 'of one student, the form of the last one counts')
  })

  it('looks beyond the last students, and at numbers that end in digits alone', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    assert.equal(await proposed(school, registrar), '*0001')
    await school.student(registrar, { admission_number: 'guest' })
    assert.equal(await proposed(school, registrar), '*0001')
    await insert(school, 'S-', 900)
    await insert(school, 'T-', 300)
    assert.equal(await proposed(school, registrar), 'S-*10901')
  })

  it('proposes by the students whom the account sees', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    await insert(school, 'S-', 10)
    for (const number of ['K-07', 'K-08', '1'])
      await school.student(registrar, { admission_number: number, class_id: 9 })
    const held = ['students.import', 'students.view', 'students.create'] as const
    assert.equal(await proposed(school, await personHolding(school, [held, [9]])), 'K-*09')
    assert.equal(await proposed(school, await personHolding(school, [held, [8]])), '*0001')
    assert.equal(await proposed(school, registrar), 'S-*10011')
  })
})
