import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, password, type School } from '../../test/school.ts'

const host = 'school.example:4713'
const ofOwnPage = { host, 'sec-fetch-site': 'same-origin' }

describe('POST /api/auth/cookie', () => {
  let school: School
  let person: Person
  before(async () => {
    school = await openSchool()
    person = await school.person('viewer')
  })

  function logIn(headers: Readonly<Record<string, string>>, typed = password) {
    const body = JSON.stringify({ email: person.email, password: typed })
    const sent = { 'content-type': 'application/json', ...headers }
    return school.send('POST', '/api/auth/cookie', { headers: sent, payload: body })
  }

  /** The cookie as a browser would send it. */
  async function cookieOf(headers: Readonly<Record<string, string>> = ofOwnPage): Promise<string> {
    const { headers: answered } = await logIn(headers)
    return String(answered['set-cookie']).split(';')[0]!
  }

  const statusWith = async (headers: Readonly<Record<string, string>>, method = 'GET') =>
    (await school.send(method, method === 'GET' ? '/api/auth/me' : '/api/auth/logout', { headers })).status

  it('answers with who is logged in, and gives the token to the cookie alone', async () => {
    const { status, headers, body } = await logIn(ofOwnPage)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data), ['expires_in', 'user'])
    assert.equal(body.data.user.email, person.email)
    assert.match(
      String(headers['set-cookie']),
      /^__Host-registrar-4713=eyJ[\w.-]+; HttpOnly; Secure; SameSite=Strict; Path=\/$/,
    )
  })

  it('names the cookie without a port where the host has none', async () => {
    assert.match(await cookieOf({ ...ofOwnPage, host: 'school.example' }), /^__Host-registrar=eyJ/)
  })

  it('refuses pages of elsewhere, and programs, before the password is looked at', async () => {
    for (const headers of [
      { host },
      { host, 'sec-fetch-site': 'cross-site' },
      { host, 'sec-fetch-site': 'same-site' },
      { host, 'sec-fetch-site': 'none' },
      { host, origin: 'https://evil.example' },
      { host, origin: 'null' },
      { host, origin: 'https://school.example:4714' },
      { ...ofOwnPage, origin: 'https://evil.example' },
    ]) {
      const { status, body } = await logIn(headers, 'wrong')
      assert.deepEqual([status, body.code], [403, 'cross_origin'], JSON.stringify(headers))
    }
    assert.equal((await logIn({ host, origin: `https://${host}` })).status, 200)
  })

  it('counts a wrong password as a login does', async () => {
    const { status, body, headers } = await logIn(ofOwnPage, 'wrong')
    assert.deepEqual([status, body.code, headers['set-cookie']], [401, 'invalid_credentials', undefined])
  })

  it('gives a cookie that counts for pages of this server alone', async () => {
    const cookie = await cookieOf()
    assert.equal(await statusWith({ ...ofOwnPage, cookie }), 200)
    assert.equal(await statusWith({ host, origin: `http://${host}`, cookie }), 200)
    assert.equal(await statusWith({ ...ofOwnPage, cookie: `theme=dark; ${cookie}; other=1` }), 200)
    for (const headers of [
      { host, cookie },
      { host, 'sec-fetch-site': 'cross-site', cookie },
      { host, 'sec-fetch-site': 'same-site', cookie },
      { host, 'sec-fetch-site': 'none', cookie },
      { host, origin: 'https://evil.example', cookie },
      { ...ofOwnPage, origin: 'https://evil.example', cookie },
      { host: 'school.example:4714', 'sec-fetch-site': 'same-origin', cookie },
      { ...ofOwnPage, cookie: `${cookie}; ${cookie}` },
      { ...ofOwnPage, cookie: `x${cookie}` },
      { ...ofOwnPage, cookie: '__Host-registrar-4713=' },
    ])
      assert.equal(await statusWith(headers), 401, JSON.stringify(headers))
  })

  it('gives a token that is good in the cookie alone, as a login gives one for Authorization alone', async () => {
    const cookie = await cookieOf()
    const token = cookie.slice(cookie.indexOf('=') + 1)
    assert.equal(await statusWith({ ...ofOwnPage, cookie }), 200)
    assert.equal(await statusWith({ authorization: `Bearer ${token}` }), 401)
    assert.equal(await statusWith({ ...ofOwnPage, cookie: `__Host-registrar-4713=${person.token}` }), 401)
    assert.equal(await statusWith({ authorization: `Bearer ${person.token}` }), 200)
  })

  it('is passed over where an Authorization is sent', async () => {
    const cookie = await cookieOf()
    assert.equal(await statusWith({ ...ofOwnPage, cookie, authorization: 'Bearer nonsense' }), 401)
    assert.equal(await statusWith({ ...ofOwnPage, cookie, authorization: 'Basic x' }), 401)
  })

  it('is taken away by a logout, and its session is over', async () => {
    const cookie = await cookieOf()
    const { status, headers } = await school.send('POST', '/api/auth/logout', {
      headers: { ...ofOwnPage, cookie },
    })
    assert.equal(status, 200)
    assert.match(String(headers['set-cookie']), /^__Host-registrar-4713=; .*; Max-Age=0$/)
    assert.equal(await statusWith({ ...ofOwnPage, cookie }), 401)
  })

  it('is a session like any other: listed, and ended with the others', async () => {
    const cookie = await cookieOf()
    const { body } = await school.send('GET', '/api/auth/sessions', { headers: { ...ofOwnPage, cookie } })
    assert.equal(body.data.filter(({ current }: { current: boolean }) => current).length, 1)
    const ended = await school.send('DELETE', '/api/auth/sessions', {
      headers: { authorization: `Bearer ${person.token}` },
    })
    assert.equal(ended.status, 200)
    assert.equal(await statusWith({ ...ofOwnPage, cookie }), 401)
  })
})

describe('GET /api/auth/doors', () => {
  const doorsOf = async (school: School, headers: Readonly<Record<string, string>> = {}) =>
    (await school.send('GET', '/api/auth/doors', { headers })).body.data

  it('tells whether anyone can register, how long a password is at least, and where the first administrator is made', async () => {
    const school = await openSchool()
    const least = { least_password_length: 8 }
    assert.deepEqual(await doorsOf(school), { registration: 'open', first_administrator: 'here', ...least })
    const proxied = { 'x-forwarded-for': '203.0.113.1' }
    assert.equal((await doorsOf(school, proxied)).first_administrator, 'elsewhere')
    await school.person('administrator')
    assert.equal((await doorsOf(school)).first_administrator, 'done')
  })

  it('tells that registration is closed, and how long a password is at least', async () => {
    const school = await openSchool({ env: { REGISTRATION: 'closed', PASSWORD_POLICY: 'strict' } })
    assert.deepEqual(await doorsOf(school), {
      ...{ registration: 'closed', first_administrator: 'elsewhere' },
      least_password_length: 15,
    })
  })
})
