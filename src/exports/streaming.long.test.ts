import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { endings, personHolding } from '../../test/grants.ts'
import { studentRow } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { readCsv } from '../../test/sheets.ts'
import { openWire } from '../../test/wire.ts'
import { write } from '../events/write.ts'

const students = 20_000
const path = '/api/students.csv?columns=id,notes'

/** What a connection on this machine may hold that nobody has taken yet, in rows: far less than all. */
const mostUnderWay = 15_000

/** Stores students with long notes: some 30 MB. */
async function insertStudents(school: School): Promise<void> {
  const notes = 'x'.repeat(1_500)
  await write(school.db, byTest, async (db) => {
    for (let number = 0; number < students; ) {
      const rows = Array.from({ length: 500 }, () => ({ ...studentRow('Ada', `n ${++number}`), notes }))
      await db.insertInto('students').values(rows).execute()
    }
  })
}

/** What the log tells of the newest export, once it has ended. */
async function noteOfNewest({ db }: School): Promise<string> {
  for (;;) {
    const set = await db
      .selectFrom('change_sets')
      .select('note')
      .where('kind', '=', 'export')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    if (/^\d/.test(set.note!)) return set.note!
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const isReset = { code: 'ECONNRESET' }

describe('an export of 20 000 students', () => {
  let school: School
  let port: number
  before(async () => {
    school = await openSchool({ exportLimits: { atOnce: 2, maxWaitMs: 100, stallMs: 1_500 } })
    port = (await openWire(school)).port
    await insertStudents(school)
  })

  /** Sends the request, again where a busy machine had the server refuse it. Nothing of the body is taken until it is read. */
  async function request({ token }: Person): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${token}` }
    for (;;) {
      const [answer] = await once(get({ port, path, headers, agent: false }), 'response')
      if (answer.headers['retry-after'] !== '1') return answer
      answer.resume()
    }
  }

  async function assertCut(): Promise<void> {
    const note = await noteOfNewest(school)
    const [, count] = /^(\d+) students as csv, cut short/.exec(note) ?? assert.fail(note)
    assert.ok(Number(count) < mostUnderWay, note)
  }

  it('comes whole, each student who is there throughout once, while others come and go', async () => {
    const registrar = await school.person('registrar')
    const answer = await request(registrar)
    const read = buffer(answer)
    let isRead = false
    void read.then(() => (isRead = true))
    let moved = 0
    while (!isRead) {
      await school.student(registrar, { name: 'New' })
      const body = { name: 'Moved', class_id: 2 }
      const headers = { 'if-match': '*' }
      await school.send('PATCH', `/api/students/${students - moved++}`, { as: registrar, body, headers })
    }
    const ids = readCsv(await read)
      .slice(1)
      .map(([id]) => Number(id))
    assert.deepEqual(
      ids.slice(0, students),
      Array.from({ length: students }, (_, i) => i + 1),
    )
    assert.equal(new Set(ids).size, ids.length)
    assert.match(await noteOfNewest(school), new RegExp(`^${ids.length} students as csv: columns=id,notes$`))
  })

  it('is read only as far as it is taken, and cut where nothing is taken for long', async () => {
    const answer = await request(await school.person('registrar'))
    await assertCut()
    await assert.rejects(buffer(answer), isReset)
  })

  for (const [what, { end }] of Object.entries(endings))
    it(`ends when its caller ${what}`, async () => {
      const registrar = await school.person('registrar')
      const answer = await request(registrar)
      await write(school.db, byTest, (tx) => end(tx, registrar))
      await assert.rejects(buffer(answer), isReset)
      await assertCut()
    })

  it('ends when its caller loses one of their classes, also one without a child', async () => {
    const teacher = await personHolding(school, [
      ['students.view', 'students.export', 'students.sensitive'],
      [1, 2],
    ])
    const answer = await request(teacher)
    await write(school.db, byTest, (tx) =>
      tx
        .deleteFrom('user_role_classes')
        .where('user_id', '=', teacher.id)
        .where('class_id', '=', 2)
        .execute(),
    )
    await assert.rejects(buffer(answer), isReset)
    await assertCut()
  })

  it('ends when the session expires', async () => {
    const answer = await request(await school.person('registrar'))
    school.passSeconds(school.config.tokenTtlSeconds)
    await assert.rejects(buffer(answer), isReset)
    await assertCut()
  })

  it('is one of two at a time: a third waits, and is told when to come back; a client that goes makes room', async () => {
    const registrar = await school.person('registrar')
    const [one, other] = [await request(registrar), await request(registrar)]
    const third = await request(registrar)
    assert.deepEqual([third.statusCode, third.headers['retry-after']], [503, '10'])
    assert.equal(JSON.parse((await buffer(third)).toString()).code, 'overloaded')
    one.destroy()
    const next = await request(registrar)
    assert.equal(next.statusCode, 200)
    next.destroy()
    other.destroy()
  })
})

describe('an export whose last bytes are not taken', () => {
  /** Together they are more than a connection holds that nobody takes from, and one slice: no other is read. */
  const [count, notes] = [60, 'x'.repeat(200_000)]

  it('is cut too, and makes room for the next', async () => {
    const school = await openSchool({ exportLimits: { atOnce: 1, maxWaitMs: 10_000, stallMs: 1_500 } })
    const { port } = await openWire(school)
    const registrar = await school.person('registrar')
    const rows = Array.from({ length: count }, (_, i) => ({ ...studentRow('Ada', `n ${i}`), notes }))
    await write(school.db, byTest, (db) => db.insertInto('students').values(rows).execute())
    const headers = { authorization: `Bearer ${registrar.token}` }
    const [untaken] = await once(get({ port, path, headers, agent: false }), 'response')
    assert.match(await noteOfNewest(school), /^60 students as csv: /, 'all are made')
    const { status } = await school.get('/api/students.csv?columns=id', registrar)
    assert.equal(status, 200)
    await assert.rejects(buffer(untaken), isReset)
  })
})
