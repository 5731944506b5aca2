import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { changePasswordAtOnce } from '../../test/account-races.ts'
import { hashCheaply } from '../../test/cheap-hash.ts'
import { type Answer, byTest, openSchool, type Person, password, type School } from '../../test/school.ts'
import type { Caller } from '../access/authority.ts'
import { createTokens } from '../access/tokens.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { HashingLine } from '../users/hashing-line.ts'
import { hashPassword } from '../users/passwords.ts'
import { updateDisabled, updatePasswordHash } from '../users/queries.ts'
import { logIn } from './login.ts'
import { changePassword } from './own-password.ts'

const fresh = 'quite another password'

const change = (
  school: School,
  as: Person | string,
  { current = password, to = fresh, from }: { current?: string; to?: string; from?: string } = {},
) =>
  school.send('PUT', '/api/auth/password', {
    as,
    body: { current_password: current, new_password: to },
    ...(from !== undefined && { from }),
  })

const account = (school: School, { id }: Person) =>
  school.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const me = async (school: School, as: Person | string) => (await school.get('/api/auth/me', as)).status
const anotherToken = async (school: School, { email }: Person): Promise<string> =>
  (await school.login(email)).body.data.token

const faultOf = ({ status, body }: Answer) => [status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]

/** What an administrator does who gives an account a first password. */
const requireChange = (school: School, { id }: Person) =>
  write(school.db, byTest, (db) =>
    db.updateTable('users').set({ password_change_required: 1 }).where('id', '=', id).execute(),
  )

