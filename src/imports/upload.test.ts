import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { endings, grant, personHolding } from '../../test/grants.ts'
import { Importer } from '../../test/import-calls.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { frame, openWire, type Wire } from '../../test/wire.ts'
import { instantAfter } from '../access/clock.ts'
import { keepHouse } from '../cli/housekeeping.ts'
import { write } from '../events/write.ts'

const csv = { 'content-type': 'text/csv' }

describe('POST /api/imports', () => {
  let school: School
  let wire: Wire
  let registrar: Person
  before(async () => {
    school = await openSchool({ env: { IMPORT_MAX_BYTES: '600000' } })
    wire = await openWire(school)
    registrar = await school.person('registrar')
  })

  let last = 0
  const file = () => `name,admission_number,class_id\nAda Lovelace,up-${++last},1\n`

  function send(payload: string | Buffer, as = registrar, query = '', headers = csv): Promise<Answer> {
    return school.send('POST', `/api/imports${query}`, { as, payload, headers })
  }

  async function get(id: number, as = registrar) {
    await school.app.importJobs.idle()
    return (await school.get(`/api/imports/${id}`, as)).body.data
  }

  const importsMade = async () => (await school.get('/api/imports', registrar)).body.pagination.total

  const linesOf = ({ token }: Person, ...more: string[]) => [
    ...['POST /api/imports HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`],
    ...['Content-Type: text/csv', ...more],
  ]
  const importOf = ({ id }: Person) =>
    school.db.selectFrom('imports').select(['id', 'state']).where('user_id', '=', id).executeTakeFirst()

  /** Waits until the first piece of somebody's file is stored. @returns the id of its import */
  async function firstPieceOf(person: Person): Promise<number> {
    for (;;) {
      const row = await importOf(person)
      if (row !== undefined && (await chunksOf(row.id)) > 0) return row.id
      await wire.assertAlive()
    }
  }

  /** A request in two pieces, with this done between them, once its import is there. */
  async function sendSlowly(person: Person, meanwhile: (id: number) => Promise<unknown>) {
    const text = file()
    const lines = linesOf(person, 'Connection: close', `Content-Length: ${text.length}`)
    const imports = school.db.selectFrom('imports').select('id').orderBy('id', 'desc')
    const before = (await imports.executeTakeFirst())?.id ?? 0
    let id = 0
    const { answers } = await wire.exchange(
      frame(lines, text.slice(0, 20)),
      async () => {
        while (id === 0) {
          id = (await imports.where('id', '>', before).executeTakeFirst())?.id ?? 0
          await wire.assertAlive()
        }
        await meanwhile(id)
      },
      text.slice(20),
    )
    return { id, answer: answers[0] }
  }

  async function chunksOf(id: number): Promise<number> {
    const rows = await school.db
      .selectFrom('import_chunks')
      .select('place')
      .where('import_id', '=', id)
      .execute()
    return rows.length
  }

  /** Waits until the server noticed: its parser of HTTP answers before the import hears of it. */
  async function assertFailed(id: number): Promise<void> {
    const stateNow = school.db.selectFrom('imports').select('state').where('id', '=', id)
    while ((await stateNow.executeTakeFirstOrThrow()).state === 'reading') await wire.assertAlive()
    const administrator = await school.person('administrator')
    const { state, failure } = await get(id, administrator)
    assert.deepEqual([state, failure.code], ['failed', 'upload_cut'])
    assert.equal(await chunksOf(id), 0)
  }

  it('stores the file in pieces, and says where its import is', async () => {
    const rows = Array.from({ length: 15_000 }, (_, i) => `Ada ${i},big-${i},1\n`).join('')
    const sent = `name,admission_number,class_id\n${rows}`
    const { status, headers, body } = await send(sent, registrar, '?file_name=Year%207.csv&mode=create')
    assert.equal(status, 202)
    assert.equal(headers.location, `/api/imports/${body.data.id}`)
    const pieces = await school.db
      .selectFrom('import_chunks')
      .select('bytes')
      .where('import_id', '=', body.data.id)
      .orderBy('place')
      .execute()
    assert.deepEqual(
      pieces.map(({ bytes }) => bytes.length),
      [262_144, sent.length - 262_144],
    )
    assert.equal(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString(), sent)
    const shown = await get(body.data.id)
    assert.deepEqual(
      [shown.kind, shown.mode, shown.made_by, shown.file.name, shown.file.bytes],
      ['students', 'create', { user_id: registrar.id }, 'Year 7.csv', sent.length],
    )
  })

  it('is the same import when the same person sends the same file for the same within a day', async () => {
    const [text, other] = [file(), await school.person('registrar')]
    const idOf = async (answer: Promise<Answer>) => (await answer).body.data.id
    const first = await idOf(send(text))
    assert.equal(await idOf(send(text)), first)
    assert.equal(await chunksOf(first + 1), 0)
    assert.equal((await school.get(`/api/imports/${first + 1}`, registrar)).status, 404)
    assert.notEqual(await idOf(send(text, other)), first)
    assert.notEqual(await idOf(send(text, registrar, '?mode=create')), first)
    assert.equal(await idOf(send(text)), first)
    await school.app.importJobs.idle()
    const cancelled = await school.post(`/api/imports/${first}/cancel`, undefined, registrar)
    assert.deepEqual([cancelled.status, cancelled.body.data.state], [200, 'cancelled'])
    const second = await idOf(send(text))
    assert.notEqual(second, first)
    school.passSeconds(86_401)
    const { token } = (await school.login(registrar.email)).body.data
    assert.notEqual(await idOf(send(text, { ...registrar, token })), second)
    school.passSeconds(-86_401)
  })

  it('is another import where the first was refused or has failed', async () => {
    const refused = `Total;;\n${'x'.repeat(20)}\n`
    const sent = async (text: string) => {
      const { id } = (await send(text)).body.data
      await school.app.importJobs.idle()
      return get(id)
    }
    const first = await sent(refused)
    assert.equal(first.state, 'refused')
    assert.notEqual((await sent(refused)).id, first.id)
    const text = file()
    const before = await sent(text)
    assert.equal((await sent(text)).id, before.id)
    const ends = { state: 'failed' } as const
    await write(school.db, {}, (tx) =>
      tx.updateTable('imports').set(ends).where('id', '=', before.id).execute(),
    )
    assert.notEqual((await sent(text)).id, before.id)
  })

  it('is told by its bytes, whatever Idempotency-Key comes with it', async () => {
    const [text, other] = [file(), file()]
    const idOf = async (payload: string, key: string) => {
      const headers = { 'content-type': 'text/csv', 'idempotency-key': key }
      const { status, body } = await school.send('POST', '/api/imports', { as: registrar, payload, headers })
      assert.equal(status, 202)
      return body.data.id
    }
    const first = await idOf(text, 'one')
    assert.deepEqual([await idOf(text, 'one'), await idOf(text, 'two')], [first, first])
    assert.notEqual(await idOf(other, 'one'), first)
    await school.app.importJobs.idle()
  })

  it('takes CSV, TSV, plain text, spreadsheets and bytes, and nothing else', async () => {
    const before = await importsMade()
    for (const type of [
      'text/csv; charset=windows-1252',
      'TEXT/CSV',
      'text/tab-separated-values',
      'text/plain',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/octet-stream',
    ])
      assert.equal((await send(file(), registrar, '', { 'content-type': type })).status, 202, type)
    const taken = await importsMade()
    assert.equal(taken - before, 6)
    for (const headers of [
      { 'content-type': 'application/json' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { ...csv, 'content-encoding': 'gzip' },
    ]) {
      const { status, body } = await send(file(), registrar, '', headers)
      assert.deepEqual([status, body.code], [415, 'unsupported_media_type'])
    }
    for (const payload of ['', undefined]) {
      const sending = { as: registrar, headers: csv, ...(payload !== undefined && { payload }) }
      const { status, body } = await school.send('POST', '/api/imports', sending)
      assert.deepEqual([status, body.code], [400, 'malformed_request'])
    }
    assert.equal((await send(file(), registrar, '?kind=teachers')).status, 422)
    assert.equal(await importsMade(), taken)
  })

  it('refuses a file that is too large, whether or not it says so before', async () => {
    const before = await importsMade()
    const { status, body } = await send('x'.repeat(600_001))
    assert.deepEqual([status, body.code], [413, 'file_too_large'])
    assert.equal(await importsMade(), before)
    const lines = [
      'POST /api/imports HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${registrar.token}`,
      'Content-Type: text/csv',
      'Transfer-Encoding: chunked',
    ]
    const chunk = `fffff\r\n${'x'.repeat(0xfffff)}\r\n`
    await wire.refusal(413, 'file_too_large', frame(lines, chunk))
    const [{ id }] = (await school.get('/api/imports', registrar)).body.data
    await assertFailed(id)
  })

  for (const [what, { end, refusal }] of Object.entries(endings))
    it(`is refused with its next piece, or at its end, once its sender ${what}`, async () => {
      const piece = 'x'.repeat(0x40000)
      for (const [header, first, then] of [
        ['Content-Length: 590000', piece, piece],
        ['Transfer-Encoding: chunked', `40000\r\n${piece}\r\n`, '0\r\n\r\n'],
      ] as const) {
        const person = await school.person('registrar')
        const { answers } = await wire.exchange(
          frame(linesOf(person, 'Connection: close', header), first),
          async () => {
            await firstPieceOf(person)
            await write(school.db, byTest, (tx) => end(tx, person))
          },
          then,
        )
        assert.deepEqual(
          answers.map(({ status, body }) => [status, body.code]),
          [refusal],
          header,
        )
        await assertFailed((await importOf(person))!.id)
      }
    })

  it('is refused once its sender may import files of another kind alone', async () => {
    const person = await personHolding(school, [['students.import'], 'all'])
    const { id, answer } = await sendSlowly(person, async () => {
      await grant(school, person, [['classes.manage'], 'all'])
      await write(school.db, byTest, (tx) =>
        tx
          .deleteFrom('role_permissions')
          .where('permission', '=', 'students.import')
          .where('role_id', 'in', (q) =>
            q.selectFrom('user_roles').select('role_id').where('user_id', '=', person.id),
          )
          .execute(),
      )
    })
    assert.deepEqual([answer?.status, answer?.body.code], [403, 'permission_denied'])
    await assertFailed(id)
  })

  const cuts: Record<string, readonly [header: string, body: string]> = {
    'in the middle of a piece': ['Content-Length: 500000', 'x'.repeat(300_000)],
    'in the middle of a chunk of HTTP': [
      'Transfer-Encoding: chunked',
      `40000\r\n${'x'.repeat(0x40000)}\r\n40000\r\n${'x'.repeat(1_000)}`,
    ],
    'in the size of a chunk': ['Transfer-Encoding: chunked', `40000\r\n${'x'.repeat(0x40000)}\r\n4`],
  }
  for (const [where, [header, body]] of Object.entries(cuts))
    it(`fails when its sender goes away ${where}`, async () => {
      const person = await school.person('registrar')
      const socket = wire.connect()
      socket.write(frame(linesOf(person, header), body))
      const id = await firstPieceOf(person)
      socket.destroy()
      await assertFailed(id)
      assert.ok(!school.log.some((line) => /request failed/.test(line)))
    })

  it('is refused when a chunk of HTTP is broken', async () => {
    const person = await school.person('registrar')
    const lines = linesOf(person, 'Transfer-Encoding: chunked')
    const { answers } = await wire.exchange(
      frame(lines, `40000\r\n${'x'.repeat(0x40000)}\r\n`),
      () => firstPieceOf(person),
      'not a size\r\n',
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400],
    )
    await assertFailed((await importOf(person))!.id)
  })

  it('is refused when it was cancelled meanwhile', async () => {
    const { id, answer } = await sendSlowly(await school.person('registrar'), async (id) => {
      const administrator = await school.person('administrator')
      assert.equal((await school.post(`/api/imports/${id}/cancel`, undefined, administrator)).status, 200)
    })
    assert.deepEqual([answer?.status, answer?.body.code], [409, 'import_state'])
    assert.equal((await get(id, await school.person('administrator'))).state, 'cancelled')
  })

  it('takes two files of one account at once, and no third', async () => {
    const person = await school.person('registrar')
    const first = await sendSlowly(person, async () => {
      const second = await sendSlowly(person, async () => {
        const third = await send(file(), person)
        assert.deepEqual([third.status, third.body.code], [429, 'too_many_attempts'])
      })
      assert.equal(second.answer?.status, 202)
    })
    assert.equal(first.answer?.status, 202)
  })

  it('is one of eight at once, of whomever; one whose sender is gone does not count', async () => {
    const person = await school.person('registrar')
    const [begun, until] = [school.now().toISOString(), instantAfter(school.now(), 10_000)]
    const one = { kind: 'students', mode: 'upsert', state: 'reading', file_bytes: 0, settings: '{}', done: 0 }
    const values = { ...one, leased_by: 'another', leased_until: until, created_at: begun, updated_at: begun }
    const others = Array.from({ length: 8 }, () => values as never)
    await write(school.db, byTest, (tx) => tx.insertInto('imports').values(others).execute())
    const refused = await send(file(), person)
    assert.deepEqual([refused.status, refused.body.code], [503, 'overloaded'])
    const left = { leased_until: begun }
    await write(school.db, byTest, (tx) =>
      tx.updateTable('imports').set(left).where('leased_by', '=', 'another').execute(),
    )
    assert.equal((await send(file(), person)).status, 202)
  })

  it('is taken as long as 50 of the account wait; what is discarded counts until it is erased', async () => {
    const person = await school.person('registrar')
    const at = school.now().toISOString()
    const one = {
      kind: 'students',
      mode: 'upsert',
      file_bytes: 1,
      settings: '{}',
      done: 0,
      user_id: person.id,
    }
    const values = { ...one, file_hash: Buffer.alloc(32), created_at: at, updated_at: at }
    const others = ['planned', 'applied', 'undone', 'failed'].flatMap((state) =>
      Array.from({ length: 49 }, () => ({ ...values, state, change_set_id: 1 }) as never),
    )
    await write(school.db, byTest, (tx) => tx.insertInto('imports').values(others).execute())
    const { status, body } = await send(file(), person)
    assert.equal(status, 202)
    await school.app.importJobs.idle()
    const isRefused = async () => {
      const refused = await send(file(), person)
      assert.deepEqual([refused.status, refused.body.code], [409, 'too_many_imports'])
    }
    await isRefused()
    assert.equal((await school.post(`/api/imports/${body.data.id}/cancel`, undefined, person)).status, 200)
    await isRefused()
    await keepHouse(school.db, () => school.now(), 600)
    assert.equal((await send(file(), person)).status, 202)
  })

  it('is taken as long as 50 of the account were applied, changed nothing, and are not erased', async () => {
    const person = await school.person('registrar')
    const importer = new Importer(school, person)
    const text = file()
    await importer.applied(await importer.planned(text))
    const { id } = await importer.applied(await importer.planned(`${text}\n`))
    const row = school.db.selectFrom('imports').selectAll().where('id', '=', id)
    const { id: _, ...values } = await row.executeTakeFirstOrThrow()
    const others = Array.from({ length: 49 }, () => values)
    await write(school.db, byTest, (tx) => tx.insertInto('imports').values(others).execute())
    const refused = await send(file(), person)
    assert.deepEqual([refused.status, refused.body.code], [409, 'too_many_imports'])
    const updated_at = instantAfter(school.now(), -86_400_000)
    await write(school.db, byTest, (tx) =>
      tx.updateTable('imports').set({ updated_at }).where('user_id', '=', person.id).execute(),
    )
    await keepHouse(school.db, () => school.now(), 600)
    assert.equal((await send(file(), person)).status, 202)
  })

  it('is for those who import its kind', async () => {
    const ofClasses = await personHolding(school, [['classes.manage'], 'all'])
    const ofSome = await personHolding(school, [['classes.manage'], [1]])
    const teacher = await personHolding(school, [['students.import'], [1]])
    const viewer = await school.person('viewer')
    const answers = [
      [ofClasses, 'classes', 202],
      [ofClasses, 'students', 403],
      [ofSome, 'classes', 403],
      [teacher, 'students', 202],
      [teacher, 'classes', 403],
      [viewer, 'students', 403],
    ] as const
    for (const [person, kind, expected] of answers) {
      const { status } = await send(`label\n5${++last}\n`, person, `?kind=${kind}`)
      assert.equal(status, expected, `${kind} ${answers.findIndex(([one]) => one === person)}`)
    }
  })

  it('is cut when the server stops, and tells so', async () => {
    const stopping = await openSchool()
    const line = await openWire(stopping)
    const person = await stopping.person('registrar')
    const lines = [
      'POST /api/imports HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${person.token}`,
      'Content-Type: text/csv',
      'Content-Length: 1000',
    ]
    const imports = () => stopping.db.selectFrom('imports').selectAll().execute()
    const { answers } = await line.exchange(frame(lines, 'name,'), async () => {
      while ((await imports()).length === 0) await line.assertAlive()
      stopping.app.shutdown.refuse()
    })
    assert.deepEqual([answers[0]?.status, answers[0]?.body.code], [503, 'shutting_down'])
    const [row] = await imports()
    assert.deepEqual([row?.state, JSON.parse(row!.failure!).code], ['failed', 'upload_cut'])
  })
})
