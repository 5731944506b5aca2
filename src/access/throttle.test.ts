import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { hashCheaply } from '../../test/cheap-hash.ts'
import { type Answer, byTest, openSchool, type Person, password, type School } from '../../test/school.ts'
import { buildApp } from '../app.ts'
import { logIn } from '../auth/login.ts'
import { write } from '../events/write.ts'
import { HashingLine } from '../users/hashing-line.ts'
import { deleteOldCounters } from './counters.ts'
import { checkLogin, countLogin } from './throttle.ts'
import { createTokens } from './tokens.ts'

const day = 86_400

describe('the limit on logins', () => {
  let school: School
  let person: Person
  let email: string
  const start = Date.parse('2026-09-01T08:00:00.000Z')
  before(async () => {
    school = await openSchool()
  })
  beforeEach(async () => {
    school.passSeconds((start - school.now().getTime()) / 1000)
    await write(school.db, byTest, (db) => db.deleteFrom('throttles').execute())
    await useNewPerson()
    await hashCheaply(school, person)
  })

  async function useNewPerson(): Promise<void> {
    person = await school.person()
    email = person.email
  }

  const tryFrom = (from: string, typed = 'wrong password', address = email, headers = {}) =>
    school.send('POST', '/api/auth/login', { body: { email: address, password: typed }, from, headers })
  const wrong = (from = '192.0.2.1') => tryFrom(from)
  const right = (from = '192.0.2.1') => tryFrom(from, password)

  /** Fails until the next try must wait. */
  async function failTenTimes(from = '192.0.2.1', address = email): Promise<void> {
    for (let i = 0; i < 10; i++) {
      const answer = await tryFrom(from, 'wrong password', address)
      assert.equal(answer.status, 401, `failure ${i + 1}: ${answer.text}`)
    }
  }

  function mustWait(answer: Answer, seconds: number): void {
    assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_attempts'])
    assert.equal(answer.headers['retry-after'], String(seconds))
  }

  /** Writes the state that many failures would have left. */
  async function setCounters(keyPattern: string, level: number): Promise<void> {
    const updated_at = school.now().toISOString()
    const { numUpdatedRows } = await write(school.db, byTest, (db) =>
      db
        .updateTable('throttles')
        .set({ level, updated_at, blocked_until: updated_at })
        .where('key', 'like', keyPattern)
        .executeTakeFirst(),
    )
    assert.ok(numUpdatedRows > 0n)
  }

  it('lets ten failures pass, and the right password after them', async () => {
    await failTenTimes()
    assert.equal((await right()).status, 200)
  })

  it('then asks to wait 1 s, and twice as long after each failure, up to 15 minutes', async () => {
    await failTenTimes()
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]) {
      assert.equal((await wrong()).status, 401)
      mustWait(await wrong(), seconds)
      mustWait(await right(), seconds)
      school.passSeconds(seconds - 0.5)
      mustWait(await right(), 1)
      school.passSeconds(0.5)
    }
    assert.equal((await right()).status, 200, 'after the wait the right password works')
  })

  it('counts no refused try, and lengthens no wait for it', async () => {
    await failTenTimes()
    await wrong()
    for (let i = 0; i < 30; i++) mustWait(await wrong(), 1)
    school.passSeconds(1)
    await wrong()
    mustWait(await wrong(), 2)
  })

  it('forgets the failures at a success', async () => {
    await failTenTimes()
    await wrong()
    school.passSeconds(1)
    assert.equal((await right()).status, 200)
    await hashCheaply(school, person)
    await failTenTimes()
    assert.equal((await right()).status, 200)
  })

  it('forgets them after a day without failures, and not sooner', async () => {
    await failTenTimes()
    await wrong()
    school.passSeconds(day - 60)
    assert.equal((await wrong()).status, 401)
    mustWait(await wrong(), 2)
    school.passSeconds(day + 60)
    await failTenTimes()
  })

  it('treats an account that does not exist as one that does', async () => {
    const answers: Record<string, unknown>[][] = []
    for (const address of [email, 'nobody@school.example']) {
      const seen: Record<string, unknown>[] = []
      for (let i = 0; i < 13; i++) {
        const { status, headers, body } = await tryFrom('192.0.2.1', 'wrong password', address)
        const { 'x-request-id': _id, date: _date, ...others } = headers
        seen.push({ status, others, body: { ...body, request_id: undefined } })
      }
      answers.push(seen)
    }
    assert.deepEqual(answers[0], answers[1])
    assert.equal(answers[1]!.filter(({ status }) => status === 429).length, 2)
  })

  it('leaves the owner elsewhere alone: a hundred failures from a hundred addresses lock nobody out', async () => {
    await failTenTimes()
    await wrong()
    mustWait(await right(), 1)
    assert.equal((await right('192.0.2.2')).status, 200)
    await hashCheaply(school, person)
    for (let i = 0; i < 100; i++) assert.equal((await wrong(`198.51.100.${i}`)).status, 401)
    mustWait(await right(), 1)
    mustWait(await right('192.0.2.3'), 1)
    school.passSeconds(1)
    assert.equal((await right('192.0.2.3')).status, 200)
  })

  it('leaves other accounts at the same address alone', async () => {
    await failTenTimes()
    await wrong()
    const neighbour = await school.person()
    assert.equal((await tryFrom('192.0.2.1', password, neighbour.email)).status, 200)
  })

  it('takes an IPv6 network of /64 for one client, and an IPv4 address in IPv6 clothes for itself', async () => {
    await failTenTimes('2001:db8:0:1::1')
    await wrong('2001:db8:0:1:ffff::2')
    mustWait(await wrong('2001:DB8::1:a:b:c:d'), 1)
    assert.equal((await wrong('2001:db8:0:2::1')).status, 401)
    await failTenTimes('192.0.2.1')
    await wrong('::ffff:192.0.2.1')
    mustWait(await wrong('192.0.2.1'), 1)
    assert.equal((await wrong('::ffff:192.0.2.2')).status, 401)
  })

  it('is not escaped by other spellings, headers, doors or fields', async () => {
    await failTenTimes()
    await wrong()
    const body = { email, password }
    const post = (url: string, given: unknown = body, headers = {}) =>
      school.send('POST', url, { body: given, from: '192.0.2.1', headers })
    const doors: [what: string, answer: Answer][] = [
      ['capitals', await post('/api/auth/login', { ...body, email: email.toUpperCase() })],
      ['outer space', await post('/api/auth/login', { ...body, email: `  ${email}\n` })],
      ['order of members', await post('/api/auth/login', { password, email })],
      ['X-Forwarded-For', await post('/api/auth/login', body, { 'x-forwarded-for': '203.0.113.9' })],
      ['Forwarded', await post('/api/auth/login', body, { forwarded: 'for=203.0.113.9' })],
      ['X-Real-IP', await post('/api/auth/login', body, { 'x-real-ip': '203.0.113.9' })],
      ['Host', await post('/api/auth/login', body, { host: 'other.example' })],
      ['User-Agent', await post('/api/auth/login', body, { 'user-agent': 'another' })],
      ['a closing slash', await post('/api/auth/login/')],
      ['doubled slashes', await post('//api//auth//login')],
      ['percent-encoding', await post('/api/auth/%6cogin')],
      ['a query', await post('/api/auth/login?_=1')],
      ['an absolute target', await post('http://localhost/api/auth/login')],
      [
        'a charset',
        await post('/api/auth/login', body, { 'content-type': 'application/json; charset=utf-8' }),
      ],
      ['a token', await post('/api/auth/login', body, { authorization: `Bearer ${person.token}` })],
    ]
    for (const [what, answer] of doors) assert.equal(answer.status, 429, `${what}: ${answer.text}`)
  })

  it('lets 300 failures in 10 minutes come from one address, whatever the accounts', async () => {
    await wrong()
    await setCounters('login-address:%', 298)
    assert.equal((await tryFrom('192.0.2.1', 'x', 'a@b')).status, 401)
    assert.equal((await tryFrom('192.0.2.1', 'x', 'c@d')).status, 401, 'the three-hundredth')
    mustWait(await tryFrom('192.0.2.1', 'x', 'e@f'), 2)
    mustWait(await right(), 2)
    assert.equal((await right('192.0.2.2')).status, 200, 'the owner elsewhere gets in')
    school.passSeconds(2)
    assert.equal((await right()).status, 200)
    assert.equal((await right()).status, 200, 'a success counts nothing')
    assert.equal((await tryFrom('192.0.2.1', 'x', 'g@h')).status, 401)
    mustWait(await tryFrom('192.0.2.1', 'x', 'i@j'), 2)
    school.passSeconds(600)
    for (let i = 0; i < 20; i++) assert.equal((await tryFrom('192.0.2.1', 'x', `k${i}@l`)).status, 401)
  })

  it("tells the address's wait where the account must wait too, whichever was counted first", async () => {
    await wrong()
    const counted = await school.db.selectFrom('throttles').selectAll().execute()
    const blocked_until = new Date(school.now().getTime() + 64_000).toISOString()
    const counters = counted.map((counter) =>
      counter.key.startsWith('login-address:')
        ? { ...counter, level: 300 }
        : { ...counter, level: 17, blocked_until },
    )
    const count = await checkLogin(school.db, { email, address: '192.0.2.1' }, school.now())
    for (const ordered of [counters, counters.toReversed()]) {
      await write(school.db, byTest, async (db) => {
        await db.deleteFrom('throttles').execute()
        for (const counter of ordered) await db.insertInto('throttles').values(counter).execute()
      })
      mustWait(await right(), 2)
      const counting = write(school.db, byTest, (db) => countLogin(db, count, school.now()))
      await assert.rejects(counting, { code: 'too_many_attempts', headers: { 'Retry-After': '2' } })
    }
    school.passSeconds(2)
    mustWait(await right(), 62)
  })

  it('lets of a hundred guesses at once no more reach the hash than are free, and the right one among them waits', async () => {
    await useNewPerson()
    const guesses = Array.from({ length: 100 }, (_, i) => tryFrom('192.0.2.1', `guess number ${i}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 401).length, 11, String(statuses))
    assert.equal(statuses.filter((status) => status === 429).length, 89)
    mustWait(await right(), 1)
  })

  it('gives no token to a right password that comes after the lock, in parallel with wrong ones', async () => {
    await useNewPerson()
    await failTenTimes()
    await wrong()
    const sessions = await school.count('sessions')
    const answers = await Promise.all(Array.from({ length: 32 }, (_, i) => (i % 2 ? right() : wrong())))
    assert.ok(answers.every(({ status }) => status === 429))
    assert.equal(await school.count('sessions'), sessions)
  })

  for (const slots of [1, 3, 10]) {
    it(`locks nobody out for fifteen right logins at once, when ${slots} hash at a time`, async () => {
      await useNewPerson()
      const { db, config } = school
      const clock = () => school.now()
      const tokens = createTokens({ db, ttlSeconds: config.tokenTtlSeconds, secret: undefined })
      const parts = { db, tokens, clock, hashingLine: new HashingLine({ slots }), tokenTtlSeconds: 60 }
      const attempt = { email, address: '192.0.2.1' }
      const logins = await Promise.allSettled(
        Array.from({ length: 15 }, () => logIn(parts, byTest, attempt, password)),
      )
      const faults = logins.flatMap((login) => (login.status === 'rejected' ? [login.reason.code] : []))
      // On a machine that is slow just now the line may be full for some; locked out is nobody.
      for (const fault of faults) assert.equal(fault, 'overloaded')
      await hashCheaply(school, person)
      await failTenTimes()
      assert.equal((await right()).status, 200)
    })
  }

  it('survives a restart', async (t) => {
    const shared = school
    t.after(() => {
      school = shared
    })
    school = await openSchool()
    await useNewPerson()
    await hashCheaply(school, person)
    await failTenTimes()
    await wrong()
    await school.app.close()
    const { config, db } = school
    const app = await buildApp({ config, db, clock: () => school.now(), logStream: { write() {} } })
    const login = (typed: string) =>
      app.inject({
        method: 'POST',
        url: '/api/auth/login',
        body: { email, password: typed },
        remoteAddress: '192.0.2.1',
      })
    assert.equal((await login(password)).statusCode, 429)
    school.passSeconds(1)
    assert.equal((await login(password)).statusCode, 200)
    await app.close()
  })

  describe('when the clock steps', () => {
    const steps: [what: string, seconds: number][] = [
      ['two hours back', -7200],
      ['five minutes back', -300],
      ['ten years back', -3650 * day],
      ['two hours on', 7200],
      ['ten years on', 3650 * day],
    ]
    for (const [what, seconds] of steps) {
      it(`${what}, locks nobody out for longer than the wait was`, async () => {
        await failTenTimes()
        await wrong()
        mustWait(await right(), 1)
        await setCounters('login-address:%', 300)
        mustWait(await right(), 2)
        school.passSeconds(seconds)
        school.passSeconds(2)
        assert.equal((await right()).status, 200)
      })
    }

    it('on by ten years and back, leaves no counter behind for good', async () => {
      school.passSeconds(3650 * day)
      await failTenTimes()
      await wrong()
      school.passSeconds(-3650 * day)
      assert.equal((await right()).status, 200)
      await write(school.db, byTest, (db) => deleteOldCounters(db, school.now()))
      const rows = await school.db.selectFrom('throttles').select('updated_at').execute()
      assert.ok(
        rows.every(({ updated_at }) => updated_at.startsWith('2026')),
        JSON.stringify(rows),
      )
    })
  })

  it('keeps no address of an account in the database', async () => {
    await wrong()
    const rows = await school.db.selectFrom('throttles').selectAll().execute()
    assert.equal(rows.length > 1, true)
    assert.ok(!JSON.stringify(rows).includes(email))
  })
})

describe('the purge of counters', () => {
  it('removes those of more than a day ago, and no younger one', async () => {
    const school = await openSchool()
    const fail = (from: string) =>
      school.send('POST', '/api/auth/login', { body: { email: 'a@b', password: 'x' }, from })
    await fail('192.0.2.1')
    school.passSeconds(3600)
    await fail('192.0.2.2')
    school.passSeconds(day - 1800)
    await write(school.db, byTest, (db) => deleteOldCounters(db, school.now()))
    const keys = (await school.db.selectFrom('throttles').select('key').execute()).map(({ key }) => key)
    assert.equal(keys.length, 3, 'of an address, of an account from it, and of the account')
    assert.ok(keys.includes('login-address:192.0.2.2') && !keys.includes('login-address:192.0.2.1'))
  })

  it('goes in portions, so that others write in between, and spares the counters of those who wait', async () => {
    const school = await openSchool()
    const { email } = await school.person()
    assert.equal((await school.login(email)).status, 200)
    const from = '192.0.2.1'
    const fail = () => school.send('POST', '/api/auth/login', { body: { email, password: 'x' }, from })
    school.passSeconds(day)
    for (let i = 0; i < 11; i++) assert.equal((await fail()).status, 401)
    const old = new Date(school.now().getTime() - 2 * day * 1000).toISOString()
    await write(school.db, byTest, async (db) => {
      const row = (i: number) => ({ key: `login:${i}`, level: 1, blocked_until: old, updated_at: old })
      for (let i = 0; i < 5; i++)
        await db
          .insertInto('throttles')
          .values(Array.from({ length: 500 }, (_, j) => row(500 * i + j)))
          .execute()
    })
    const purge = () => write(school.db, byTest, (db) => deleteOldCounters(db, school.now()))
    const left: number[] = []
    for (let more = true; more; left.push(await school.count('throttles'))) more = await purge()
    assert.deepEqual(left, [1504, 504, 4])
    assert.equal((await fail()).status, 429)
  })
})
