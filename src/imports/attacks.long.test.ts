import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, type Holding, personHolding, revokeAll } from '../../test/grants.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { stage } from '../../test/staged-imports.ts'
import { write } from '../events/write.ts'
import { updateDisabled } from '../users/queries.ts'

const csv = { 'content-type': 'text/csv' }
const header = 'name,admission_number,class\n'
const held = ['students.view', 'students.create', 'students.update', 'students.import'] as const

describe('an import that is attacked', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const send = (payload: string | Buffer, as = registrar, query = '') =>
    school.send('POST', `/api/imports${query}`, { as, payload, headers: csv })

  async function read(id: number, as = registrar) {
    await school.app.importJobs.idle()
    const { body, headers } = await school.get(`/api/imports/${id}`, as)
    return { ...body.data, tag: String(headers.etag) }
  }

  async function imported(payload: string | Buffer, as = registrar, query = '') {
    const { status, body, text } = await send(payload, as, query)
    assert.equal(status, 202, text)
    return read(body.data.id, as)
  }

  const patch = (id: number, tag: string, body: object | string, as = registrar) =>
    school.send('PATCH', `/api/imports/${id}`, {
      ...{ as, headers: { 'if-match': tag, 'content-type': 'application/json' } },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })

  const apply = (id: number, tag: string, as = registrar, body: object = {}) =>
    school.send('POST', `/api/imports/${id}/apply`, { as, body, headers: { 'if-match': tag } })

  const rowsOf = async (id: number, as = registrar) =>
    (await school.get(`/api/imports/${id}/rows?per_page=1000`, as)).body.data

  /** Ends with everything in order, whatever the file is. */
  async function isHandled(payload: string | Buffer, query = '') {
    const ended = await imported(payload, registrar, query)
    assert.ok(['question', 'planned', 'refused'].includes(ended.state), JSON.stringify(ended.failure))
    return ended
  }

  it('shows a row of a class out of the scope just as one of an unknown class', async () => {
    const teacher = await personHolding(school, [held, [5]])
    await school.student(registrar, { admission_number: 'hid-1', name: 'Hid Den', class_id: 6 })
    const there = await imported(`${header}A,x-1,Class 6\n`, teacher)
    const nowhere = await imported(`${header}A,x-2,Class 6666\n`, teacher)
    const shapeOf = (one: { state: string; questions: { key: string; required: boolean }[] }) => [
      one.state,
      one.questions.map(({ key, required }) => [key.replace('6666', '6'), required]),
    ]
    assert.deepEqual(shapeOf(there), shapeOf(nowhere))
    const byId = await imported('name,admission_number,class_id\nA,x-3,6\nA,x-4,6666\n', teacher)
    assert.equal(byId.state, 'planned')
    const [one, other] = await rowsOf(byId.id, teacher)
    const cellsOf = (row: { cells: { to?: string }[] }) => row.cells.map(({ to: _, ...cell }) => cell)
    assert.deepEqual(cellsOf(one), cellsOf(other))
    const near = await imported(`${header}Hid Den,hid1,Class 5\n`, teacher)
    assert.deepEqual([near.counts.create, near.counts.doubtful], [1, 0])
    const taken = await imported(`${header}Other,hid-1,Class 5\n`, teacher)
    const [row] = await rowsOf(taken.id, teacher)
    assert.deepEqual([row.outcome, row.id], ['refused', undefined])
    assert.doesNotMatch(JSON.stringify(row), /Hid Den/)
  })

  it('tells a reader nothing of students whom they do not see, though its maker does', async () => {
    const id = await school.student(registrar, { admission_number: 'see-1', name: 'See Me', class_id: 6 })
    const planned = await imported(`${header}See Me,see1,Class 5\nSeen You,see-1,Class 5\n`)
    const reader = await personHolding(
      school,
      [['students.import'], 'all'],
      [['students.view', 'students.sensitive'], [5]],
    )
    assert.deepEqual([planned.counts.doubtful, planned.counts.change], [1, 1])
    const [doubtful, changed] = await rowsOf(planned.id, reader)
    assert.doesNotMatch(JSON.stringify(doubtful), /"ids":|similar/)
    assert.deepEqual([doubtful.outcome, doubtful.cells], ['refused', [{ column: 'row', hidden: true }]])
    assert.doesNotMatch(JSON.stringify(changed), new RegExp(`"id":${id}|See Me`))
    for (const cell of changed.cells) assert.equal(cell.hidden, true, JSON.stringify(changed))
  })

  const losses: [string, Holding[]][] = [
    ['classes.manage', [[held, 'all']]],
    ['students.create', [[['students.view', 'students.import', 'classes.manage'], 'all']]],
  ]
  for (const [lost, left] of losses)
    it(`makes nothing of what needs ${lost}, if that is lost once it is applied`, async () => {
      const clerk = await personHolding(school, [[...held, 'classes.manage'], 'all'])
      const label = `Lost ${lost}`
      const staged = await stage(school, clerk, {
        header: ['admission_number', 'name', 'class_id'],
        rows: [[`lost-${lost}`, 'Lo St', label]],
      })
      await staged.plan()
      await staged.request(clerk)
      await revokeAll(school, clerk)
      await grant(school, clerk, ...left)
      assert.equal(await staged.finish(), 'failed')
      assert.ok(!(await school.get('/api/classes', registrar)).text.includes(label))
    })

  it('of classes makes none once its account may only manage some', async () => {
    const clerk = await personHolding(school, [['classes.manage', 'students.import'], 'all'])
    const staged = await stage(school, clerk, { kind: 'classes', header: ['label'], rows: [['Narrow']] })
    await staged.plan()
    await staged.request(clerk)
    await revokeAll(school, clerk)
    await grant(school, clerk, [['classes.manage', 'students.import'], [1]])
    assert.equal(await staged.finish(), 'failed')
    assert.ok(!(await school.get('/api/classes', registrar)).text.includes('Narrow'))
  })

  it('is undone whole though the account that applied it was disabled in the middle', async () => {
    const clerk = await personHolding(school, [held, 'all'])
    const before = await school.count('students')
    const rows = Array.from({ length: 300 }, (_, i) => [`gone-${i}`, `Go Ne${i}`, '1'])
    const staged = await stage(school, clerk, { header: ['admission_number', 'name', 'class_id'], rows })
    await staged.plan()
    await staged.request(clerk)
    await write(school.db, byTest, (tx) => updateDisabled(tx, clerk.id, true, school.now().toISOString()))
    assert.equal(await staged.finish(), 'failed')
    assert.equal(await school.count('students'), before)
  })

  it('is applied once though asked for twice at once, and not while it is cancelled', async () => {
    const { id, tag } = await imported(`${header}Twi Ce,twice-1,Class 1\n`)
    const answers = await Promise.all([apply(id, tag), apply(id, tag)])
    assert.equal(answers.filter(({ status }) => status === 202).length, 1)
    const loser = answers.find(({ status }) => status !== 202)!
    assert.ok([409, 412].includes(loser.status))
    assert.equal((await read(id)).state, 'applied')
    assert.equal((await school.post(`/api/imports/${id}/cancel`, undefined, registrar)).status, 409)
    const undone = await Promise.all(
      [1, 2].map(() => school.post(`/api/imports/${id}/undo`, undefined, registrar)),
    )
    assert.deepEqual(undone.map(({ status }) => status).sort(), [202, 409])
    assert.equal((await read(id)).state, 'undone')
  })

  it('is one import where the same file comes twice at once', async () => {
    const file = `${header}Sa Me,same-1,Class 1\n`
    const ids = (await Promise.all([send(file), send(file)])).map(({ body }) => body.data.id)
    assert.equal(ids[0], ids[1])
    assert.equal((await read(ids[0])).state, 'planned')
  })

  it('takes no answer while it is read', async () => {
    const { id, tag } = await imported(`${header}Wa It,wait-1,Class 1\n`)
    const both = await Promise.all([1, 2].map(() => patch(id, tag, { answers: {} })))
    assert.deepEqual(both.map(({ status }) => status).sort((a, b) => a - b)[0], 200)
    assert.ok([409, 412].includes(both.find(({ status }) => status !== 200)!.status))
    assert.equal((await read(id)).state, 'planned')
  })

  it('reads odd files without a fault', async () => {
    const wide = Array.from({ length: 400 }, (_, i) => `column ${i}`)
    const files: (string | Buffer)[] = [
      header,
      '\n\n\n',
      '\uFEFF',
      'name,name,name,admission_number,class\nA,B,C,d-1,Class 1\n',
      `${header.trim()},${wide.slice(0, 397).join()}\nWi De,w-1,Class 1,${wide.slice(0, 397).join()}\n`,
      `${header}${'x'.repeat(32_767)},w-2,Class 1\n`,
      `${header}A\0B,nul-1,Class 1\nAB,nu\0l-2,Class 1\nAB,nul-3,Cl\0ass 1\n`,
      'name,admission_number,class,identifiers.a\nA,nul-4,Class 1,x\0y\n',
      'na\0me,admission_number,class,name\nA,nul-5,Class 1,B\n',
      `${header}A,esc-1,Class 1\nA,"\\u0000",Class 1\n`,
      `${header}'=1+1,'=g-1,Class 1\n'+49,'-2,Class 1\n`,
      'name,admission_number,class,__proto__,constructor,toString,fields.__proto__,identifiers.__proto__\nA,p-1,Class 1,a,b,c,d,e\n',
      'name,admission_number,class,guardian_11_name,guardian_1_constructor\nA,p-2,Class 1,a,b\n',
      'name,admission_number,class_id\nA,i-1,9007199254740993\nA,i-2,1e3\nA,i-3,-1\nA,i-4,9007199254740991\n',
      'id,name,admission_number,class\n9007199254740991,A,i-5,Class 1\n99999999999999999999,A,i-6,Class 1\n',
      Buffer.from(`${header}\ud83d\ude00,s-1,Class 1\n`),
      Buffer.concat([Buffer.from(header), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from(',s-2,Class 1\n')]),
    ]
    for (const file of files) {
      const ended = await isHandled(file)
      if (ended.state === 'planned') for (const row of await rowsOf(ended.id)) assert.ok(row.outcome)
      if (ended.state === 'planned' && ended.counts.create > 0) {
        assert.equal((await apply(ended.id, ended.tag, registrar, { refused: 'skip' })).status, 202)
        const { state, failure } = await read(ended.id)
        assert.equal(state, 'applied', JSON.stringify([failure, String(file).slice(0, 100)]))
      }
    }
  })

  it('takes no answer that breaks it', async () => {
    const asked = await imported('name,class\nNo Number,Class 1\n')
    assert.deepEqual(asked.state, 'question')
    const bodies = [
      '{"answers":{"__proto__":"leave_out"}}',
      '{"answers":{"constructor":"leave_out"}}',
      '{"answers":{"column.__proto__":"leave_out"}}',
      '{"decisions":[{"row":2097151,"decision":"same","id":9007199254740991}]}',
      '{"decisions":[{"row":9007199254740991,"decision":"new"}]}',
      '{"mapping_name":"a\\u0000b"}',
    ]
    for (const body of bodies) {
      const { status, text } = await patch(asked.id, asked.tag, body)
      assert.ok([400, 422].includes(status), `${body}: ${status} ${text}`)
    }
    for (const admission_number of [
      'no star',
      'a*b',
      '\0*1',
      `${'x'.repeat(60)}*1`,
      '*999999999999999',
      ' *1',
      7,
    ]) {
      const { id, tag } = await read(asked.id)
      const { status, text } = await patch(id, tag, { answers: { admission_number } })
      assert.ok([200, 422].includes(status), text)
      const { state, failure } = await read(id)
      assert.ok(['question', 'planned'].includes(state), `${admission_number} ${JSON.stringify(failure)}`)
    }
  })

  it('answers odd requests with a problem', async () => {
    const { id, tag } = await imported(`${header}O Dd,odd-1,Class 1\n`)
    const paths = ['?file_name=%00', '?kind=__proto__', '?mode=constructor', '?file_name=%ED%A0%80']
    for (const path of paths) {
      const { status } = await send('x', registrar, path)
      assert.ok([202, 400, 422].includes(status), `${path} ${status}`)
    }
    const bare = await school.send('POST', '/api/imports', { as: registrar, payload: header, headers: {} })
    assert.ok([202, 415].includes(bare.status), bare.text)
    assert.ok([400, 422].includes((await send('')).status))
    const gets = [
      'rows?column=%00',
      'rows?column=__proto__',
      'rows?page=9007199254740991',
      'rows?group=true&page=99999',
    ]
    for (const path of gets) {
      const { status, text } = await school.get(`/api/imports/${id}/${path}`, registrar)
      assert.ok([200, 400, 422].includes(status), `${path} ${text}`)
    }
    for (const odd of ['9007199254740991', '9007199254740992', '1e9', '-1', '0x1']) {
      const { status } = await school.get(`/api/imports/${odd}`, registrar)
      assert.ok([400, 404, 422].includes(status), odd)
    }
    const { status } = await apply(id, tag, registrar, { confirm: { change: 1e300 } })
    assert.ok([202, 422].includes(status))
  })
})
