import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, personHolding, revokeAll } from '../../test/grants.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { readXlsx, writtenSheet } from '../../test/sheets.ts'
import { write } from '../events/write.ts'
import type { Row } from '../sheets/sheet.ts'

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

  function workbook(...rows: Row[]): Promise<Buffer> {
    return writtenSheet({ type: 'xlsx' }, 'Year 7', rows)
  }

  const header = 'name,admission_number,class\n'

  function apply(id: number, tag: string, body: object = {}, as = registrar): Promise<Answer> {
    return school.send('POST', `/api/imports/${id}/apply`, { as, body, headers: { 'if-match': tag } })
  }

  async function applied({ id, tag }: { id: number; tag: string }, body: object = {}) {
    const { status, text } = await apply(id, tag, body)
    assert.equal(status, 202, text)
    return read(id)
  }

  it('has another tag as its step goes on', async () => {
    const { id, tag } = await imported(`${header}Ada Lovelace,tag-1,Class 1\n`)
    await write(school.db, byTest, (tx) =>
      tx.updateTable('imports').set({ done: 12_345 }).where('id', '=', id).execute(),
    )
    assert.notEqual((await read(id)).tag, tag)
  })

  it('is planned, applied and undone', async () => {
    const planned = await imported(`${header}Ada Lovelace,f-1,Class 1\nZoë Müller,f-2,Class 2\n`)
    assert.deepEqual([planned.state, planned.counts.rows, planned.counts.create], ['planned', 2, 2])
    assert.deepEqual(planned.file.header, ['name', 'admission_number', 'class'])
    const rows = (await school.get(`/api/imports/${planned.id}/rows`, registrar)).body
    assert.deepEqual(
      rows.data.map(({ row, outcome }: { row: number; outcome: string }) => [row, outcome]),
      [
        [2, 'create'],
        [3, 'create'],
      ],
    )
    assert.equal((await apply(planned.id, '"another"')).status, 412)
    const after = await applied(planned)
    assert.equal(after.state, 'applied', JSON.stringify(after.failure))
    const found = async () => (await school.get('/api/students?search=f-2', registrar)).body.data
    assert.equal((await found())[0].name, 'Zoë Müller')
    const again = await apply(planned.id, after.tag)
    assert.deepEqual([again.status, again.body.code], [409, 'import_state'])
    const undone = await school.post(`/api/imports/${planned.id}/undo`, undefined, registrar)
    assert.equal(undone.status, 202, undone.text)
    assert.equal((await read(planned.id)).state, 'undone')
    assert.deepEqual(await found(), [])
  })

  it('asks for the encoding and shows cells under each to those who may see them; an answer has it planned', async () => {
    const text = Buffer.from('Name;Adm No;Class\nZo\xeb M\xfcller;e-1;Class 1\n', 'latin1')
    const asked = await imported(text)
    assert.deepEqual([asked.state, asked.file.format, asked.file.header], ['question', 'csv', null])
    const [question] = asked.questions
    assert.deepEqual([question.key, question.required], ['encoding', true])
    const western = question.choices.find(({ answer }: { answer: string }) => answer === 'windows-1252')
    assert.ok(western.samples.includes('Zoë Müller'), JSON.stringify(western))
    const teacher = await personHolding(school, [['students.import'], 'all'])
    const { choices } = (await read(asked.id, teacher)).questions[0]
    for (const choice of choices) assert.deepEqual([choice.samples, choice.hidden], [undefined, true])
    for (const encoding of ['utf-7', 'x']) {
      const { status, body } = await patch(asked.id, asked.tag, { answers: { encoding } })
      const [{ pointer, code, params }] = body.errors
      assert.deepEqual([status, pointer, code], [422, '/answers/encoding', 'not_allowed'])
      assert.ok(params.accepted.includes('windows-1252'))
    }
    const planned = await answered(asked.id, asked.tag, { encoding: 'windows-1252' })
    assert.equal(planned.state, 'planned', JSON.stringify(planned))
    assert.deepEqual(
      [planned.file.encoding, planned.file.delimiter, planned.answers, planned.counts.create],
      ['windows-1252', ';', { encoding: 'windows-1252' }, 1],
    )
  })

  it('reads a spreadsheet, and gives its refused rows back as one, which is read again', async () => {
    const rows = [
      ['name', 'admission_number', 'class', 'date_of_birth'],
      ['Ada Lovelace', '0042', 'Class 1', '2014-03-09'],
      ['Zoë Müller', '0043', 'Class 1', '3014-03-09'],
    ]
    const planned = await imported(await workbook(...rows), { headers: bytes })
    assert.deepEqual(
      [planned.state, planned.file.format, planned.counts.create, planned.counts.refused],
      ['planned', 'xlsx', 1, 1],
      JSON.stringify(planned),
    )
    assert.equal(planned.file.sheets[0].name, 'Year 7')
    const refused = await apply(planned.id, planned.tag)
    assert.equal(refused.status, 409)
    const after = await applied(planned, { refused: 'skip' })
    assert.equal(after.state, 'applied')
    const file = await school.app.inject({
      url: `/api/imports/${planned.id}/refused`,
      headers: { authorization: `Bearer ${registrar.token}` },
    })
    assert.equal(file.statusCode, 200)
    const sheet = (await readXlsx(file.rawPayload)).get('refused')!
    assert.deepEqual(sheet[0], ['problem', ...rows[0]!])
    assert.match(sheet[1]![0]!, /date_of_birth must/)
    assert.deepEqual(sheet[1]!.slice(1), rows[2])
    const again = await imported(file.rawPayload, { headers: bytes })
    assert.deepEqual([again.state, again.counts.refused], ['planned', 1])
  })

  it('refuses what is no table, and says why', async () => {
    const files: [string | Buffer, string, object?][] = [
      ['%PDF-1.7\n', 'not_a_table'],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old_excel_file'],
      ['first,second\n1,2\n', 'header_not_found'],
      [header, 'no_rows'],
      [`${header}"Ada,r-1,Class 1\n`, 'invalid_csv', { row: 2 }],
    ]
    for (const [payload, code, params] of files) {
      const { state, failure, id, tag } = await imported(payload, { headers: bytes })
      assert.deepEqual([state, failure?.code, failure?.params], ['refused', code, params])
      assert.match(failure.detail, /\w+.*\.$/)
      assert.equal((await patch(id, tag, { answers: {} })).status, 409)
    }
  })

  it('takes answers to its questions alone, by its tag, while it waits for them', async () => {
    const planned = await imported(`${header}Ada,p-1,Class 1\nBo,p-01,Class 1\n`)
    assert.equal(planned.counts.doubtful, 2)
    const unknown = await patch(planned.id, planned.tag, { answers: { encoding: 'utf-8' } })
    assert.deepEqual([unknown.status, unknown.body.errors[0].code], [422, 'unknown_member'])
    assert.equal((await patch(planned.id, '"x"', { answers: {} })).status, 412)
    const bare = await school.send('PATCH', `/api/imports/${planned.id}`, { as: registrar, body: {} })
    assert.equal(bare.status, 428)
    const planless = await school.send('POST', `/api/imports/${planned.id}/apply`, { as: registrar })
    assert.match(planless.body.detail, /^Send If-Match with the ETag of what you looked at; \* is not taken/)
    const wrong = await patch(planned.id, planned.tag, { decisions: [{ row: 2, decision: 'null' }] })
    const [{ detail, params }] = wrong.body.errors
    assert.match(detail, /leave_out, or null$/)
    assert.ok(!params.accepted.includes('null'))
    const decisions = [{ row: 7, decision: 'new' }]
    const nowhere = await patch(planned.id, planned.tag, { decisions })
    assert.deepEqual([nowhere.status, nowhere.body.errors[0].pointer], [422, '/decisions/0/row'])
    const nobody = await patch(planned.id, planned.tag, { decisions: [{ row: 2, decision: 'same' }] })
    assert.deepEqual([nobody.status, nobody.body.errors[0].pointer], [422, '/decisions/0/id'])
    assert.equal(
      (await patch(planned.id, planned.tag, { decisions: [{ row: 2, decision: 'new' }] })).status,
      200,
    )
    const replanned = await read(planned.id)
    assert.deepEqual([replanned.state, replanned.counts.doubtful], ['planned', 1])
    assert.notEqual(replanned.tag, planned.tag)
  })

  it('keeps its answers for files with the same headings, once it is applied', async () => {
    const of = (number: string) => `Name;Adm No;Klasse;Haus\nMia ${number};${number};Class 1;Oak\n`
    const asked = await imported(of('k-1'))
    assert.deepEqual(
      asked.questions
        .filter(({ required }: { required: boolean }) => required)
        .map(({ key }: { key: string }) => key),
      ['column.Haus'],
      JSON.stringify(asked),
    )
    const planned = await answered(asked.id, asked.tag, { 'column.Haus': 'leave_out' })
    assert.equal(planned.mapping, null)
    await applied(planned)
    const next = await imported(of('k-2'))
    assert.deepEqual([next.state, next.answers], ['planned', { 'column.Haus': 'leave_out' }])
    const administrator = await school.person('administrator')
    const { data } = (await school.get('/api/import-mappings', administrator)).body
    assert.deepEqual(
      data.map(({ id, name }: { id: number; name: string }) => ({ id, name })),
      [next.mapping],
    )
    assert.equal(next.mapping.name, 'Name, Adm No, Klasse')
    const named = await patch(next.id, next.tag, { mapping_name: 'Old system' })
    assert.equal(named.status, 200, named.text)
    assert.equal((await read(next.id)).mapping.name, 'Old system')
    const removed = await school.send('DELETE', `/api/import-mappings/${next.mapping.id}`, {
      as: administrator,
    })
    assert.equal(removed.status, 200)
    assert.equal((await imported(of('k-3'))).state, 'question')
  })

  it('is seen by who made it, and by those who import for all classes', async () => {
    const teacher = await personHolding(school, [
      ['students.import', 'students.view', 'students.create'],
      [5],
    ])
    const other = await personHolding(school, [['students.import', 'students.view', 'students.create'], [5]])
    const own = await imported(`${header}Ada,s-1,Class 5\n`, { as: teacher })
    assert.equal(own.state, 'planned')
    await imported(`label\n5b\n`, { as: await school.person('administrator'), query: '?kind=classes' })
    for (const path of [
      `/api/imports/${own.id}`,
      `/api/imports/${own.id}/rows`,
      `/api/imports/${own.id}/refused`,
    ]) {
      const { status, body } = await school.get(path, other)
      assert.deepEqual([status, body.code], [404, 'import_not_found'], path)
    }
    assert.equal((await patch(own.id, own.tag, { answers: {} }, other)).status, 404)
    assert.equal((await apply(own.id, own.tag, {}, other)).status, 404)
    for (const action of ['cancel', 'undo'])
      assert.equal((await school.post(`/api/imports/${own.id}/${action}`, undefined, other)).status, 404)
    const idsOf = async (person: Person, query = '') =>
      (await school.get(`/api/imports?per_page=1000${query}`, person)).body.data.map(
        ({ id }: { id: number }) => id,
      )
    assert.deepEqual(await idsOf(teacher), [own.id])
    assert.deepEqual(await idsOf(other), [])
    const all = await idsOf(registrar)
    assert.ok(all.includes(own.id))
    assert.deepEqual(
      all,
      all.toSorted((a: number, b: number) => b - a),
    )
    assert.equal((await idsOf(registrar, '&kind=classes')).length, 1)
    assert.ok(!(await idsOf(registrar, '&state=refused')).includes(own.id))
    assert.deepEqual(await idsOf(teacher, '&unfinished=true'), [own.id])
    assert.deepEqual(await idsOf(teacher, '&unfinished=true&state=refused'), [])
    assert.deepEqual(await idsOf(other, '&unfinished=true'), [])
    assert.equal((await read(own.id)).counts.create, 1)
    assert.equal((await school.post(`/api/imports/${own.id}/cancel`, undefined, teacher)).status, 200)
    assert.deepEqual(await idsOf(teacher, '&unfinished=true'), [])
    assert.deepEqual(await idsOf(teacher, '&unfinished=false'), [own.id])
  })

  it('is not seen by who made it and may not import its kind any more', async () => {
    const clerk = await personHolding(school, [['students.import', 'students.view', 'classes.manage'], 'all'])
    const ofStudents = await imported(`${header}Ada,s-2,Class 5\n`, { as: clerk })
    const ofClasses = await imported(`label\n5c\n`, { as: clerk, query: '?kind=classes' })
    const seen = async () => {
      const one = async (id: number) => (await school.get(`/api/imports/${id}`, clerk)).status
      const listed = (await school.get('/api/imports?per_page=1000', clerk)).body.data
      const ids = [ofStudents.id, ofClasses.id]
      const own = listed.map(({ id }: { id: number }) => id).filter((id: number) => ids.includes(id))
      return [await one(ofStudents.id), await one(ofClasses.id), own.length]
    }
    assert.deepEqual(await seen(), [200, 200, 2])
    await revokeAll(school, clerk)
    await grant(school, clerk, [['classes.manage'], 'all'])
    assert.deepEqual(await seen(), [404, 200, 1])
    await revokeAll(school, clerk)
    await grant(school, clerk, [['students.import', 'students.view'], 'all'], [['classes.manage'], [5]])
    assert.deepEqual(await seen(), [200, 404, 1])
  })

  it('of classes shows its rows whichever students have the ids of those classes', async () => {
    const clerk = await personHolding(
      school,
      [['students.import', 'classes.manage', 'classes.view'], 'all'],
      [['students.view'], [5]],
    )
    const { id: student } = await school.db
      .selectFrom('students')
      .select('id')
      .where('class_id', '!=', 5)
      .executeTakeFirstOrThrow()
    const { id } = await imported('label\nMoles\n', { as: clerk, query: '?kind=classes' })
    // As if the class that it makes had the id of that student.
    await write(school.db, byTest, (tx) =>
      tx.updateTable('import_plan').set({ record_id: student }).where('import_id', '=', id).execute(),
    )
    const [row] = (await school.get(`/api/imports/${id}/rows`, clerk)).body.data
    assert.deepEqual([row.id, row.cells], [student, [{ column: 'label', from: null, to: 'Moles' }]])
  })

  it('goes on at another instance when its own stops', async () => {
    const { databaseUrl } = school
    await school.app.importJobs.stop()
    const payload = `${header}${Array.from({ length: 2_500 }, (_, i) => `Ada ${i},i-${i},Class 1\n`).join('')}`
    const answer = await school.send('POST', '/api/imports', { as: registrar, payload, headers: csv })
    const { id } = answer.body.data
    assert.equal((await school.get(`/api/imports/${id}`, registrar)).body.data.state, 'reading')
    const other = await openSchool({ databaseUrl })
    other.app.importJobs.look()
    await other.app.importJobs.idle()
    const { state, counts } = (await other.get(`/api/imports/${id}`, registrar)).body.data
    assert.deepEqual([state, counts.create], ['planned', 2_500])
  })
})
