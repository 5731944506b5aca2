import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from './import-calls.ts'
import { openSchool, type Person, type School } from './school.ts'

describe('an undo, or the cancel of an import', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  const header = 'name,admission_number,class\n'
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  /** Sends what it does not take, then nothing. */
  async function takesNothing(url: string, done: number): Promise<void> {
    const bodies: [payload: string, type: string, code: string, pointer?: string][] = [
      ['{"confirm":{"change":0},"refused":"skip"}', 'application/json', 'validation_failed', '/confirm'],
      ['[]', 'application/json', 'validation_failed', ''],
      ['{', 'application/json', 'malformed_json'],
      ['confirm=1', 'application/x-www-form-urlencoded', 'unsupported_media_type'],
    ]
    for (const [payload, type, code, pointer] of bodies) {
      const sent = { as: registrar, payload, headers: { 'content-type': type } }
      const { body } = await school.send('POST', url, sent)
      assert.equal(body.code, code, url)
      if (pointer === undefined) continue
      assert.equal(body.errors[0].pointer, pointer)
      if (pointer !== '') assert.deepEqual(body.errors[0].params, { accepted: [] })
    }
    const none = {
      as: registrar,
      payload: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    assert.equal((await school.send('POST', url, none)).status, done, 'as curl -d "" sends it')
  }

  it('says that it takes no member: a confirm that is sent there would seem to be heeded', async () => {
    const { id } = await importer.applied(await importer.planned(`${header}Ada Undone,nm-1,Class 1\n`))
    await takesNothing(`/api/imports/${id}/undo`, 202)
    const planned = await importer.planned(`${header}Bo Cancelled,nm-2,Class 1\n`)
    await takesNothing(`/api/imports/${planned.id}/cancel`, 200)
    await school.student(registrar, { name: 'Cy Made', admission_number: 'nm-3', class_id: 1 })
    const { data } = (await school.get('/api/audit?actor=me&record=student', registrar)).body
    await takesNothing(`/api/change-sets/${data[0].change_set_id}/undo`, 200)
  })

  it('takes an object without members, and no body', async () => {
    const first = await importer.planned(`${header}Di Cancelled,nm-4,Class 1\n`)
    const url = `/api/imports/${first.id}/cancel`
    assert.equal((await school.post(url, {}, registrar)).status, 200)
    const second = await importer.planned(`${header}Eva Cancelled,nm-5,Class 1\n`)
    const none = await school.send('POST', `/api/imports/${second.id}/cancel`, { as: registrar })
    assert.equal(none.status, 200)
  })
})
