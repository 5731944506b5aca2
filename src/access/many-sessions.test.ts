// Measures times.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { insertSessions } from '../../test/session-rows.ts'
import { keepHouse } from '../cli/housekeeping.ts'
import { write } from '../events/write.ts'
import { instantAfter } from './clock.ts'
import { maxSessions, trimSessions } from './session-limit.ts'
import { insertSession } from './sessions.ts'

const sessionsOf = async (school: School, person: Person) =>
  (await school.get('/api/auth/sessions?per_page=1000', person)).body
const isAlive = async (school: School, token: string) =>
  (await school.get('/api/auth/me', token)).status === 200

async function logIn(school: School, { email }: Person): Promise<string> {
  const { status, body } = await school.login(email)
  assert.equal(status, 200)
  return body.data.token
}

/** So many living sessions, as a database of before may hold them. */
const insertMany = (school: School, person: Person, count: number) =>
  insertSessions(school, person, count, instantAfter(school.now(), 40_000_000))

describe('the sessions of an account', () => {
  it('are a hundred at most: a login ends the one that is longest unused, and no other', async () => {
    const school = await openSchool()
    const [person, other] = [await school.person(), await school.person()]
    const tokens = [person.token]
    for (let i = 1; i < 3; i++) {
      school.passSeconds(60)
      tokens.push(await logIn(school, person))
    }
    school.passSeconds(60)
    assert.ok(await isAlive(school, tokens[0]!), 'the oldest is used')
    await school.app.sessionUses.flush()
    school.passSeconds(60)
    for (let i = tokens.length; i < maxSessions; i++) {
      const key = crypto.getRandomValues(new Uint8Array(32))
      const [createdAt, expiresAt] = [school.now().toISOString(), instantAfter(school.now(), 3_600_000)]
      await write(school.db, byTest, (db) =>
        insertSession(db, { key, userId: person.id, createdAt, expiresAt }),
      )
    }
    assert.equal((await sessionsOf(school, other)).pagination.total, 1)
    assert.equal(await school.count('sessions'), maxSessions + 1)

    tokens.push(await logIn(school, person))
    const alive = []
    for (const token of tokens) alive.push(await isAlive(school, token))
    assert.deepEqual(alive, [true, false, true, true])
    assert.equal((await sessionsOf(school, person)).pagination.total, maxSessions)
    assert.ok(await isAlive(school, other.token))
  })

  it('are a hundred at most where four log in at once', async () => {
    const school = await openSchool()
    const person = await school.person()
    await insertMany(school, person, maxSessions - 1)
    const logins = await Promise.all(Array.from({ length: 4 }, () => school.login(person.email)))
    assert.ok(logins.some(({ status }) => status === 200)) // a busy machine sheds some
    assert.equal(await school.count('sessions'), maxSessions)
  })

  it('that a database of before holds by the ten thousand hold nobody up, and go in portions', async () => {
    const school = await openSchool()
    const person = await school.person()
    await insertMany(school, person, 20_000)
    const times: number[] = []
    for (let i = 0; i < 5; i++) {
      const began = performance.now()
      const { data, pagination } = await sessionsOf(school, person)
      times.push(performance.now() - began)
      assert.deepEqual([data.length, pagination.total], [maxSessions, maxSessions])
    }
    assert.ok(Math.min(...times) < 250, `the list took ${times} ms`)

    const now = school.now().toISOString()
    const before = await school.count('sessions')
    assert.equal(await write(school.db, byTest, (db) => trimSessions(db, person.id, now)), true)
    assert.equal(await school.count('sessions'), before - 1_000)
    await school.get('/api/auth/me', person)
    school.passSeconds(60)
    await school.get('/api/auth/me', person)
    await school.app.sessionUses.flush()
    await keepHouse(school.db, () => school.now(), 43_200)
    assert.equal(await school.count('sessions'), maxSessions)
    assert.ok(await isAlive(school, person.token), 'the one that is used stays')
  })

  it('end all at once, as many as they are, and are counted', async () => {
    const school = await openSchool()
    const person = await school.person()
    await insertMany(school, person, 5_000)
    const { status, body } = await school.send('DELETE', '/api/auth/sessions', { as: person })
    assert.deepEqual([status, body.data.ended_sessions], [200, 5_000])
    assert.equal(await school.count('sessions'), 1)
  })
})
