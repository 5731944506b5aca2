import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { openSession, openSessions, signToken, withSpareBitsEdited } from '../../test/tokens.ts'
import { buildApp } from '../app.ts'
import { keepHouse } from '../cli/housekeeping.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { write } from '../events/write.ts'
import { builtInRoles } from './permissions.ts'
import { deleteSpentKeys, findSigningKeys, insertSigningKey } from './signing-keys.ts'
import { createTokens } from './tokens.ts'

const me = async (school: School, as: Person | string) => (await school.get('/api/auth/me', as)).status
const logout = (school: School, as: Person | string) => school.send('POST', '/api/auth/logout', { as })
const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid

describe('POST /api/auth/logout', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  it('ends the session whose token is presented, and answers so', async () => {
    const person = await school.person()
    const sessions = await school.count('sessions')
    const answer = await logout(school, person)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { success: true, message: 'Logged out' })
    assert.equal(await school.count('sessions'), sessions - 1)
    assert.equal(await me(school, person), 401)
  })

  it('is 401 the second time, and without a token', async () => {
    const person = await school.person()
    assert.equal((await logout(school, person)).status, 200)
    assert.equal((await logout(school, person)).body.code, 'token_invalid')
    assert.equal((await school.send('POST', '/api/auth/logout')).body.code, 'token_missing')
  })

  it('leaves the other sessions of the account, and those of others, alone', async () => {
    const [person, other] = [await school.person(), await school.person()]
    const { token: elsewhere } = (await school.login(person.email)).body.data
    await logout(school, person)
    assert.equal(await me(school, elsewhere), 200)
    assert.equal(await me(school, other), 200)
    assert.equal((await school.login(person.email)).status, 200, 'and the account can log in again')
  })

  it('leaves no other spelling of the token alive', async () => {
    const person = await school.person()
    assert.equal(await me(school, person), 200)
    await logout(school, person)
    const spellings = [
      ...withSpareBitsEdited(person.token),
      `${person.token}=`,
      `${person.token} `,
      `${person.token}.`,
    ]
    for (const spelling of spellings) assert.equal(await me(school, spelling), 401)
    for (const spelling of spellings) assert.equal((await logout(school, spelling)).status, 401)
  })

  it('takes whatever body clients send with it', async () => {
    const bodies: [type: string | undefined, payload: string | undefined][] = [
      [undefined, undefined],
      [undefined, ''],
      ['application/json', ''],
      ['application/json', 'null'],
      ['application/json', '[]'],
      ['application/json', '{}'],
      ['application/json', '{'],
      ['application/x-www-form-urlencoded', ''],
      ['application/x-www-form-urlencoded', 'a=b'],
      ['multipart/form-data', 'x'],
      ['nonsense', 'x'],
    ]
    for (const [type, payload] of bodies) {
      const as = await school.person()
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await school.send('POST', '/api/auth/logout', {
        as,
        headers,
        ...(payload !== undefined && { payload }),
      })
      assert.equal(answer.status, 200, `${type} ${payload}`)
      assert.equal(await me(school, as), 401)
    }
  })

  it('of many at once, lets one end the session', async () => {
    const person = await school.person()
    const answers = await Promise.all(Array.from({ length: 32 }, () => logout(school, person)))
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal(statuses.filter((status) => status === 401).length, 31)
  })

  it('once answered, lets not one of the requests that start after it through', async () => {
    for (let round = 0; round < 4; round++) {
      const person = await school.person('viewer')
      let loggedOut = false
      const late: Promise<number>[] = []
      const before: Promise<number>[] = []
      const ask = () => school.get('/api/students', person).then(({ status }) => status)
      for (let i = 0; i < 50; i++) before.push(ask())
      const done = logout(school, person).then(() => {
        loggedOut = true
      })
      for (let i = 0; i < 150; i++) {
        if (i % 10 === 9) await new Promise((resolve) => setImmediate(resolve))
        ;(loggedOut ? late : before).push(ask())
      }
      await done
      for (let i = 0; i < 20; i++) late.push(ask())
      assert.deepEqual(new Set(await Promise.all(late)), new Set([401]))
      assert.ok((await Promise.all(before)).every((status) => status === 200 || status === 401))
    }
  })

  it('holds after a restart: the dead stay dead, the living live', async () => {
    const own = await openSchool()
    const [dead, alive] = [await own.person(), await own.person()]
    await logout(own, dead)
    await own.app.close()
    await own.db.destroy()
    const db = await openDatabase(own.databaseUrl)
    const app = await buildApp({ config: own.config, db, clock: () => own.now(), logStream: { write() {} } })
    const status = async (token: string) =>
      (await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode
    assert.equal(await status(dead.token), 401)
    for (const spelling of withSpareBitsEdited(dead.token)) assert.equal(await status(spelling), 401)
    assert.equal(await status(alive.token), 200)
    await app.close()
    await db.destroy()
  })
})

