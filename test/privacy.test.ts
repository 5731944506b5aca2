import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { keepHouse } from '../src/cli/housekeeping.ts'
import { write } from '../src/events/write.ts'
import { engine, onlyOn } from './engine.ts'
import { Importer } from './import-calls.ts'
import { type Answer, byTest, openSchool, type Person, type School, type Sending } from './school.ts'
import { openSession, signToken } from './tokens.ts'

/** Words that stand nowhere but in what callers send. */
const canary = {
  name: 'Canaryname Zoë',
  email: 'canarymail@secret.example',
  password: 'canarypassword hunter2',
  number: 'CANARYNUMBER-77',
  search: 'canarysearch',
  query: 'canaryquery',
  header: 'canaryheader',
  path: 'canarypath',
}
const identifier = { system: canary.name, value: canary.number }
const words = /canary|hunter2|secret\.example|zo(ë|e|%C3%AB)/i

type Case = [what: string, method: string, url: string, sending: Sending, status: number]

const login = (given: object): Sending => ({
  body: { email: canary.email, password: canary.password, ...given },
})
const account = (given: object): Sending => ({
  body: { name: canary.name, email: canary.email, password: canary.password, ...given },
})
const raw = (payload: string, type = 'application/json'): Sending => ({
  payload,
  headers: { 'content-type': type },
})