describe('PUT /api/auth/password', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  it('gives the account another password: the new one logs in, the old one no longer does', async () => {
    const person = await school.person()
    const { version } = await account(school, person)
    school.passSeconds(1)
    const answer = await change(school, person)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, {
      success: true,
      data: { ended_sessions: 0 },
      message: 'Password changed',
    })
    assert.equal((await school.login(person.email)).status, 401)
    assert.equal((await school.login(person.email, fresh)).status, 200)
    const { password_hash, ...changed } = await account(school, person)
    assert.match(password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(changed.version, version + 1)
    assert.equal(changed.updated_at, school.now().toISOString())
  })

  it('ends the other sessions of the account at once, and neither this one nor those of others', async () => {
    const [person, other] = [await school.person(), await school.person()]
    const elsewhere = [await anotherToken(school, person), await anotherToken(school, person)]
    assert.equal((await change(school, person)).body.data.ended_sessions, 2)
    for (const token of elsewhere) assert.equal(await me(school, token), 401)
    assert.equal(await me(school, person), 200)
    assert.equal(await me(school, other), 200)
  })

  it('of whoever has a token but no password is refused, and changes and ends nothing', async () => {
    const person = await school.person()
    const elsewhere = await anotherToken(school, person)
    const before = await account(school, person)
    for (const current of [
      'wrong password',
      `${password} `,
      password.toUpperCase(),
      'x'.repeat(257),
      '\ud800',
    ]) {
      const answer = await change(school, person, { current })
      assert.deepEqual(faultOf(answer), [422, '/current_password', 'wrong_password'])
      assert.ok(!answer.text.includes(current))
    }
    assert.deepEqual(await account(school, person), before)
    assert.equal(await me(school, elsewhere), 200)
    assert.equal((await school.login(person.email, fresh)).status, 401)
  })

  it('counts as a login does: after ten wrong passwords the right one waits too, there and at login', async () => {
    const person = await school.person()
    const from = '192.0.2.7'
    await hashCheaply(school, person)
    for (let i = 0; i < 6; i++)
      assert.equal((await change(school, person, { current: 'wrong password', from })).status, 422)
    for (let i = 0; i < 5; i++) {
      const body = { email: person.email, password: 'wrong password' }
      await school.send('POST', '/api/auth/login', { body, from })
    }
    const refused = await change(school, person, { from })
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_attempts'])
    const login = await school.send('POST', '/api/auth/login', {
      body: { email: person.email, password },
      from,
    })
    assert.equal(login.status, 429)
    assert.equal((await school.login(person.email)).status, 200, 'from elsewhere nothing waits')
    school.passSeconds(1)
    assert.equal((await change(school, person, { from })).status, 200)
    await hashCheaply(school, person)
    for (let i = 0; i < 10; i++) {
      const answer = await change(school, person, { current: 'wrong again', from })
      assert.equal(answer.status, 422, 'the right password took the count back')
    }
  })

  it('lets of many guesses at once no more through than of many in turn', async () => {
    const person = await school.person()
    const guesses = Array.from({ length: 32 }, (_, i) =>
      change(school, person, { current: `guess number ${i}`, from: '192.0.2.8' }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    const looked = statuses.filter((status) => status === 422).length
    assert.ok(looked <= 11, `${looked} were looked at`)
    assert.ok(statuses.every((status) => [422, 429, 503].includes(status)))
    assert.equal((await change(school, person, { from: '192.0.2.8' })).status, 429)
  })

  it('takes a new password by the policy of the server, another than the current one', async () => {
    const person = await school.person()
    const before = await account(school, person)
    const faults: [to: string, code: string][] = [
      ['x'.repeat(7), 'too_short'],
      ['x'.repeat(257), 'too_long'],
      ['lone \ud800 surrogate', 'invalid_format'],
      [password, 'unchanged'],
    ]
    for (const [to, code] of faults)
      assert.deepEqual(faultOf(await change(school, person, { to })), [422, '/new_password', code])
    assert.deepEqual(await account(school, person), before)
    const wrong = await change(school, person, { current: 'wrong password', to: 'wrong password' })
    assert.deepEqual(faultOf(wrong), [422, '/current_password', 'wrong_password'])
    assert.equal((await change(school, person, { to: 'pa\u0308sswo\u0308rter' })).status, 200)
    assert.equal((await school.login(person.email, 'pässwörter')).status, 200)
    const same = await change(school, person, { current: 'pässwörter', to: 'pa\u0308sswo\u0308rter' })
    assert.deepEqual(faultOf(same), [422, '/new_password', 'unchanged'], 'however it is composed')
  })

  it('asks for more where the policy is strict', async () => {
    const strict = await openSchool({ env: { PASSWORD_POLICY: 'strict' } })
    const person = await strict.person()
    assert.deepEqual(faultOf(await change(strict, person, { to: 'x'.repeat(14) })), [
      422,
      '/new_password',
      'too_short',
    ])
    const guessable = await change(strict, person, { to: `${person.email}1` })
    assert.deepEqual(faultOf(guessable), [422, '/new_password', 'guessable_password'])
    assert.equal((await change(strict, person, { to: 'purple monkey dishwasher' })).status, 200)
  })

  it('names every member that is wrong, missing or unknown, and counts no attempt', async () => {
    const person = await school.person()
    const counters = await school.count('throttles')
    const bodies: [body: unknown, pointers: string[]][] = [
      [{}, ['/current_password', '/new_password']],
      [{ current_password: '', new_password: 1 }, ['/current_password', '/new_password']],
      [{ current_password: password, new_password: fresh, user_id: 1 }, ['/user_id']],
      [null, ['']],
    ]
    for (const [body, pointers] of bodies) {
      const answer = await school.send('PUT', '/api/auth/password', { as: person, body })
      assert.equal(answer.status, 422)
      assert.deepEqual(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), pointers)
    }
    assert.equal(await school.count('throttles'), counters)
  })

  it('writes neither of the passwords to the log', async () => {
    const person = await school.person()
    await change(school, person, { current: 'canary one', to: 'canary two two' })
    await change(school, person, { to: 'canary three three' })
    assert.ok(!school.log.some((line) => /canary/.test(line)))
  })
})

