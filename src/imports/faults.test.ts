import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Holding, personHolding } from '../../test/grants.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('an import', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  it('is applied for a version that somebody looked at, and not for any', async () => {
    const { id } = await importer.planned('admission_number,name,class\nany-1,Any One,Class 1\n')
    const { status, body } = await importer.apply({ id, tag: '*' })
    assert.deepEqual([status, body.code], [428, 'precondition_required'])
    assert.match(body.detail, /\* is not taken/)
    assert.equal((await importer.read(id)).state, 'planned')
  })

  it('tells no fault of a cell that the reader of its refused rows may not see', async () => {
    const file = 'admission_number,name,class,email,gender\nhid-1,Hid Den,Class 1,secret@,#N/A\n'
    const { id } = await importer.planned(file)
    const refusedFor = async (...holdings: Holding[]) => {
      const reader = await personHolding(school, [['students.import'], 'all'], ...holdings)
      return (await school.get(`/api/imports/${id}/refused`, reader)).text
    }
    const all = await refusedFor([['students.view', 'students.sensitive'], 'all'])
    assert.match(all, /email must be an e-mail address.*gender must be a value/)
    const plain = await refusedFor([['students.view'], 'all'])
    assert.doesNotMatch(plain, /e-mail|secret/)
    assert.match(plain, /the row tells of what you may not see/)
    const none = await refusedFor()
    assert.doesNotMatch(none, /e-mail|secret|must/)
  })

  it('tells of guardians nothing to whoever may not see them, whatever they guess', async () => {
    const guardian = { name: 'Mia Two', relation: 'mother', phone: '0171500', email: 'mia@x.example' }
    const guarded = { name: 'Bea Two', admission_number: 'gu-1', class_id: 1, guardians: [guardian] }
    await school.student(registrar, guarded)
    const guesser = new Importer(
      school,
      await personHolding(school, [['students.import', 'students.view', 'students.update'], [1]]),
    )
    const files = [
      ['guardian_2_phone', '0171500', '0171501'],
      ['guardian_2_email', 'mia@x.example', 'max@x.example'],
      ['guardian_1_phone,guardian_2_name', '1234567,Mia Two', '1234567,Max Two'],
      ['guardian_2_relation,guardian_2_phone', 'mother,0171500', 'aunt,0171500'],
      ['date_of_birth', '2014-03-09', '2014-03-10'],
    ]
    for (const [columns, ...guesses] of files) {
      const lines = guesses.map((guess) => `gu-1,${guess}`)
      const { id } = await guesser.planned(
        `admission_number,${columns}\n${lines.join('\n')}\n`,
        '?mode=update',
      )
      const [right, wrong] = await guesser.rows(id)
      assert.equal(right.outcome, 'refused', columns)
      assert.deepEqual([wrong.outcome, wrong.cells], [right.outcome, right.cells], columns)
      assert.deepEqual(
        right.cells.map(({ column }: { column: string }) => column).sort(),
        columns!.split(',').sort(),
        'the columns of the file alone',
      )
      assert.equal((await guesser.rows(id, '&column=guardian_1_name')).length, 0)
    }
  })

  it('asks about no label that is too long for a class, and refuses its row', async () => {
    const { id, counts } = await importer.planned(
      `admission_number,name,class\nlong-1,Lo Ng,${'x'.repeat(400)}\nlong-2,Sh Ort,Class 1\n`,
    )
    assert.deepEqual([counts.refused, counts.create], [1, 1])
    const [row] = await importer.rows(id, '&outcome=refused')
    const { code, detail, params } = row.cells[0]
    assert.deepEqual([code, detail], ['too_long', 'must have at most 100 characters'])
    assert.deepEqual(params, { limit: 100 })
  })

  it('says that a row has too many columns, and not that a cell is too long', async () => {
    const wide = `admission_number;name;class\n${'a;'.repeat(200_003)}a\n`
    const { state, failure } = await importer.read(await importer.send(wide))
    assert.deepEqual([state, failure.code], ['refused', 'too_many_columns'])
    assert.deepEqual(failure.params, { row: 2, limit: 400 })
  })

  it('is not undone by someone who lacks the class that a child is in now, and the sentence says so', async () => {
    const some = await personHolding(
      school,
      [['students.import'], 'all'],
      [['students.view', 'students.create', 'students.update', 'students.sensitive'], [1]],
    )
    const own = new Importer(school, some)
    const applied = await own.applied(
      await own.planned('admission_number,name,class\nmoved-1,Mo Ved,Class 1\n'),
    )
    assert.equal(applied.state, 'applied')
    const [{ id }] = await own.rows(applied.id)
    const body = { class_id: 2 }
    const move = { as: registrar, body, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', `/api/students/${id}`, move)).status, 200)
    const { status, body: problem } = await own.undo(applied.id)
    assert.deepEqual([status, problem.code], [403, 'permission_denied'])
    assert.match(problem.detail, /students\.create for the class of every student/)
  })
})
