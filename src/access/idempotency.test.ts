import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { engine } from '../../test/engine.ts'
import { revokeAll } from '../../test/grants.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { keepHouse } from '../cli/housekeeping.ts'
import { write } from '../events/write.ts'
import { insertGrant } from '../roles/queries.ts'

const day = 24 * 3600

describe('POST with an Idempotency-Key', () => {
  let school: School
  let registrar: Person
  let lastNumber = 0
  before(async () => {
    school = await openSchool({ env: { TOKEN_TTL: String(7 * day) } })
    registrar = await school.person('registrar')
  })

  const newStudent = () => ({ name: 'Ada', admission_number: `k-${++lastNumber}`, class_id: 1 })
  const post = (
    key: string | string[],
    body: unknown,
    { as = registrar, query = '' } = {},
  ): Promise<Answer> =>
    school.send('POST', `/api/students${query}`, { as, body, headers: { 'idempotency-key': key } })
  const keys = () => school.db.selectFrom('idempotency_keys').selectAll().execute()

  async function created(by: () => Promise<unknown>): Promise<number> {
    const before = await school.count('students')
    await by()
    return (await school.count('students')) - before
  }

  it('creates once: the same request with the same key gets the same status, body and Location', async () => {
    const student = newStudent()
    const answers: Answer[] = []
    assert.equal(
      await created(async () => {
        for (const key of ['once-1', 'once-1', '"once-1"']) answers.push(await post(key, student))
      }),
      1,
    )
    const [first, ...again] = answers
    assert.equal(first!.status, 201)
    for (const answer of again) {
      assert.deepEqual([answer.status, answer.body], [201, first!.body])
      assert.equal(answer.headers.location, first!.headers.location)
    }
    const without = await school.post('/api/students', student, registrar)
    assert.equal(without.body.code, 'admission_number_taken', 'without the key it is another request')
  })

  it('gives the same answer whatever became of the record meanwhile', async () => {
    const student = newStudent()
    const { body } = await post('changed', student)
    const headers = { 'if-match': '*' }
    const patch = { as: registrar, body: { admission_number: `k-${++lastNumber}` }, headers }
    await school.send('PATCH', `/api/students/${body.data.id}`, patch)
    assert.deepEqual((await post('changed', student)).body, body)
  })

  it('refuses a key that came with another body or query, and creates nothing', async () => {
    const student = newStudent()
    await post('reused', student)
    const others: [body: object, query: string][] = [
      [newStudent(), ''],
      [{ ...student, name: 'Ada L.' }, ''],
      [{ ...student, notes: null }, ''],
      [student, '?duplicates=refuse'],
    ]
    for (const [body, query] of others) {
      assert.equal(
        await created(async () => {
          const answer = await post('reused', body, { query })
          assert.deepEqual([answer.status, answer.body.code], [422, 'idempotency_key_reused'])
          assert.doesNotMatch(answer.text, /"reused"|Ada|k-\d/)
        }),
        0,
      )
    }
    assert.equal((await post('reused', student)).status, 201, 'the first one still holds')
  })

  it('takes two requests for one that differ in nothing that is looked at', async () => {
    const student = newStudent()
    const { body } = await post('alike', student)
    for (const query of ['?_=123', '?_=124', '?', '/', '?duplicates=']) {
      const answer = await post('alike', { ...student, name: ' Ada ' }, { query })
      assert.deepEqual([answer.status, answer.body], [201, body], query)
    }
    const headers = { 'idempotency-key': 'alike-class' }
    const label = { as: registrar, body: { label: 'Made once' }, headers }
    const first = await school.send('POST', '/api/classes', label)
    const again = await school.send('POST', '/api/classes?_=123', label)
    assert.deepEqual([again.status, again.body], [201, first.body])
  })

  it('makes one record of twenty requests at once, and tells all twenty of it', async () => {
    for (let round = 0; round < 5; round++) {
      const student = newStudent()
      const ids = new Set<number>()
      assert.equal(
        await created(async () => {
          const sent = Array.from({ length: 20 }, () => post(`race-${round}`, student))
          for (const { status, body, text } of await Promise.all(sent)) {
            assert.equal(status, 201, text)
            ids.add(body.data.id)
          }
        }),
        1,
      )
      assert.equal(ids.size, 1)
    }
  })

  it('lets one of twenty different requests at once have the key; the others are refused', async () => {
    assert.equal(
      await created(async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => post('differ', newStudent())))
        const statuses = answers.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [201, ...Array(19).fill(422)])
      }),
      1,
    )
  })

  it('keeps no failure: the same key works once what was wrong is right', async () => {
    const student = newStudent()
    const blocker = await school.student(registrar, { admission_number: student.admission_number })
    const before = await keys()
    const inNoClass = { ...student, class_id: 99 }
    assert.equal((await post('failed', student)).body.code, 'admission_number_taken')
    assert.equal((await post('failed', inNoClass)).body.code, 'validation_failed')
    assert.equal((await post('failed', { name: 5 })).status, 422)
    assert.deepEqual(await keys(), before)
    const headers = { 'if-match': '*' }
    const free = { as: registrar, body: { admission_number: `k-${++lastNumber}` }, headers }
    await school.send('PATCH', `/api/students/${blocker}`, free)
    assert.equal((await post('failed', student)).status, 201)
  })

  it('answers a replay before it looks for doubles', async () => {
    const student = { ...newStudent(), name: 'Doubled' }
    const send = () => post('double', student, { query: '?duplicates=refuse' })
    const first = await send()
    assert.deepEqual([(await send()).status, (await send()).body], [201, first.body])
    const another = { ...student, admission_number: `k-${++lastNumber}` }
    const warned = await post('double-2', another, { query: '?duplicates=refuse' })
    assert.deepEqual([warned.status, warned.body.ids], [409, [first.body.data.id]])
    assert.equal((await post('double-2', another)).status, 201, 'and the refused key is free')
  })

  it('is a matter of each account', async () => {
    const other = await school.person('registrar')
    assert.equal(
      await created(async () => {
        assert.equal((await post('shared', newStudent())).status, 201)
        assert.equal((await post('shared', newStudent(), { as: other })).status, 201)
      }),
      2,
    )
    const [mine, theirs] = (await keys()).filter(({ key }) => key === 'shared')
    assert.notEqual(mine!.user_id, theirs!.user_id)
  })

  it('replays to each account its own creation, and forgets each when its own day is over', async () => {
    const other = await school.person('registrar')
    const [mine, theirs] = [newStudent(), newStudent()]
    const first = await post('twice', mine)
    school.passSeconds(day / 2)
    const second = await post('twice', theirs, { as: other })
    assert.deepEqual([first.status, second.status], [201, 201])
    const recordOf = async ({ id }: Person) =>
      (await keys()).find(({ key, user_id }) => key === 'twice' && user_id === id)?.record_id
    assert.deepEqual(
      [await recordOf(registrar), await recordOf(other)],
      [first.body.data.id, second.body.data.id],
    )
    assert.deepEqual((await post('twice', mine)).body, first.body)
    assert.deepEqual((await post('twice', theirs, { as: other })).body, second.body)

    school.passSeconds(day / 2)
    const again = await post('twice', newStudent())
    assert.equal(again.status, 201, 'the key is new again')
    assert.equal(await recordOf(registrar), again.body.data.id)
    assert.deepEqual((await post('twice', theirs, { as: other })).body, second.body, 'and the other stays')

    school.passSeconds(day)
    assert.equal((await post('twice', newStudent())).status, 201)
    assert.equal(await recordOf(other), second.body.data.id, 'nobody touches a key of another')
  })

  it('is purged by housekeeping for the account alone whose day is over', async () => {
    const other = await school.person('registrar')
    const theirs = newStudent()
    await post('purged', newStudent())
    school.passSeconds(day / 2)
    const { body } = await post('purged', theirs, { as: other })
    school.passSeconds(day / 2)
    await keepHouse(school.db, () => school.now(), 7 * day)
    const left = (await keys()).filter(({ key }) => key === 'purged')
    assert.deepEqual(
      left.map(({ user_id }) => user_id),
      [other.id],
    )
    assert.deepEqual((await post('purged', theirs, { as: other })).body, body)
  })

  it('replays nothing to who may not create any more, or is logged out', async () => {
    const student = newStudent()
    const clerk = await school.person('registrar')
    assert.equal((await post('revoked', student, { as: clerk })).status, 201)
    await revokeAll(school, clerk)
    const refused = await post('revoked', student, { as: clerk })
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'])
    assert.ok(!('data' in refused.body))
    await school.post('/api/auth/logout', undefined, clerk)
    assert.equal((await post('revoked', student, { as: clerk })).status, 401)
  })

  it('replays nothing to who loses the right while the replay waits', async () => {
    const clerk = await school.person('registrar')
    const student = newStudent()
    assert.equal((await post('lost', student, { as: clerk })).status, 201)
    const { sessionUses } = school.app
    for (const body of [student, newStudent()]) {
      const { token } = (await school.login(clerk.email)).body.data
      const noted = sessionUses.size
      const replay = await write(school.db, byTest, async (tx) => {
        if (engine === 'postgres') await sql`lock table idempotency_keys`.execute(tx)
        const replay = post('lost', body, { as: { ...clerk, token } })
        while (sessionUses.size === noted) await tx.selectFrom('platform').select('id').execute()
        while (engine === 'postgres' && (await lockWaits(school.db)) === 0);
        await tx.deleteFrom('user_roles').where('user_id', '=', clerk.id).execute()
        return { replay }
      })
      const { status, body: problem, headers } = await replay.replay
      assert.deepEqual([status, problem.code], [403, 'permission_denied'])
      assert.deepEqual([problem.data, headers.location], [undefined, undefined])
      await write(school.db, byTest, (tx) =>
        insertGrant(tx, clerk.id, 'registrar', school.now().toISOString()),
      )
    }
  })

  it('holds for a day, and is purged by housekeeping after it', async () => {
    const student = newStudent()
    const { body } = await post('daily', student)
    const purge = () => keepHouse(school.db, () => school.now(), 7 * day)
    const isKept = async () => (await keys()).some(({ key }) => key === 'daily')
    school.passSeconds(day - 1)
    await purge()
    assert.deepEqual((await post('daily', student)).body, body)
    school.passSeconds(1)
    assert.equal((await post('daily', student)).body.code, 'admission_number_taken', 'the key is new again')
    assert.ok(await isKept(), 'a refused creation leaves all as it was')
    await purge()
    assert.ok(!(await isKept()))
    assert.equal((await post('daily', newStudent())).status, 201)
  })

  it('is purged in portions, however many there are', async () => {
    const created_at = school.now().toISOString()
    const ofPerson = { user_id: registrar.id, fingerprint: new Uint8Array(32), record_id: 1, created_at }
    await write(school.db, byTest, async (db) => {
      for (let from = 0; from < 2_500; from += 500) {
        const rows = Array.from({ length: 500 }, (_, i) => ({ ...ofPerson, key: `many-${from + i}` }))
        await db.insertInto('idempotency_keys').values(rows).execute()
      }
    })
    school.passSeconds(day)
    await keepHouse(school.db, () => school.now(), 7 * day)
    assert.deepEqual(await keys(), [])
  })

  it('keeps no body: only a keyed fingerprint and the id of what was created', async () => {
    const { body } = await post('kept', { ...newStudent(), name: 'Canary Bird' })
    const [row] = (await keys()).filter(({ key }) => key === 'kept')
    assert.deepEqual(Object.keys(row!).sort(), ['created_at', 'fingerprint', 'key', 'record_id', 'user_id'])
    assert.deepEqual([row!.record_id, row!.fingerprint.length], [body.data.id, 32])
  })

  const good = ['a', '"a b"', 'x'.repeat(255), `"${'y'.repeat(255)}"`, crypto.randomUUID(), 'a/b:c=d;e,f\\']
  it('may be any string of visible characters, in quotes or without', async () => {
    for (const key of good) assert.equal((await post(key, newStudent())).status, 201, key)
  })

  const bad = ['', '""', 'x'.repeat(256), 'a b', '"a', 'a"b', '"a"b"', 'ä', '"a", "b"']
  it('is refused when it is anything else, and nothing is created', async () => {
    assert.equal(
      await created(async () => {
        for (const key of bad) {
          const answer = await post(key, newStudent())
          assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_request'], key)
        }
      }),
      0,
    )
  })

  it('does not matter to a request that creates nothing', async () => {
    const before = await keys()
    const headers = { 'idempotency-key': 'read' }
    for (let i = 0; i < 2; i++)
      assert.equal((await school.send('GET', '/api/students', { as: registrar, headers })).status, 200)
    assert.deepEqual(await keys(), before)
  })
})

