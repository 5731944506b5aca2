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
