import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { openSession, openSessions, signToken } from '../../test/tokens.ts'
import { buildApp } from '../app.ts'
import { SessionUses, sessionsAtATime } from './session-uses.ts'

/** When the sessions of an account were last used, as the database has it, in order. */
const stored = async (school: School, { id }: Person) => {
  const rows = await school.db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
  return rows.map(({ last_used_at }) => last_used_at).sort()
}

const shownTo = async (school: School, as: Person | string): Promise<string | null> => {
  const { body } = await school.get('/api/auth/sessions', as)
  return body.data.find(({ current }: { current: boolean }) => current).last_used_at
}

const eight = (minutes: string) => `2026-09-01T08:${minutes}:00.000Z`

describe('when a session was last used', () => {
  it('is written in one go, to the minute, and is shown before it is written', async () => {
    const school = await openSchool()
    const [one, two] = [await school.person('viewer'), await school.person('viewer')]
    const idle = await school.person()
    school.passSeconds(61)
    for (const as of [one, two, one]) assert.equal((await school.get('/api/students', as)).status, 200)
    assert.deepEqual([await stored(school, one), await stored(school, two)], [[null], [null]])
    assert.equal(await shownTo(school, one), eight('01'))
    await school.app.sessionUses.flush()
    assert.deepEqual([await stored(school, one), await stored(school, two)], [[eight('01')], [eight('01')]])
    assert.deepEqual(await stored(school, idle), [null])
    school.passSeconds(58)
    await school.get('/api/auth/me', one)
    assert.equal(school.app.sessionUses.size, 0, 'within the minute nothing more is noted')
    school.passSeconds(1)
    await school.get('/api/auth/me', one)
    await school.app.sessionUses.flush()
    assert.deepEqual([await stored(school, one), await stored(school, two)], [[eight('02')], [eight('01')]])
  })

  it('counts every request that the session was good for, refused ones too, and none after its end', async () => {
    const school = await openSchool()
    const person = await school.person()
    school.passSeconds(60)
    assert.equal((await school.get('/api/students', person)).status, 403)
    await school.app.sessionUses.flush()
    assert.deepEqual(await stored(school, person), [eight('01')])
    const { header, claims, key } = await openSession(school, person)
    const forged = signToken(header, claims, 'another secret that is long enough to be one')
    const gone = signToken(header, { ...claims, jti: crypto.randomUUID() }, key.secret)
    for (const token of [forged, gone]) assert.equal((await school.get('/api/auth/me', token)).status, 401)
    assert.equal(school.app.sessionUses.size, 0)
    assert.deepEqual(await stored(school, person), [null, eight('01')].sort())
    school.passSeconds(60)
    await school.get('/api/auth/me', person)
    await school.send('POST', '/api/auth/logout', { as: person })
    const sessions = await school.count('sessions')
    await school.app.sessionUses.flush()
    assert.equal(await school.count('sessions'), sessions, 'what ended stays ended')
  })

  it('is written for very many sessions, and for all that are used while it is written', async () => {
    const school = await openSchool()
    const people: Person[] = []
    while (people.length < 12) people.push(await school.person())
    const count = sessionsAtATime + 100
    const holders = Array.from({ length: count }, (_, i) => people[i % people.length]!)
    const tokens = (await openSessions(school, holders)).map(({ header, claims, key }) =>
      signToken(header, claims, key.secret),
    )
    const use = async (tokens: readonly string[]) => {
      for (let i = 0; i < tokens.length; i += 20) {
        const answers = tokens.slice(i, i + 20).map((token) => school.get('/api/auth/me', token))
        for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
      }
    }
    await use(tokens)
    const flushing = [school.app.sessionUses.flush(), school.app.sessionUses.flush()]
    school.passSeconds(60)
    await use(tokens.slice(0, 100))
    await Promise.all(flushing)
    await school.app.sessionUses.flush()
    const instants = (await Promise.all(people.map((person) => stored(school, person)))).flat()
    const counts = Object.groupBy(instants, (instant) => String(instant))
    const shape = Object.fromEntries(Object.entries(counts).map(([instant, all]) => [instant, all!.length]))
    assert.deepEqual(shape, { [eight('00')]: sessionsAtATime, [eight('01')]: 100, null: people.length })
  })

  it('of two instances is the later instant, whichever writes last', async () => {
    const school = await openSchool()
    const person = await school.person()
    const { db } = school
    const { key } = await db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    const minute = Date.parse(eight('05')) / 60_000
    const token = {
      userId: person.id,
      sessionKey: key,
      use: 'bearer' as const,
      issuedAt: 0,
      expiresAt: 0,
      kid: '',
      notedMinute: 0,
    }
    const [one, other] = [new SessionUses(db), new SessionUses(db)]
    one.note({ ...token }, minute)
    other.note({ ...token }, minute - 2)
    other.note({ ...token }, minute - 3)
    await one.flush()
    await other.flush()
    assert.deepEqual(await stored(school, person), [eight('05')])
    one.note({ ...token }, minute + 1)
    other.note({ ...token }, minute + 2)
    await Promise.all([one.flush(), other.flush()])
    assert.deepEqual(await stored(school, person), [eight('07')])
  })

  it('is lost by no write that fails: it is logged, and written by the next', async () => {
    const school = await openSchool()
    const person = await school.person()
    const { db } = school
    let broken = true
    const failing = new Proxy(db, {
      get: (target, name) => {
        if (name === 'transaction' && broken) throw new Error('the disk is full')
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const uses = new SessionUses(failing)
    const { key } = await db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    const token = {
      userId: person.id,
      sessionKey: key,
      use: 'bearer' as const,
      issuedAt: 0,
      expiresAt: 0,
      kid: '',
      notedMinute: 0,
    }
    uses.note(token, Date.parse(eight('05')) / 60_000)
    await assert.rejects(uses.flush(), /disk is full/)
    assert.equal(uses.size, 1)
    broken = false
    await uses.flush()
    assert.deepEqual([uses.size, await stored(school, person)], [0, [eight('05')]])
  })

  it('is written when the server stops', async () => {
    const school = await openSchool()
    const person = await school.person()
    school.passSeconds(60)
    await school.get('/api/auth/me', person)
    await school.app.close()
    assert.deepEqual(await stored(school, person), [eight('01')])
  })

  it('keeps no server from stopping whose database is gone', async () => {
    const school = await openSchool()
    const person = await school.person()
    const log: string[] = []
    const app = await buildApp({
      config: school.config,
      db: school.db,
      clock: () => school.now(),
      logStream: { write: (line) => void log.push(line) },
    })
    await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${person.token}` } })
    await school.app.close()
    await school.db.destroy()
    await app.close()
    assert.equal(log.filter((line) => /last used could not be written/.test(line)).length, 1)
  })
})
