import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../test/school.ts'
import {
  base64url,
  type Members,
  type OpenSession,
  openSession,
  signToken,
  withSpareBitsEdited,
} from '../../test/tokens.ts'
import { createTokens } from './tokens.ts'

const hour = 3600

describe('a token', () => {
  let school: School
  let person: Person
  let session: OpenSession
  before(async () => {
    school = await openSchool()
    person = await school.person('viewer')
    session = await openSession(school, person)
  })

  const statusOf = async (token: string) => (await school.get('/api/auth/me', token)).status
  const signed = (header: Members = {}, claims: Members = {}) =>
    signToken({ ...session.header, ...header }, { ...session.claims, ...claims }, session.key.secret)

  async function refused(token: string, what: string): Promise<void> {
    const answer = await school.send('GET', '/api/auth/me', { headers: { authorization: `Bearer ${token}` } })
    assert.deepEqual([answer.status, answer.body.code], [401, 'token_invalid'], what)
  }

  it('is good when header, claims and signature are right, any number of times', async () => {
    assert.equal(await statusOf(signed()), 200)
    assert.equal(await statusOf(signed()), 200)
    assert.equal(await statusOf(person.token), 200)
    assert.equal(await statusOf(person.token), 200)
  })

  it('may come with the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const headers = { authorization: `${scheme} ${person.token}` }
      assert.equal((await school.send('GET', '/api/auth/me', { headers })).status, 200)
    }
  })

  describe('is dead, though properly signed, when its claims say', () => {
    const now = () => Math.floor(school.now().getTime() / 1000)
    const cases: [what: string, claims: () => Members][] = [
      ['no issuer', () => ({ iss: undefined })],
      ['another issuer', () => ({ iss: 'other' })],
      ['several issuers', () => ({ iss: ['registrar'] })],
      ['no audience', () => ({ aud: undefined })],
      ['another audience', () => ({ aud: 'registrar' })],
      ['an audience list', () => ({ aud: ['registrar-api'] })],
      ['an audience list with others', () => ({ aud: ['other', 'registrar-api'] })],
      ['no subject', () => ({ sub: undefined })],
      ['a subject that is a number', () => ({ sub: person.id })],
      ['a subject that is an object', () => ({ sub: {} })],
      ['an empty subject', () => ({ sub: '' })],
      ['a subject that is no id', () => ({ sub: 'anna' })],
      ['a subject in another notation', () => ({ sub: `${person.id}.0` })],
      ['a subject with a leading zero', () => ({ sub: `0${person.id}` })],
      ['a subject with space', () => ({ sub: ` ${person.id}` })],
      ['another account', () => ({ sub: String(person.id + 1) })],
      ['no jti', () => ({ jti: undefined })],
      ['a jti that is a number', () => ({ jti: 7 })],
      ['a jti that is a list', () => ({ jti: [session.claims.jti] })],
      ['an unknown jti', () => ({ jti: '00000000-0000-4000-8000-000000000000' })],
      ['an empty jti', () => ({ jti: '' })],
      ['no iat', () => ({ iat: undefined })],
      ['an iat that is a text', () => ({ iat: String(now()) })],
      ['an iat in the future', () => ({ iat: now() + hour })],
      ['an iat with a fraction', () => ({ iat: now() - 0.5 })],
      ['no exp', () => ({ exp: undefined })],
      ['an exp that is a text', () => ({ exp: String(now() + hour) })],
      ['an exp that is null', () => ({ exp: null })],
      ['an exp with a fraction', () => ({ exp: now() + 0.5 })],
      ['an exp in the past', () => ({ exp: now() - 1 })],
      ['an exp right now', () => ({ exp: now() })],
      ['an exp that is a list', () => ({ exp: [now() + hour] })],
      ['an nbf in the future', () => ({ nbf: now() + hour })],
      ['an nbf that is a text', () => ({ nbf: 'now' })],
    ]
    for (const [what, claims] of cases) it(what, () => refused(signed({}, claims()), what))

    for (const [what, payload] of [
      ['a list', []],
      ['a text', 'x'],
      ['null', null],
      ['a number', 7],
    ] as const) {
      it(`${what} instead of claims`, () =>
        refused(signToken(session.header, payload, session.key.secret), what))
    }
  })

  describe('is dead when its header says', () => {
    const cases: [what: string, header: Members][] = [
      ['no typ', { typ: undefined }],
      ['another typ', { typ: 'at+jwt' }],
      ['typ as a list', { typ: ['JWT'] }],
      ['no kid', { kid: undefined }],
      ['an unknown kid', { kid: 'f3a0a3c6-7d0b-4b0e-9d0c-6f6c0f6e7a11' }],
      ['an empty kid', { kid: '' }],
      ['a kid that is a number', { kid: 1 }],
      ['a kid that is an object', { kid: {} }],
      ['a path for a kid', { kid: '../../dev/null' }],
      ['SQL for a kid', { kid: "' union select x'00' --" }],
      ['__proto__ for a kid', { kid: '__proto__' }],
      ['constructor for a kid', { kid: 'constructor' }],
      ['a kid with a NUL', { kid: '\0' }],
      ['a key of its own (jwk)', { jwk: { kty: 'oct', k: base64url('x'.repeat(32)) } }],
      ['an address of keys (jku)', { jku: 'http://127.0.0.1:9/keys' }],
      ['an address of certificates (x5u)', { x5u: 'http://127.0.0.1:9/cert' }],
      ['certificates (x5c)', { x5c: ['MII'] }],
      ['a critical extension (crit)', { crit: ['exp'] }],
      ['an unencoded payload (b64)', { b64: false, crit: ['b64'] }],
      ['b64 by itself', { b64: true }],
      ['compression (zip)', { zip: 'DEF' }],
      ['any other member', { cty: 'JWT' }],
    ]
    for (const [what, header] of cases) it(what, () => refused(signed(header), what))
  })

  describe('is dead when it is signed', () => {
    const { privateKey: rsa, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { privateKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const unsigned = (header: Members) =>
      [{ ...session.header, ...header }, session.claims]
        .map((part) => base64url(JSON.stringify(part)))
        .join('.')
    const by = (alg: string, signature: (text: string) => Buffer) => {
      const text = unsigned({ alg })
      return `${text}.${signature(Buffer.from(text) as unknown as string).toString('base64url')}`
    }
    const hmac = (alg: string, algorithm: string) =>
      signToken({ ...session.header, alg }, session.claims, session.key.secret, algorithm)

    const cases: [what: string, token: () => string][] = [
      ['by nobody (none)', () => `${unsigned({ alg: 'none' })}.`],
      ['by nobody, in other letters (nOnE)', () => `${unsigned({ alg: 'nOnE' })}.`],
      ['by nobody, with a signature', () => `${unsigned({ alg: 'none' })}.${signed().split('.')[2]}`],
      ['with nothing', () => `${unsigned({})}.`],
      ['without an algorithm', () => signed({ alg: undefined })],
      ['with HS256 under another name', () => signed({ alg: 'hs256' })],
      ['with HS384', () => hmac('HS384', 'sha384')],
      ['with HS512', () => hmac('HS512', 'sha512')],
      ['with HS512, named HS256', () => hmac('HS256', 'sha512')],
      ['with RS256', () => by('RS256', (text) => sign('sha256', Buffer.from(text), rsa))],
      [
        'with ES256',
        () =>
          by('ES256', (text) => sign('sha256', Buffer.from(text), { key: ec, dsaEncoding: 'ieee-p1363' })),
      ],
      [
        'with a public key for a secret',
        () =>
          signToken(
            session.header,
            session.claims,
            publicKey.export({ type: 'spki', format: 'pem' }).toString(),
          ),
      ],
      ['with an empty secret', () => signToken(session.header, session.claims, '')],
      [
        'with an empty secret, under an unknown kid',
        () => signToken({ ...session.header, kid: 'x' }, session.claims, ''),
      ],
      ['with the name of the key', () => signToken(session.header, session.claims, session.key.kid)],
      [
        'with the text of the secret',
        () => signToken(session.header, session.claims, Buffer.from(session.key.secret).toString('hex')),
      ],
      [
        'for other claims',
        () =>
          `${base64url(JSON.stringify({ ...session.header }))}.${base64url(JSON.stringify({ ...session.claims, exp: (session.claims.exp as number) + 1 }))}.${signed().split('.')[2]}`,
      ],
    ]
    for (const [what, token] of cases) it(what, () => refused(token(), what))
  })

  describe('is dead when it is no compact JWS', () => {
    const good = () => signed()
    const cases: [what: string, token: () => string][] = [
      ['a word', () => 'token'],
      ['dots', () => '..'],
      ['four dots', () => '....'],
      ['two parts', () => good().split('.').slice(0, 2).join('.')],
      ['four parts', () => `${good()}.${good().split('.')[2]}`],
      ['an encrypted one', () => `${good()}.x.y`],
      ['text that is not base64url', () => 'ä.ö.ü'],
      ['a header that is no JSON', () => `${base64url('{')}.${good().split('.').slice(1).join('.')}`],
      [
        'a JSON serialisation',
        () => JSON.stringify({ payload: good().split('.')[1], signature: good().split('.')[2] }),
      ],
      ['eight thousand characters', () => `${'a'.repeat(8000)}.b.c`],
      ['a header of a thousand levels', () => `${base64url('['.repeat(1000))}.b.c`],
      ['__proto__ as a header', () => `${base64url('{"__proto__":{"alg":"HS256"}}')}.b.c`],
    ]
    for (const [what, token] of cases) it(what, () => refused(token(), what))
  })

  it('has one spelling: with spare bits of its signature edited, padding or space behind it is dead', async () => {
    for (const token of [person.token, signed()]) {
      assert.equal(await statusOf(token), 200)
      for (const edited of withSpareBitsEdited(token)) {
        assert.notEqual(edited, token)
        const bytes = (text: string) => Buffer.from(text.split('.')[2]!, 'base64url').toString('hex')
        assert.equal(bytes(edited), bytes(token), 'the signature is the same bytes')
        await refused(edited, 'spare bits')
      }
      await refused(`${token}=`, 'padding')
      await refused(`${token}==`, 'padding')
      for (const space of [' ', '\t', '\u00a0']) assert.equal(await statusOf(token + space), 401)
      await refused(`${token}.`, 'a dot')
      for (const part of [0, 1]) {
        const parts = token.split('.')
        parts[part] += '='
        await refused(parts.join('.'), `padding of part ${part}`)
      }
    }
  })

  it('is dead with any one of its bits turned', async () => {
    const good = signed()
    let positions = 0
    for (let i = 0; i < good.length; i++) {
      const bit = 1 << (i % 6)
      const turned = good.slice(0, i) + String.fromCharCode(good.charCodeAt(i) ^ bit) + good.slice(i + 1)
      if (/[^\x21-\x7e]/.test(turned)) continue // no header can carry it
      positions++
      assert.equal(await statusOf(turned), 401, `bit ${i % 6} of character ${i}`)
    }
    assert.ok(positions > 300, `${positions} positions`)
    assert.equal(await statusOf(good), 200)
  })

  it('is not called invalid where the server fails, be it with a TypeError', async () => {
    const failing = school.db.withPlugin({
      transformQuery: () => {
        throw new TypeError('a fault of ours')
      },
      transformResult: async ({ result }) => result,
    })
    const tokens = createTokens({ db: failing, ttlSeconds: hour, secret: undefined })
    const verified = tokens.verify(person.token, school.now().getTime())
    await assert.rejects(verified, { name: 'TypeError', message: 'a fault of ours' })
  })

  it('lives until the second it names, by the clock of the school', async () => {
    const own = await openSchool({ env: { TOKEN_TTL: '600' } })
    const { token } = await own.person()
    const me = async () => (await own.get('/api/auth/me', token)).status
    own.passSeconds(599)
    assert.equal(await me(), 200)
    own.passSeconds(2)
    assert.equal(await me(), 401)
    own.passSeconds(-2)
    assert.equal(await me(), 200, 'a clock that is right again lets it live out its time')
    own.passSeconds(-650)
    assert.equal(await me(), 200, 'clocks may differ by a minute')
    own.passSeconds(-20)
    assert.equal(await me(), 401, 'before its birth it is dead, though it was seen alive')
    own.passSeconds(10 * 365 * 86_400)
    assert.equal(await me(), 401)
  })

  it('dies with its session when a login was made while the clock was wrong', async () => {
    const own = await openSchool({ env: { TOKEN_TTL: '600' } })
    own.passSeconds(10 * 365 * 86_400)
    const { token, email } = await own.person()
    assert.equal((await own.get('/api/auth/me', token)).status, 200)
    own.passSeconds(-10 * 365 * 86_400)
    assert.equal((await own.get('/api/auth/me', token)).status, 401)
    const { data } = (await own.login(email)).body
    assert.equal((await own.get('/api/auth/me', data.token)).status, 200)
  })
})
