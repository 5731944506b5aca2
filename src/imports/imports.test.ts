import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'
import { openSheet, type Row } from '../sheets/sheet.ts'

const csv = { 'content-type': 'text/csv' }
const bytes = { 'content-type': 'application/octet-stream' }

describe('an import', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  /** Sends a file, and waits until it is read. @returns the import as it is shown, with its tag */
  async function imported(payload: string | Buffer, { as = registrar, query = '', headers = csv } = {}) {
    const answer = await school.send('POST', `/api/imports${query}`, { as, payload, headers })
    assert.equal(answer.status, 202, answer.text)
    return read(answer.body.data.id, as)
  }

  async function read(id: number, as = registrar) {
    await school.app.importJobs.idle()
    const { status, body, headers, text } = await school.get(`/api/imports/${id}`, as)
    assert.equal(status, 200, text)
    return { ...body.data, tag: String(headers.etag) }
  }

  function patch(id: number, tag: string, body: object, as = registrar): Promise<Answer> {
    return school.send('PATCH', `/api/imports/${id}`, { as, body, headers: { 'if-match': tag } })
  }

  async function answered(id: number, tag: string, answers: object, as = registrar) {
    const { status, text } = await patch(id, tag, { answers }, as)
    assert.equal(status, 200, text)
    return read(id, as)
  }

  async function workbook(...rows: Row[]): Promise<Buffer> {
    const sheet = await openSheet({ type: 'xlsx' }, 'Year 7', rows[0]!.length)
    return Buffer.concat([await sheet.add(rows), await sheet.end()])
  }

  const header = 'name,admission_number,class\n'

  it('is planned, applied and undone', async () => {
    const planned = await imported(`${header}Ada Lovelace,f-1,Class 1\nZoë Müller,f-2,Class 2\n`)
    assert.equal(planned.state, 'planned', JSON.stringify(planned))
    assert.deepEqual([planned.counts.rows, planned.counts.create], [2, 2])
    assert.deepEqual(planned.file.header, ['name', 'admission_number', 'class'])
    const headers = { 'if-match': planned.tag }
    const begun = await school.send('POST', `/api/imports/${planned.id}/apply`, {
      as: registrar,
      body: {},
      headers,
    })
    assert.deepEqual([begun.status, begun.body.data?.state], [202, 'applying'], begun.text)
    const applied = await read(planned.id)
    assert.equal(applied.state, 'applied', JSON.stringify(applied.failure))
    assert.equal((await school.get('/api/students?search=f-2', registrar)).body.data[0].name, 'Zoë Müller')
    const undone = await school.post(`/api/imports/${planned.id}/undo`, undefined, registrar)
    assert.equal(undone.status, 202, undone.text)
    assert.equal((await read(planned.id)).state, 'undone')
    assert.equal((await school.get('/api/students?search=f-2', registrar)).body.data.length, 0)
  })
})