describe('an account whose password an administrator set', () => {
  it('is told so at login and by me, and may do nothing but change it, ask who it is, and log out', async () => {
    const school = await openSchool()
    const person = await school.person('administrator')
    await requireChange(school, person)
    const login = await school.login(person.email)
    assert.equal(login.body.data.user.password_change_required, true)
    const answer = await school.get('/api/auth/me', person)
    assert.deepEqual([answer.status, answer.body.data.password_change_required], [200, true])
    const refused: [method: string, url: string][] = [
      ['GET', '/api/students'],
      ['GET', '/api/students/1'],
      ['GET', '/api/auth/sessions'],
      ['DELETE', '/api/auth/sessions'],
      ['DELETE', `/api/auth/sessions/${'0'.repeat(32)}`],
    ]
    const sessions = await school.count('sessions')
    for (const [method, url] of refused) {
      const { status, body } = await school.send(method, url, { as: person })
      assert.deepEqual([status, body.code], [403, 'password_change_required'], `${method} ${url}`)
      assert.match(body.detail, /PUT \/api\/auth\/password/)
    }
    assert.equal(await school.count('sessions'), sessions)
    const same = await change(school, person, { to: password })
    assert.deepEqual(faultOf(same), [422, '/new_password', 'unchanged'])
    assert.equal((await school.get('/api/students', person)).status, 403)

    assert.equal((await change(school, person)).status, 200)
    assert.equal((await school.get('/api/auth/me', person)).body.data.password_change_required, false)
    assert.equal((await school.get('/api/students', person)).status, 200)
    const again = await school.login(person.email, fresh)
    assert.equal(again.body.data.user.password_change_required, false)
  })

  it('can log out', async () => {
    const school = await openSchool()
    const person = await school.person()
    await requireChange(school, person)
    assert.equal((await school.send('POST', '/api/auth/logout', { as: person })).status, 200)
    assert.equal(await me(school, person), 401)
  })
})

describe('a change of password, of many things at once', () => {
  it('ends a login whose old password was verified before it: that comes too late', async () => {
    const school = await openSchool()
    const person = await school.person()
    const { db, config } = school
    const clock = () => school.now()
    const tokens = createTokens({ db, ttlSeconds: config.tokenTtlSeconds, secret: undefined })
    const issue: typeof tokens.issue = async (userId, issuedAt) => {
      assert.equal((await change(school, person)).status, 200)
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
    const attempt = { email: person.email, address: '192.0.2.1' }
    await assert.rejects(logIn(parts, byTest, attempt, password), { code: 'invalid_credentials' })
    assert.equal(await school.count('sessions'), sessions)
  })

  it('comes too late itself when the account is disabled or given another password meanwhile', async () => {
    const school = await openSchool()
    const { db } = school
    const now = school.now().toISOString()
    const otherHash = await hashPassword('the one that came first')
    const meanwhile: [code: string, work: (person: Person) => (db: Tx) => Promise<void>][] = [
      ['token_invalid', (person) => (db) => updateDisabled(db, person.id, true, now)],
      ['validation_failed', (person) => (db) => updatePasswordHash(db, person.id, otherHash, now)],
    ]
    for (const [code, work] of meanwhile) {
      const person = await school.person()
      const caller = {
        userId: person.id,
        address: '192.0.2.1',
        requestId: 'x',
        sessionKey: new Uint8Array(32),
      }
      let written: Promise<void> | undefined
      const clock = () => {
        written ??= write(db, byTest, work(person)) // the account was read, its password not yet verified
        return school.now()
      }
      const parts = { db, clock, hashingLine: new HashingLine(), policy: 'basic' as const }
      const changing = changePassword(parts, caller as Caller, { current: password, fresh })
      await assert.rejects(changing, { code })
      await written
      assert.equal(await me(school, person), code === 'token_invalid' ? 401 : 200, 'and no session was ended')
      assert.equal((await school.login(person.email, fresh)).status, 401)
    }
  })

  it('lets one of six changes at once win, and none of the logins beside them outlive it', async () => {
    await changePasswordAtOnce(await openSchool(), 6)
  })
})