describe('sessions', () => {
  it('answer each of hundreds of tokens with its own account', async () => {
    const school = await openSchool()
    const people: Person[] = []
    while (people.length < 15) people.push(await school.person())
    const holders = people.flatMap((person) => Array<Person>(20).fill(person))
    const held = (await openSessions(school, holders)).map(({ header, claims, key }) => ({
      id: Number(claims.sub),
      token: signToken(header, claims, key.secret),
    }))
    const calls = [...held, ...held]
      .map((holder) => ({ holder, at: Math.random() }))
      .sort((a, b) => a.at - b.at)
    for (let i = 0; i < calls.length; i += 100) {
      await Promise.all(
        calls.slice(i, i + 100).map(async ({ holder: { id, token } }) => {
          const answer = await school.get('/api/auth/me', token)
          assert.deepEqual([answer.status, answer.body.data.id], [200, id])
        }),
      )
    }
  })

  it('are kept by a hash of the jti: the database holds nothing that can be presented', async () => {
    const school = await openSchool()
    const { token } = await school.person()
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    const [row] = await school.db.selectFrom('sessions').selectAll().execute()
    assert.equal(row!.key.length, 32)
    assert.ok(!JSON.stringify(row).includes(jti) && !Buffer.from(row!.key).toString('latin1').includes(jti))
  })

  it('end for good when they expire, and housekeeping removes them', async () => {
    const school = await openSchool({ env: { TOKEN_TTL: '600' } })
    const first = await school.person()
    school.passSeconds(590)
    const second = await school.person()
    school.passSeconds(10)
    assert.equal(await me(school, first), 401)
    assert.equal(await me(school, second), 200)
    await keepHouse(school.db, () => school.now(), 600)
    assert.equal(await school.count('sessions'), 1)
    assert.equal(await me(school, second), 200)
  })
})

describe('GET /api/auth/me', () => {
  it('tells who is logged in and what they may do, and nothing else', async () => {
    const school = await openSchool()
    const table = { ...builtInRoles, none: [] }
    for (const role of ['administrator', 'registrar', 'viewer', 'none'] as const) {
      const person = await school.person(role)
      const answer = await school.get('/api/auth/me', person)
      assert.deepEqual(answer.body, {
        success: true,
        data: {
          id: person.id,
          name: `Person ${person.id}`,
          email: person.email,
          password_change_required: false,
          roles: role === 'none' ? [] : [role],
          permissions: [...table[role]].sort(),
          scopes: [],
        },
      })
    }
  })
})

describe('signing keys', () => {
  const rotate = async (school: School) => {
    school.passSeconds(1)
    return write(school.db, byTest, (db) => insertSigningKey(db, school.now().toISOString()))
  }

  it('rotate while the server runs: new tokens are signed by the new key, old ones live until their end', async () => {
    const school = await openSchool({ env: { TOKEN_TTL: '600' } })
    const old = await school.person()
    const kid = await rotate(school)
    const { token } = (await school.login(old.email)).body.data
    assert.notEqual(kidOf(old.token), kid)
    assert.equal(kidOf(token), kid)
    assert.equal(await me(school, old), 200)
    assert.equal(await me(school, token), 200)
    school.passSeconds(598)
    await keepHouse(school.db, () => school.now(), 600)
    assert.equal((await findSigningKeys(school.db)).length, 2, 'a token of the old key may still live')
    assert.equal(await me(school, old), 200)
    school.passSeconds(3)
    await keepHouse(school.db, () => school.now(), 600)
    assert.deepEqual(
      (await findSigningKeys(school.db)).map((key) => key.kid),
      [kid],
    )
    assert.equal(await me(school, old), 401)
    assert.equal((await school.login(old.email)).status, 200)
  })

  it('are never removed while they sign, however old', async () => {
    const school = await openSchool()
    school.passSeconds(365 * 86_400)
    await write(school.db, byTest, (db) => deleteSpentKeys(db, school.now().toISOString()))
    assert.equal((await findSigningKeys(school.db)).length, 1)
    await rotate(school)
    await rotate(school)
    school.passSeconds(1)
    await write(school.db, byTest, (db) => deleteSpentKeys(db, school.now().toISOString()))
    assert.equal((await findSigningKeys(school.db)).length, 1)
    const person = await school.person()
    assert.equal(await me(school, person), 200)
  })

  it('kill every token they signed when they are removed, the remembered ones too', async () => {
    const school = await openSchool()
    const old = await school.person()
    assert.equal(await me(school, old), 200)
    await rotate(school)
    await write(school.db, byTest, (db) =>
      db.deleteFrom('signing_keys').where('kid', '=', kidOf(old.token)).execute(),
    )
    const fresh = (await school.login(old.email)).body.data.token
    assert.equal(await me(school, old), 401)
    assert.equal(await me(school, fresh), 200)
  })

  it('are made anew on each platform, at 256 bits', async () => {
    const [one, two] = [await openSchool(), await openSchool()]
    const [[a], [b]] = [await findSigningKeys(one.db), await findSigningKeys(two.db)]
    assert.equal(a!.secret.length, 32)
    assert.notDeepEqual(a, b)
    assert.equal(await me(two, await one.person()), 401, "one platform's token is nothing on another")
  })
})

describe('TOKEN_SECRET', () => {
  const secret = 'a secret of more than thirty-two bytes'

  it('signs and verifies instead of the stored keys, the same on every instance', async () => {
    const school = await openSchool({ env: { TOKEN_SECRET: secret } })
    const { token, id } = await school.person()
    assert.equal(await me(school, token), 200)
    const { header, claims, key } = await openSession(school, { id })
    assert.equal(await me(school, signToken(header, claims, key.secret)), 401, 'a stored key signs nothing')
    assert.equal(await me(school, signToken({ ...header, kid: kidOf(token) }, claims, secret)), 200)
    assert.ok(!kidOf(token).includes(secret))

    const parts = { db: school.db, ttlSeconds: 600 }
    const now = school.now().getTime()
    assert.equal((await createTokens({ ...parts, secret }).verify(token, now))?.userId, id)
    assert.equal(await createTokens({ ...parts, secret: `${secret}!` }).verify(token, now), undefined)
  })

  it('is refused when it is short', () => {
    assert.throws(() => readConfig({ TOKEN_SECRET: 'x'.repeat(31) }), /TOKEN_SECRET is too short/)
    assert.equal(readConfig({ TOKEN_SECRET: 'x'.repeat(32) }).tokenSecret, 'x'.repeat(32))
  })
})
