import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { hash } from '@node-rs/argon2'
import { type Answer, byTest, openSchool, type Person, password, type School } from '../../test/school.ts'
import { createTokens } from '../access/tokens.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { type Asker, HashingLine } from '../users/hashing-line.ts'
import { hashPassword } from '../users/passwords.ts'
import { updateDisabled, updatePasswordHash } from '../users/queries.ts'
import { logIn } from './login.ts'

/** An answer's text and headers, without what names the single request. */
function sameForAll({ status, headers, body }: Answer) {
  const { 'x-request-id': _id, date: _date, ...others } = headers
  return { status, others, body: { ...body, request_id: undefined } }
}

async function setPasswordHash(school: School, { id }: Person, password_hash: string): Promise<void> {
  await write(school.db, byTest, (db) =>
    db.updateTable('users').set({ password_hash }).where('id', '=', id).execute(),
  )
}

describe('POST /api/auth/login', () => {
  let school: School
  let person: Person
  before(async () => {
    school = await openSchool()
    person = await school.person()
  })

  it('answers a token with its type and lifetime, and who logged in, and nothing else', async () => {
    const sessions = await school.count('sessions')
    const answer = await school.login(person.email)
    assert.equal(answer.status, 200)
    const { token } = answer.body.data
    assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]{43}$/)
    assert.deepEqual(answer.body, {
      success: true,
      data: {
        token,
        token_type: 'Bearer',
        expires_in: 43_200,
        user: { id: person.id, name: 'Person 1', email: person.email, password_change_required: false },
      },
    })
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(await school.count('sessions'), sessions + 1)
    assert.equal((await school.get('/api/auth/me', token)).status, 200)
  })

  it('puts nothing into the token but whose it is and how long', async () => {
    const [header, claims] = person.token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    assert.deepEqual(Object.keys(JSON.parse(header!)).sort(), ['alg', 'kid', 'typ'])
    assert.deepEqual(Object.keys(JSON.parse(claims!)).sort(), ['aud', 'exp', 'iat', 'iss', 'jti', 'sub'])
    const { iat, exp, sub } = JSON.parse(claims!)
    assert.deepEqual([exp - iat, sub], [43_200, String(person.id)])
  })

  it('finds the account however its address is written', async () => {
    for (const email of [person.email.toUpperCase(), `  ${person.email}\t`, person.email.replace('p', 'P')]) {
      assert.equal((await school.login(email)).body.data.user.id, person.id)
    }
  })

  it('answers alike for an unknown address, a wrong password and a disabled account', async () => {
    const disabled = await school.person('administrator')
    await write(school.db, byTest, (db) => updateDisabled(db, disabled.id, true, school.now().toISOString()))
    const sessions = await school.count('sessions')
    const answers = await Promise.all([
      school.login(person.email, 'wrong password'),
      school.login('nobody@school.example', 'wrong password'),
      school.login('nobody@school.example', password),
      school.login('not even an address', password),
      school.login('ünknown@schüle.example', password),
      school.login(`${'x'.repeat(10_000)}@school.example`, password),
      school.login(disabled.email, password),
      school.login(disabled.email, 'wrong password'),
      school.login(person.email, 'x'),
      school.login(person.email, `${password} `),
      school.login(person.email, `${password}\0`),
      school.login(person.email, `${password}\ud800`),
      school.login(person.email, password.toUpperCase()),
      school.login(person.email, 'x'.repeat(257)),
      school.login(person.email, '🐙'.repeat(10_000)),
    ])
    const [first, ...others] = answers.map(sameForAll)
    assert.deepEqual([first!.status, first!.body.code], [401, 'invalid_credentials'])
    for (const other of others) assert.deepEqual(other, first)
    assert.equal(await school.count('sessions'), sessions, 'nobody got a session')
  })

  describe('compares the whole password', () => {
    const passwords: [what: string, stored: string, typed: string, wrong: string][] = [
      ['64 characters', 'a'.repeat(64), 'a'.repeat(64), `${'a'.repeat(63)}b`],
      ['128 characters', 'a'.repeat(128), 'a'.repeat(128), `${'a'.repeat(127)}b`],
      ['256 characters', 'a'.repeat(256), 'a'.repeat(256), `${'a'.repeat(255)}b`],
      ['behind a NUL', 'before\0after', 'before\0after', 'before\0other'],
      ['emoji', '🐙🦑🦐🦞🦀🐡🐠🐟', '🐙🦑🦐🦞🦀🐡🐠🐟', '🐙🦑🦐🦞🦀🐡🐠🐬'],
      ['composed, typed decomposed', 'p\u00e4ssw\u00f6rter', 'pa\u0308sswo\u0308rter', 'passworter'],
      ['decomposed, typed composed', 'pa\u0308sswo\u0308rter', 'p\u00e4ssw\u00f6rter', 'passworter'],
      ['Korean, typed in jamo', '한글비밀번호예요', '한글비밀번호예요'.normalize('NFD'), '한글비밀번호예여'],
      ['with outer space', ' eight ch ', ' eight ch ', 'eight ch'],
    ]
    for (const [i, [what, stored, typed, wrong]] of passwords.entries()) {
      it(what, async () => {
        const email = `compare${i}@school.example`
        await school.post('/api/auth/register', { name: 'A', email, password: stored })
        assert.equal((await school.login(email, typed)).status, 200)
        assert.equal((await school.login(email, wrong)).status, 401)
      })
    }
  })

  it('makes an older, weaker hash anew at the next right login, and at no wrong one', async () => {
    const old = await school.person()
    const weaker = await hash(password, { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await setPasswordHash(school, old, weaker)
    const stored = async () =>
      (await school.db.selectFrom('users').selectAll().where('id', '=', old.id).executeTakeFirstOrThrow())
        .password_hash
    assert.equal((await school.login(old.email, 'wrong password')).status, 401)
    assert.equal(await stored(), weaker)
    assert.equal((await school.login(old.email)).status, 200)
    const renewed = await stored()
    assert.match(renewed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal((await school.login(old.email)).status, 200)
    assert.equal(await stored(), renewed, 'a hash of today stays')
    assert.equal((await school.get('/api/auth/me', old)).status, 200, 'the sessions live on')
  })

  describe('answers 401, never 500, when the stored hash is one that this server never made', () => {
    let school: School
    before(async () => {
      school = await openSchool()
    })
    const hashes = [
      '',
      'plain text',
      '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW',
      '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '$argon2id$v=16$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '$argon2id$v=19$m=19456,t=4000,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '$argon2id$v=19$m=19456,t=2,p=200$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '$argon2id$v=19$m=1,t=0,p=4$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$AAAA',
      '$argon2id$v=19$m=19456,t=2,p=1$c2Fs$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$!!!!',
      '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ]
    for (const stored of hashes) {
      it(`such as "${stored}"`, async () => {
        const person = await school.person()
        await setPasswordHash(school, person, stored)
        const begun = performance.now()
        const { status, body } = await school.login(person.email)
        assert.deepEqual([status, body.code], [401, 'invalid_credentials'])
        assert.ok(performance.now() - begun < 10_000) // 4 GiB or 4 000 rounds take longer
      })
    }
  })

  describe('says what is wrong with a body, and asks for no hash', () => {
    const cases: [what: string, body: unknown, faults: Record<string, string>][] = [
      ['nothing in it', {}, { '/email': 'required', '/password': 'required' }],
      ['no password', { email: 'a@b' }, { '/password': 'required' }],
      ['empty strings', { email: '', password: '' }, { '/email': 'too_short', '/password': 'too_short' }],
      ['null', { email: null, password: null }, { '/email': 'wrong_type', '/password': 'wrong_type' }],
      ['numbers', { email: 1, password: 12345678 }, { '/email': 'wrong_type', '/password': 'wrong_type' }],
      [
        'operators',
        { email: { $gt: '' }, password: { $ne: 1 } },
        { '/email': 'wrong_type', '/password': 'wrong_type' },
      ],
      [
        'arrays',
        { email: ['a@b'], password: [password] },
        { '/email': 'wrong_type', '/password': 'wrong_type' },
      ],
      ['booleans', { email: true, password: true }, { '/email': 'wrong_type', '/password': 'wrong_type' }],
      [
        'more than it takes',
        { email: 'a@b', password: 'x', remember: true },
        { '/remember': 'unknown_member' },
      ],
      ['a JSON array', [], { '': 'wrong_type' }],
      ['a JSON string', 'email', { '': 'wrong_type' }],
      ['a JSON null', null, { '': 'wrong_type' }],
    ]
    for (const [what, body, faults] of cases) {
      it(what, async () => {
        const counters = await school.count('throttles')
        const answer = await school.post('/api/auth/login', body)
        assert.equal(answer.status, 422, answer.text)
        const told = answer.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
        assert.deepEqual(Object.fromEntries(told), faults)
        assert.equal(await school.count('throttles'), counters, 'no attempt was counted')
      })
    }
  })

  it('takes SQL for text', async () => {
    for (const email of [
      "' or 1=1 --",
      `${person.email}' --`,
      `${person.email}\0`,
      '%',
      `${person.email}%`,
      '__proto__',
    ]) {
      assert.equal((await school.login(email)).status, 401, email)
    }
  })

  it('gives two logins of one moment two sessions', async () => {
    const [one, two] = await Promise.all([school.login(person.email), school.login(person.email)])
    assert.equal(one!.status, 200)
    assert.notEqual(one!.body.data.token, two!.body.data.token)
    await school.post('/api/auth/logout', undefined, one!.body.data.token)
    assert.equal((await school.get('/api/auth/me', two!.body.data.token)).status, 200)
  })

  it('comes too late when the account is disabled or given another password meanwhile', async () => {
    const changes = {
      disabled: (owner: Person) => (db: Tx) => updateDisabled(db, owner.id, true, now),
      'given another password': (owner: Person) => (db: Tx) =>
        updatePasswordHash(db, owner.id, otherHash, now),
    }
    const now = school.now().toISOString()
    const otherHash = await hashPassword('another password')
    for (const [what, change] of Object.entries(changes)) {
      const owner = await school.person()
      const { db, config } = school
      const clock = () => school.now()
      const tokens = createTokens({ db, ttlSeconds: config.tokenTtlSeconds, secret: undefined })
      const issue: typeof tokens.issue = async (userId, issuedAt) => {
        await write(db, byTest, change(owner)) // the password is verified, the session not yet made
        return tokens.issue(userId, issuedAt)
      }
      const parts = {
        db,
        tokens: { ...tokens, issue },
        clock,
        hashingLine: new HashingLine(),
        tokenTtlSeconds: 60,
      }
      const sessions = await school.count('sessions')
      const attempt = { email: owner.email, address: '192.0.2.1' }
      await assert.rejects(logIn(parts, byTest, attempt, password), { code: 'invalid_credentials' }, what)
      assert.equal(await school.count('sessions'), sessions, what)
    }
  })

  it('frees its place in the hashing line before its session is stored, and its pair is counted meanwhile', async () => {
    const { db, config } = school
    const clock = () => school.now()
    const tokens = createTokens({ db, ttlSeconds: config.tokenTtlSeconds, secret: undefined })
    const askers: Asker[] = []
    class Watched extends HashingLine {
      override run<Result>(asker: Asker, work: (freeSlot: () => void) => Promise<Result>): Promise<Result> {
        askers.push(asker)
        return work(() => {
          throw new Error('freed')
        })
      }
    }
    const parts = { db, tokens, clock, hashingLine: new Watched(), tokenTtlSeconds: 60 }
    const attempt = { email: person.email, address: '2001:db8::1' }
    const sessions = await school.count('sessions')
    await assert.rejects(logIn(parts, byTest, attempt, password), { message: 'freed' })
    assert.equal(await school.count('sessions'), sessions)
    assert.deepEqual(askers, [{ client: '2001:db8:0:0::/64', pair: `${person.email}\n2001:db8:0:0::/64` }])
  })
})