describe('the new Idempotency-Keys of an account', () => {
  it('are ten thousand at once, then as many a day; what has no key, an old one, or another account goes on', async () => {
    const school = await openSchool({ env: { TOKEN_TTL: String(7 * day) } })
    const [registrar, other] = [await school.person('registrar'), await school.person('registrar')]
    const student = (number: string) => ({ name: 'Ada', admission_number: number, class_id: 1 })
    const post = (key: string, as = registrar) =>
      school.send('POST', '/api/students', { as, body: student(key), headers: { 'idempotency-key': key } })
    const first = await post('first')
    assert.equal(first.status, 201)
    await write(school.db, byTest, (db) =>
      sql`update throttles set level = 9999 where key = ${`creation:${registrar.id}`}`.execute(db),
    )
    assert.equal((await post('last')).status, 201)
    const refused = await post('one-more')
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_attempts'])
    assert.equal(refused.headers['retry-after'], '9')
    assert.equal((await school.post('/api/students', student('no key'), registrar)).status, 201)
    assert.deepEqual((await post('first')).body, first.body)
    assert.equal((await post('of-another', other)).status, 201)

    school.passSeconds(9)
    assert.equal((await post('one-more')).status, 201, 'nothing was kept of it when it was refused')
    assert.equal((await post('yet-one-more')).status, 429)
    school.passSeconds(day)
    for (const key of ['a', 'b', 'c']) assert.equal((await post(key)).status, 201)
  })
})
