import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('the delimiter of a file', () => {
  /** As many headings are known with a bar as with a semicolon: one. */
  const file = 'name|number;class\nMüller; Zoë|d-1\nBo|d-2\n'

  it('is asked where two do as well, and the file is read by the answer: a bar', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const asked = await importer.read(await importer.send(file))
    assert.deepEqual([asked.state, asked.file.delimiter, asked.file.header], ['question', null, null])
    const [question, ...others] = asked.questions
    assert.deepEqual([question.key, question.required, others], ['delimiter', true, []])
    const bar = question.choices.find(({ answer }: { answer: string }) => answer === '|')
    assert.deepEqual(bar.samples, ['name · number;class', 'Müller; Zoë · d-1', 'Bo · d-2'])
    for (const delimiter of [':', '||', '']) {
      const { status, body } = await importer.patch(asked, { answers: { delimiter } })
      assert.deepEqual([status, body.errors[0].pointer], [422, '/answers/delimiter'])
    }

    const read = await importer.continued(asked, { answers: { delimiter: '|' } })
    assert.deepEqual([read.file.delimiter, read.file.header], ['|', ['name', 'number;class']])
    const mapped = await importer.continued(read, { answers: { 'column.number;class': 'admission_number' } })
    const planned = await importer.continued(mapped, { answers: { class_id: 1 } })
    assert.deepEqual(
      [planned.state, planned.counts.create],
      ['planned', 2],
      JSON.stringify(planned.questions),
    )
    assert.equal((await importer.applied(planned)).state, 'applied')
    const { data } = (await school.get('/api/students?search=d-', registrar)).body
    const named = data.map(({ name, admission_number }: Record<string, string>) => [name, admission_number])
    assert.deepEqual(named, [
      ['Müller; Zoë', 'd-1'],
      ['Bo', 'd-2'],
    ])
  })
})
