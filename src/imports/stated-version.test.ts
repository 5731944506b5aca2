import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('an import that is undone, or cancelled, as it was seen', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const file = (number: string) => `Name,Admission number,Class\nAda,${number},Class 1\n`

  async function ask(id: number, what: 'undo' | 'cancel', tag: string): Promise<[number, string?]> {
    const path = `/api/imports/${id}/${what}`
    const { status, body } = await school.send('POST', path, { as: registrar, headers: { 'if-match': tag } })
    return [status, body.code]
  }

  it('is not undone where it is another by now than If-Match says', async () => {
    const planned = await importer.planned(file('stated-1'))
    const applied = await importer.applied(planned)
    assert.deepEqual(await ask(applied.id, 'undo', planned.tag), [412, 'precondition_failed'])
    assert.deepEqual(await ask(applied.id, 'undo', 'unquoted'), [412, 'precondition_failed'])
    assert.equal((await importer.read(applied.id)).state, 'applied')
    assert.deepEqual(await ask(applied.id, 'undo', applied.tag), [202, undefined])
    assert.equal((await importer.read(applied.id)).state, 'undone')
  })

  it('is not cancelled where somebody decided rows of it since', async () => {
    const planned = await importer.planned(file('stated-2'))
    const leftOut = await importer.continued(planned, { decisions: [{ row: 2, decision: 'leave_out' }] })
    assert.deepEqual(await ask(planned.id, 'cancel', planned.tag), [412, 'precondition_failed'])
    assert.equal((await importer.read(planned.id)).state, 'planned')
    assert.deepEqual(await ask(planned.id, 'cancel', leftOut.tag), [200, undefined])
    assert.equal((await importer.read(planned.id)).state, 'cancelled')
  })
})
