import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('a file of classes that names one that is archived', () => {
  it('has that row refused, as nobody can be put there', async () => {
    const school = await openSchool()
    const administrator = await school.person('administrator')
    const importer = new Importer(school, administrator)
    const { headers } = await school.get('/api/classes/2', administrator)
    const archived = await school.send('PATCH', '/api/classes/2', {
      ...{ as: administrator, body: { archived: true }, headers: { 'if-match': String(headers.etag) } },
    })
    assert.equal(archived.status, 200, archived.text)
    const { id, counts } = await importer.planned('Klasse\nClass 1\nCLASS 2\n', '?kind=classes')
    assert.deepEqual([counts.unchanged, counts.refused], [1, 1])
    const [{ cells }] = await importer.rows(id, '&outcome=refused')
    assert.deepEqual(
      [cells[0].code, cells[0].detail],
      ['archived_class', 'is the label of a class that is archived'],
    )
    const { text } = await importer.refused(id, '?language=de')
    assert.match(text, /Klasse: Diese Klasse nimmt niemanden mehr auf/)
  })
})