describe('what callers send', () => {
  let school: School
  let registrar: Person
  let stranger: Person
  before(async () => {
    school = await openSchool({ env: { LOG_LEVEL: 'trace' } })
    registrar = await school.person('registrar')
    stranger = await school.person()
  })

  const student = (given: object) => ({
    body: { name: canary.name, admission_number: canary.number, class_id: 1, ...given },
    as: registrar,
  })

  /** In order: what succeeds, then what fails in every way that each route knows. */
  const cases = (): Case[] => [
    ['a registration', 'POST', '/api/auth/register', account({}), 201],
    ['a taken address', 'POST', '/api/auth/register', account({}), 409],
    [
      'a bad registration',
      'POST',
      '/api/auth/register',
      account({ email: canary.password, name: '\u202e canary' }),
      422,
    ],
    ['an unknown member', 'POST', '/api/auth/register', account({ role: canary.name }), 422],
    ['a login', 'POST', '/api/auth/login', login({}), 200],
    ['a wrong password', 'POST', '/api/auth/login', login({ password: 'canarywrong' }), 401],
    ['an unknown address', 'POST', '/api/auth/login', login({ email: 'canaryunknown@secret.example' }), 401],
    ['an over-long password', 'POST', '/api/auth/login', login({ password: 'canary'.repeat(100) }), 401],
    ['a wrong type', 'POST', '/api/auth/login', login({ password: [canary.password] }), 422],
    ['broken JSON', 'POST', '/api/auth/login', raw(`{"password": "${canary.password}"`), 400],
    ['bytes that are no text', 'POST', '/api/auth/login', raw('canary\\ud800'), 400],
    [
      'a form',
      'POST',
      '/api/auth/login',
      raw(`password=${canary.password}`, 'application/x-www-form-urlencoded'),
      415,
    ],
    ['a type of its own', 'POST', '/api/auth/login', raw('x', `text/${canary.header}`), 415],
    [
      'a body too large',
      'POST',
      '/api/auth/login',
      raw(JSON.stringify({ password: 'canary'.repeat(20_000) })),
      413,
    ],
    ['a creation', 'POST', '/api/students', student({ identifiers: [identifier] }), 201],
    ['a taken number', 'POST', '/api/students', student({}), 409],
    ['a bad student', 'POST', '/api/students', student({ name: 'canary\0', class_id: canary.number }), 422],
    [
      'an unknown class',
      'POST',
      '/api/students',
      student({ admission_number: 'CANARY-2', class_id: 999 }),
      422,
    ],
    [
      'a taken identifier',
      'POST',
      '/api/students',
      student({ admission_number: 'CANARY-4', identifiers: [identifier] }),
      409,
    ],
    ['a creation not allowed', 'POST', '/api/students', { ...student({}), as: stranger }, 403],
    ['a search', 'GET', `/api/students?search=${canary.search}`, { as: registrar }, 200],
    ['a search that finds', 'GET', '/api/students?search=canaryname%20zo%C3%AB', { as: registrar }, 200],
    [
      'a search with signs of the index',
      'GET',
      `/api/students?search=${encodeURIComponent('canary" OR * NEAR( ^')}`,
      { as: registrar },
      200,
    ],
    ['a search by guardian', 'GET', `/api/students?guardian=${canary.search}`, { as: registrar }, 200],
    [
      'a search by the address of a guardian',
      'GET',
      `/api/students?guardian=${canary.email}&page=2`,
      { as: registrar },
      200,
    ],
    [
      'a search by guardian not allowed',
      'GET',
      `/api/students?guardian=${canary.search}`,
      { as: stranger },
      403,
    ],
    [
      'a search by guardian of too many words',
      'GET',
      `/api/students?guardian=${'abcdefghijk'
        .split('')
        .map((letter) => `canary${letter}`)
        .join('+')}`,
      { as: registrar },
      422,
    ],
    ['an unknown parameter', 'GET', `/api/students?${canary.query}=${canary.query}`, { as: registrar }, 422],
    ['an ignored parameter', 'GET', `/api/students?_=${canary.query}`, { as: registrar }, 200],
    ['a bad page', 'GET', `/api/students?page=${canary.query}`, { as: registrar }, 422],
    [
      'a parameter twice',
      'GET',
      `/api/students?search=${canary.search}&search=${canary.search}`,
      { as: registrar },
      400,
    ],
    ['a broken query', 'GET', `/api/students?search=${canary.search}%ff`, { as: registrar }, 400],
    ['a student', 'GET', '/api/students/1', { as: registrar }, 200],
    ['no student', 'GET', '/api/students/999999', { as: registrar }, 404],
    ['an id that is none', 'GET', `/api/students/${canary.path}`, { as: registrar }, 422],
    ['no route', 'GET', `/api/${canary.path}?${canary.query}`, {}, 404],
    ['a broken path', 'GET', `/api/students/${canary.path}%ff`, { as: registrar }, 400],
    ['another method', 'DELETE', `/api/students?${canary.query}`, {}, 405],
    ['no token', 'GET', `/api/students?access_token=${canary.query}`, {}, 401],
    [
      'a forged token',
      'GET',
      '/api/students',
      { as: `${canary.header}.${canary.header}.${canary.header}` },
      401,
    ],
    ['another scheme', 'GET', '/api/students', { headers: { authorization: `Basic ${canary.header}` } }, 401],
    [
      'other headers',
      'GET',
      '/api/health',
      {
        headers: {
          cookie: `session=${canary.header}`,
          'user-agent': canary.header,
          referer: `https://x/${canary.header}`,
          'x-request-id': canary.header,
        },
      },
      200,
    ],
    ['who I am', 'GET', '/api/auth/me', { as: registrar }, 200],
  ]

  /** Sends one case, and returns what was logged of it. */
  async function logged([what, method, url, sending, status]: Case): Promise<string> {
    const from = school.log.length
    const answer = await school.send(method, url, sending)
    assert.equal(answer.status, status, `${what}: ${answer.text}`)
    const lines = school.log.slice(from)
    if (what === 'a broken path') return lines.join('') // refused by the router, before a line is begun
    assert.ok(lines.length >= 1, `${what} has left a line`)
    const last = JSON.parse(lines.at(-1)!)
    assert.equal(last.request_id, answer.headers['x-request-id'])
    assert.equal(last.status, status)
    return lines.join('')
  }

  function withoutSecrets(text: string, what: string, token?: string): void {
    assert.doesNotMatch(text, words, what)
    for (const held of [token, registrar.token, stranger.token]) {
      for (const part of held?.split('.') ?? []) assert.ok(!text.includes(part), `${what}: a part of a token`)
    }
    assert.doesNotMatch(text, /argon2|@school\.example/, what)
  }

  it('is in no line of the log, whether it succeeds or fails', async () => {
    const all = cases()
    const statuses = new Set(all.map(([, , , , status]) => status))
    for (const status of [200, 201, 400, 401, 403, 404, 405, 409, 413, 415, 422])
      assert.ok(statuses.has(status))
    for (const each of all) withoutSecrets(await logged(each), each[0])
    for (let i = 0; i < 12; i++)
      await school.send('POST', '/api/auth/login', login({ password: 'canarywrong' }))
    withoutSecrets(await logged(['too many', 'POST', '/api/auth/login', login({}), 429]), 'too many')
    const { token } = await school.person()
    withoutSecrets(
      await logged(['a logout', 'POST', '/api/auth/logout', { as: token }, 200]),
      'a logout',
      token,
    )
    withoutSecrets(
      await logged(['a second logout', 'POST', '/api/auth/logout', { as: token }, 401]),
      'dead',
      token,
    )
  })

  it('comes back in no error: not a value that was sent', async () => {
    for (const [what, method, url, sending] of cases()) {
      const answer: Answer = await school.send(method, url, sending)
      if (answer.status < 400) continue
      // A holder is a record that is stored, shown to a caller who may see it.
      const { holder: _, ...body } = answer.body
      const { errors = [], ...rest } = body
      const isNamed = /unknown/.test(what) // of an unknown member the name is told, never the value
      const told = JSON.stringify(isNamed ? { ...rest, detail: '', message: '' } : body)
      assert.doesNotMatch(told, words, what)
      for (const { detail } of errors) assert.doesNotMatch(detail, words, what)
      assert.doesNotMatch(
        answer.text,
        /select |insert |sqlite|constraint|at .*\.ts|node_modules|\/work\//i,
        what,
      )
      assert.doesNotMatch(JSON.stringify({ ...answer.headers, 'www-authenticate': '' }), words, what)
    }
  })

  it('is in no line of the log, and in no answer, when the server itself fails', async () => {
    const broken = await openSchool({ env: { LOG_LEVEL: 'trace' } })
    const admin = await broken.person('administrator')
    const { header, claims, key } = await openSession(broken, admin)
    const token = signToken(header, claims, key.secret)
    await write(broken.db, byTest, async (db) => {
      await sql`alter table users rename column name to other_name`.execute(db)
      for (const table of ['guardian_texts', 'student_identifiers', 'settled_pairs', 'students'])
        await sql`drop table ${sql.table(table)}`.execute(db)
      await sql`drop table throttles`.execute(db)
    })
    const student = { name: canary.name, admission_number: canary.number, class_id: 1 }
    const failing: [method: string, url: string, sending: Sending][] = [
      ['POST', '/api/auth/login', login({})],
      ['POST', '/api/auth/register', account({})],
      ['GET', '/api/auth/me', { as: token }],
      ['POST', '/api/students', { as: token, body: student }],
      ['GET', `/api/students?search=${canary.search}`, { as: token }],
      ['GET', `/api/students/1?_=${canary.query}`, { as: token }],
    ]
    for (const [method, url, sending] of failing) {
      const from = broken.log.length
      const answer = await broken.send(method, url, sending)
      assert.deepEqual([answer.status, answer.body.code], [500, 'internal_error'], url)
      assert.doesNotMatch(answer.text, /table|column|sqlite|users|students|throttles/i)
      assert.doesNotMatch(answer.text, words)
      const lines = broken.log.slice(from).join('')
      assert.match(
        lines,
        /"level":"error".*no such (table|column)|has no column|does not exist/,
        'the cause is in the log',
      )
      assert.ok(lines.includes(answer.body.request_id), 'under the request_id of the answer')
      assert.doesNotMatch(lines, words)
      for (const part of token.split('.')) assert.ok(!lines.includes(part))
    }
  })

  it(
    'is in no line of the log when PostgreSQL quotes the row that it refuses',
    onlyOn('postgres'),
    async () => {
      const broken = await openSchool({ env: { LOG_LEVEL: 'trace' } })
      const as = await broken.person('registrar')
      await sql`alter table students add constraint nobody check (admission_number = '')`.execute(broken.db)
      const student = { name: canary.name, admission_number: canary.number, class_id: 1 }
      const from = broken.log.length
      const { status } = await broken.send('POST', '/api/students', { as, body: student })
      assert.equal(status, 500)
      const lines = broken.log.slice(from).join('')
      assert.match(lines, /violates check constraint/, 'the cause is in the log')
      assert.doesNotMatch(lines, words)
    },
  )

  it('is in no line of the log when a step of an import fails', async () => {
    const broken = await openSchool({ env: { LOG_LEVEL: 'trace' } })
    const importer = new Importer(broken, await broken.person('registrar'))
    const file = `name,admission_number,class\n${canary.name},${canary.number},Class 1\n`
    const planned = await importer.planned(file)
    const refusal =
      engine === 'sqlite'
        ? sql`create trigger nobody before insert on students begin select raise(abort, 'nobody'); end`
        : sql`alter table students add constraint nobody check (admission_number = '')`
    await write(broken.db, byTest, (db) => refusal.execute(db))
    const { state, failure } = await importer.applied(planned)
    assert.deepEqual([state, failure.code], ['failed', 'internal_error'])
    assert.doesNotMatch(failure.detail, words)
    const lines = broken.log.join('')
    assert.match(lines, /"state":"applying".*nobody.*a step of an import failed/, 'the cause is in the log')
    assert.doesNotMatch(lines, words)
  })

  it('stands in the log only where its level lets requests in', async () => {
    for (const [level, lines] of [
      ['info', 1],
      ['warn', 0],
      ['silent', 0],
    ] as const) {
      const { app, log } = await openSchool({ env: { LOG_LEVEL: level } })
      await app.inject('/api/classes')
      assert.equal(log.filter((line) => line.includes('"msg":"request"')).length, lines, level)
    }
  })

  it('is known to the log by ids: the request, the route’s pattern, the account', async () => {
    const from = school.log.length
    const answer = await school.get('/api/students/1?_=x', registrar)
    const { time, ms, ...line } = JSON.parse(school.log.slice(from).at(-1)!)
    assert.deepEqual(line, {
      level: 'info',
      request_id: answer.headers['x-request-id'],
      method: 'GET',
      route: '/api/students/:id',
      status: 200,
      user: registrar.id,
      msg: 'request',
    })
    assert.ok(!Number.isNaN(Date.parse(time)) && ms >= 0)
  })
})

describe('housekeeping', () => {
  it('leaves no expired session and no counter of more than a day ago', async () => {
    const school = await openSchool()
    const failure = (from: string) =>
      school.send('POST', '/api/auth/login', { body: { email: 'a@b', password: 'x' }, from })
    await school.person()
    await failure('192.0.2.1')
    await school.send('POST', '/api/auth/register', {
      body: { name: 'A', email: 'old@school.example', password: 'a long enough password' },
    })
    school.passSeconds(43_200)
    const awake = await school.person()
    await failure('192.0.2.2')
    school.passSeconds(43_199)
    await keepHouse(school.db, () => school.now(), 43_200)
    assert.equal(await school.count('sessions'), 1)
    assert.equal((await school.get('/api/auth/me', awake)).status, 200)
    school.passSeconds(2)
    await keepHouse(school.db, () => school.now(), 43_200)
    assert.equal(await school.count('sessions'), 0)
    const keys = (await school.db.selectFrom('throttles').select('key').execute()).map(({ key }) => key)
    assert.ok(keys.includes('login-address:192.0.2.2'))
    assert.ok(
      !keys.includes('login-address:192.0.2.1') && !keys.some((key) => key.startsWith('register:')),
      String(keys),
    )
  })
})
