import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { write } from '../../events/write.ts'
import { makeFields } from '../applying/make-fields.ts'

describe('a column that is to be a sensitive field, where one that is not is there by now', () => {
  let school: School
  let admin: Person
  let importer: Importer
  let colleague: Importer
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    importer = new Importer(school, admin)
    const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    colleague = new Importer(school, await personHolding(school, [held, 'all']))
  })

  const makeField = async (label: string, sensitive = false) => {
    const { status, text } = await school.post('/api/fields', { label, kind: 'text', sensitive }, admin)
    assert.equal(status, 201, text)
  }
  const planned = async (heading: string, answer: string): Promise<ShownImport> => {
    const file = `Name,Admission number,Class,${heading}\nFay ${heading},${heading}-1,Class 1,Jedi\n,,Class 1,Jedi\n`
    const asked = await importer.read(await importer.send(file))
    return importer.continued(asked, { answers: { [`column.${heading}`]: answer } })
  }
  const fieldsOf = async (name: string) => {
    const { body } = await school.get(`/api/students?search=${name}`, admin)
    return (await school.get(`/api/students/${body.data[0].id}`, admin)).body.data.fields
  }

  it('is asked about again, with that field among the choices, and nobody sees its cells meanwhile', async () => {
    const before = await planned('Faith', 'new_field:sensitive')
    assert.equal(before.state, 'planned', JSON.stringify(before.questions))
    await makeField('faith')
    const seen = async () =>
      JSON.stringify([
        ...[await colleague.read(before.id), await colleague.rows(before.id)],
        (await colleague.refused(before.id)).text,
      ])
    assert.doesNotMatch(await seen(), /Jedi/)
    const { body } = await importer.apply(before, { refused: 'skip' })
    assert.equal(body.code, 'plan_outdated')
    const asking = await importer.read(before.id)
    const [{ key, text, choices }] = asking.questions
    assert.deepEqual([asking.state, key, choices[0].answer], ['question', 'column.Faith', 'leave_out'])
    assert.match(text, /not sensitive/)
    assert.ok(choices.some(({ answer }: { answer: string }) => answer === 'fields.faith'))
    assert.doesNotMatch(JSON.stringify(await colleague.read(before.id)), /Jedi/)
    const again = await importer.patch(asking, { answers: { 'column.Faith': 'new_field:date:sensitive' } })
    assert.deepEqual([again.status, again.body.errors[0].pointer], [422, '/answers/column.Faith'])
    const meant = await importer.continued(asking, { answers: { 'column.Faith': 'fields.faith' } })
    assert.equal((await importer.applied(meant, { refused: 'skip' })).state, 'applied')
    assert.deepEqual(await fieldsOf('Fay Faith'), { faith: 'Jedi' })
  })

  it('is that field, where it is sensitive too, or where the answer did not ask for that', async () => {
    for (const [heading, answer, sensitive] of [
      ['Creed', 'new_field:sensitive', true],
      ['Sport', 'new_field', true],
      ['Club', 'new_field', false],
    ] as const) {
      const before = await planned(heading, answer)
      await makeField(heading, sensitive)
      assert.equal((await importer.apply(before, { refused: 'skip' })).body.code, 'plan_outdated')
      const anew = await importer.read(before.id)
      assert.equal((await importer.applied(anew, { refused: 'skip' })).state, 'applied', heading)
      assert.deepEqual(await fieldsOf(`Fay ${heading}`), { [heading.toLowerCase()]: 'Jedi' })
    }
  })

  it('is made by the import, and is it still when the import is applied and read again', async () => {
    const applied = await importer.applied(await planned('Order', 'new_field:sensitive'), { refused: 'skip' })
    assert.equal(applied.state, 'applied')
    assert.doesNotMatch((await colleague.refused(applied.id)).text, /Jedi/)
    assert.match((await importer.refused(applied.id)).text, /Jedi/)
  })

  it('ends the import where that field came while it began to be applied', async () => {
    await makeField('Rite')
    const makes = { fields: [{ key: 'rite', label: 'Rite', sensitive: true }] }
    const begun = write(school.db, { userId: admin.id }, (tx) =>
      makeFields(tx, makes, school.now().toISOString()),
    )
    await assert.rejects(begun, (error: { code?: string }) =>
      /^field_(?:label|key)_taken$/.test(error.code ?? ''),
    )
  })
})
