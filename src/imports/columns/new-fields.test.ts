import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type School } from '../../../test/school.ts'

describe('columns that become fields of the school', () => {
  let school: School
  let importer: Importer
  before(async () => {
    school = await openSchool()
    importer = new Importer(school, await school.person('administrator'))
  })

  it('are told with their labels from the plan on: rows call them by their keys', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('administrator'))
    const asking = await importer.read(
      await importer.send('name,admission_number,class,Línea de bús,Haus\nAda,b-1,Class 1,12,Eiche\n'),
    )
    assert.deepEqual(asking.new_fields, [])
    const answers = { 'column.Línea de bús': 'new_field', 'column.Haus': 'leave_out' }
    const planned = await importer.continued(asking, { answers })
    assert.deepEqual(planned.new_fields, [{ key: 'linea_de_bus', label: 'Línea de bús' }])
    const [row] = await importer.rows(planned.id)
    assert.ok(row.cells.some(({ column }: { column: string }) => column === 'fields.linea_de_bus'))
    const both = await importer.continued(planned, { answers: { ...answers, 'column.Haus': 'new_field' } })
    assert.deepEqual(
      both.new_fields.map(({ label }: { label: string }) => label),
      ['Línea de bús', 'Haus'],
    )
    assert.equal((await importer.applied(both)).state, 'applied')
    const next = await importer.planned('name,admission_number,class,Haus\nBo,b-2,Class 1,Erle\n')
    assert.deepEqual(next.new_fields, [], 'it is there')
  })

  it('are as many as a school may have: others are refused, and not offered', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `c${i}`)
    const file = `name,admission_number,class,${names.join()}\nAda,n-1,Class 1,${names.join()}\n`
    const before = await importer.read(await importer.send(file))
    const answers = (some: readonly string[]) =>
      Object.fromEntries(some.map((name) => [`column.${name}`, 'new_field']))
    const { status, body } = await importer.patch(before, { answers: answers(names) })
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      names.slice(50).map((name) => `/answers/column.${name}`),
    )
    assert.equal(
      body.errors[0].detail,
      'must not be new_field: a school has at most 50 fields, those of other columns counted',
    )
    const asked = await importer.continued(before, { answers: answers(names.slice(10)) })
    assert.deepEqual(
      asked.questions.map(({ key }: { key: string }) => key),
      names.slice(0, 10).map((name) => `column.${name}`),
    )
    const offered = asked.questions.flatMap(({ choices }: { choices: { answer: string }[] }) => choices)
    assert.ok(!offered.some(({ answer }: { answer: string }) => answer === 'new_field'))
    const late = await importer.patch(asked, { answers: answers(names.slice(0, 1)) })
    assert.equal(late.body.errors[0].pointer, '/answers/column.c0')
    const free = { ...answers(names.slice(0, 1)), 'column.c59': 'leave_out' }
    const leaving = Object.fromEntries(names.slice(1, 10).map((name) => [`column.${name}`, 'leave_out']))
    const planned = await importer.continued(asked, { answers: { ...leaving, ...free } })
    assert.equal(planned.state, 'planned')
  })
})
