import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { write } from '../src/events/write.ts'
import { engine, onceOnly } from './engine.ts'
import { exampleFile } from './routes.ts'
import { byTest, openSchool, type Person, type School, type Sending } from './school.ts'
import { frame, openWire, type Wire } from './wire.ts'

/** Every path that there is, and the methods of its own that it takes. */
const paths: Readonly<Record<string, readonly string[]>> = {
  '/': ['GET', 'HEAD'],
  '/api/health': ['GET', 'HEAD'],
  '/api/openapi.json': ['GET', 'HEAD'],
  '/api/docs': ['GET', 'HEAD'],
  '/api/docs/start.js': ['GET', 'HEAD'],
  '/api/docs/swagger-ui.css': ['GET', 'HEAD'],
  '/api/docs/swagger-ui-bundle.js': ['GET', 'HEAD'],
  '/api/auth/login': ['POST'],
  '/api/auth/cookie': ['POST'],
  '/api/auth/doors': ['GET', 'HEAD'],
  '/api/auth/register': ['POST'],
  '/api/auth/logout': ['POST'],
  '/api/auth/me': ['GET', 'HEAD'],
  '/api/auth/password': ['PUT'],
  '/api/auth/sessions': ['GET', 'HEAD', 'DELETE'],
  '/api/auth/sessions/1': ['DELETE'],
  '/api/users': ['GET', 'HEAD', 'POST'],
  '/api/users/1': ['DELETE', 'GET', 'HEAD', 'PATCH'],
  '/api/users/1/password': ['PUT'],
  '/api/users/1/sessions': ['DELETE'],
  '/api/users/1/roles': ['PUT'],
  '/api/permissions': ['GET', 'HEAD'],
  '/api/roles': ['GET', 'HEAD', 'POST'],
  '/api/roles/1': ['GET', 'HEAD', 'PATCH', 'DELETE'],
  '/api/fields': ['GET', 'HEAD', 'POST'],
  '/api/fields/1': ['GET', 'HEAD', 'PATCH', 'DELETE'],
  '/api/classes': ['GET', 'HEAD', 'POST'],
  '/api/classes/1': ['GET', 'HEAD', 'PATCH', 'DELETE'],
  '/api/doubles': ['GET', 'HEAD'],
  '/api/doubles/1/2': ['PUT'],
  '/api/lists': ['GET', 'HEAD', 'POST'],
  '/api/lists/1': ['GET', 'HEAD', 'PATCH', 'DELETE'],
  '/api/students': ['GET', 'HEAD', 'POST'],
  '/api/students.csv': ['GET', 'HEAD'],
  '/api/students.xlsx': ['GET', 'HEAD'],
  '/api/students/next-number': ['GET', 'HEAD'],
  '/api/students/1': ['GET', 'HEAD', 'PATCH'],
  '/api/students/1/history': ['GET', 'HEAD'],
  '/api/classes/1/history': ['GET', 'HEAD'],
  '/api/users/1/history': ['GET', 'HEAD'],
  '/api/roles/1/history': ['GET', 'HEAD'],
  '/api/about': ['GET', 'HEAD'],
  '/api/audit': ['GET', 'HEAD'],
  '/api/change-sets/1/undo': ['POST'],
  '/api/school': ['GET', 'HEAD', 'PATCH'],
  '/api/imports': ['GET', 'HEAD', 'POST'],
  '/api/imports/template.csv': ['GET', 'HEAD'],
  '/api/imports/template.xlsx': ['GET', 'HEAD'],
  '/api/imports/1': ['GET', 'HEAD', 'PATCH'],
  '/api/imports/1/rows': ['GET', 'HEAD'],
  '/api/imports/1/refused': ['GET', 'HEAD'],
  '/api/imports/1/apply': ['POST'],
  '/api/imports/1/cancel': ['POST'],
  '/api/imports/1/undo': ['POST'],
  '/api/import-mappings': ['GET', 'HEAD'],
  '/api/import-mappings/1': ['DELETE'],
}

const json = { 'content-type': 'application/json' }

describe('the order of checks', onceOnly, () => {
  let school: School
  let registrar: Person
  let stranger: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    stranger = await school.person('none')
    await school.student(registrar, { admission_number: 'taken' })
  })

  const good = { name: 'Ada', admission_number: 'taken', class_id: 1 }
  const text = { 'content-type': 'text/plain' }
  const cases: [what: string, sending: Omit<Sending, 'as'>, withUrl: string][] = [
    ['a bad type', { payload: 'x', headers: text }, ''],
    ['a body that is no JSON', { payload: '{', headers: json }, ''],
    ['no body', {}, ''],
    ['a body that is too large', { payload: 'x'.repeat(70_000), headers: json }, ''],
    ['a bad field', { body: { name: 1 } }, ''],
    ['an unknown parameter', { body: good }, '?x=1'],
    ['a taken number', { body: good }, ''],
  ]
  for (const [what, sending, query] of cases) {
    it(`tells of a missing token, then of a missing permission, before it tells of ${what}`, async () => {
      const url = `/api/students${query}`
      assert.equal((await school.send('POST', url, sending)).status, 401)
      assert.equal((await school.send('POST', url, { ...sending, as: 'forged' })).status, 401)
      assert.equal((await school.send('POST', url, { ...sending, as: stranger })).status, 403)
    })
  }

  const pairs: [first: string, second: string, status: number, sending: Omit<Sending, 'as'>, url: string][] =
    [
      ['the type', 'the JSON', 415, { payload: '{', headers: text }, '/api/students'],
      ['the type', 'an unknown parameter', 415, { payload: '{', headers: text }, '/api/students?x=1'],
      ['the JSON', 'an unknown parameter', 400, { payload: '{', headers: json }, '/api/students?x=1'],
      ['the JSON', 'a parameter given twice', 400, { payload: '{', headers: json }, '/api/students?x=1&x=2'],
      ['bad fields', 'a taken number', 422, { body: { ...good, name: '' } }, '/api/students'],
      ['an unknown class', 'a taken number', 422, { body: { ...good, class_id: 99 } }, '/api/students'],
    ]
  for (const [first, second, status, sending, url] of pairs) {
    it(`tells of ${first} before it tells of ${second}`, async () => {
      assert.equal((await school.send('POST', url, { ...sending, as: registrar })).status, status)
    })
  }

  it('tells of a wrong path or method before it asks for a token', async () => {
    assert.equal((await school.send('DELETE', '/api/students')).status, 405)
    assert.equal((await school.send('GET', '/api/nothing')).status, 404)
  })

  it('tells of a parameter given twice before it tells of an unknown one', async () => {
    assert.equal((await school.get('/api/students?x=1&page=1&page=2', registrar)).status, 400)
  })

  it('does not look at a token where none is needed', async () => {
    for (const headers of [
      { authorization: 'Bearer forged' },
      { authorization: 'Basic eDp5' },
      { authorization: '' },
    ]) {
      assert.equal((await school.send('GET', '/api/health', { headers })).status, 200)
      const body = { email: registrar.email, password: 'a long enough password' }
      assert.equal((await school.send('POST', '/api/auth/login', { headers, body })).status, 200)
    }
  })
})

describe('methods', () => {
  let school: School
  let viewer: Person
  let admin: Person
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    admin = await school.person('administrator')
    await school.post('/api/fields', { label: 'House', kind: 'text' }, admin)
    await school.student(await school.person('registrar'))
    await school.post('/api/lists', { name: 'All' }, admin)
    await school.send('POST', '/api/imports', { as: admin, ...exampleFile })
    await school.app.importJobs.idle()
  })

  it('are tested for every path there is', onceOnly, async () => {
    const { paths: described } = (await school.app.describe()) as { paths: object }
    const documented = Object.keys(described).map((path) => path.replace('{id}', '1').replace('{other}', '2'))
    for (const path of documented) assert.ok(path in paths, path)
  })

  for (const [path, own] of Object.entries(paths)) {
    const allow = [...own, 'OPTIONS'].sort()
    const allowOf = (header: unknown) => String(header).split(', ').sort()

    it(`${path} takes ${allow.join(', ')}; any other is 405 and says so`, onceOnly, async () => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
        if (own.includes(method)) continue
        for (const sending of [
          {},
          { as: viewer, body: { name: 'x' } },
          { payload: 'x', headers: { 'content-type': 'a/b' } },
        ]) {
          const answer = await school.send(method, path, sending)
          assert.equal(answer.status, 405, `${method} ${path}`)
          assert.deepEqual(allowOf(answer.headers.allow), allow)
          if (method !== 'HEAD') assert.equal(answer.body.code, 'method_not_allowed')
        }
      }
    })

    it(`OPTIONS ${path} is 204 and lists them, with no token`, onceOnly, async () => {
      const answer = await school.send('OPTIONS', path)
      assert.equal(answer.status, 204)
      assert.equal(answer.text, '')
      assert.deepEqual(allowOf(answer.headers.allow), allow)
    })

    if (own.includes('HEAD')) {
      it(`HEAD ${path} has the headers of GET, the same length, and no body`, async () => {
        const get = await school.get(path, admin)
        const head = await school.send('HEAD', path, { as: admin })
        assert.ok(get.status < 400)
        assert.equal(head.status, get.status)
        assert.equal(head.text, '')
        const { 'x-request-id': _1, date: _2, ...headers } = head.headers
        const { 'x-request-id': _3, date: _4, 'transfer-encoding': coding, ...expected } = get.headers
        assert.deepEqual(headers, expected)
        if (coding === 'chunked') return // the length is not known before
        assert.equal(Number(headers['content-length']), Buffer.byteLength(get.text))
      })
    }
  }

  it('HEAD is guarded as GET is', async () => {
    assert.equal((await school.send('HEAD', '/api/students')).status, 401)
    assert.equal(
      (await school.send('HEAD', '/api/students', { as: await school.person('none') })).status,
      403,
    )
    assert.equal((await school.send('HEAD', '/api/students/99', { as: viewer })).status, 404)
  })

  it('that nobody knows are 501, on any path', onceOnly, async () => {
    for (const method of ['PROPFIND', 'MKCOL', 'PURGE', 'LINK', 'QUERY', 'M-SEARCH']) {
      for (const path of ['/api/students', '/nowhere']) {
        const answer = await school.send(method, path, { as: viewer })
        assert.deepEqual(
          [answer.status, answer.body.code],
          [501, 'method_not_implemented'],
          `${method} ${path}`,
        )
      }
    }
  })
})

describe('paths', onceOnly, () => {
  let school: School
  let wire: Wire
  let viewer: Person
  let stranger: Person
  before(async () => {
    school = await openSchool()
    wire = await openWire(school)
    viewer = await school.person('viewer')
    stranger = await school.person('none')
  })

  /** Sent as it stands here, with none of a client's tidying. */
  async function statusOf(target: string, as?: Person): Promise<number> {
    const lines = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close']
    if (as) lines.push(`Authorization: Bearer ${as.token}`)
    const { answers } = await wire.exchange(frame(lines))
    return answers[0]!.status
  }

  const same = [
    '/api/students',
    '/api/students/',
    '//api/students',
    '/api//students',
    '///api///students///',
    '/%61pi/students',
    '/api/%73tudents',
    '/api/student%73',
    '/api/students?',
    'http://localhost/api/students',
    'http://evil.example:99/api/students',
    'HTTPS://evil.example//api/students/',
  ]
  for (const target of same) {
    it(`${target} is /api/students, with its guard`, async () => {
      assert.equal(await statusOf(target), 401)
      assert.equal(await statusOf(target, stranger), 403)
      assert.equal(await statusOf(target, viewer), 200)
    })
  }

  const others = [
    '/API/students',
    '/api/Students',
    '/api/./students',
    '/api/../api/students',
    '/x/../api/students',
    '/api/%2e/students',
    '/api%2fstudents',
    '/api%2Fstudents',
    '/api/%2fstudents',
    '/api/students;x',
    '/api/students%00',
    '/api/students%20',
    '/api/students.json',
    '/api\\students',
    '/api/%2561tudents',
    '/students',
    '/api',
    '/api/',
    '/api/students/1/2',
    '/.env',
    '/api/docs/../../package.json',
    '/api/docs/%2e%2e%2fpackage.json',
    'ftp://localhost/api/students',
  ]
  for (const target of others) {
    it(`${target} is nothing: 404, to whoever asks`, async () => {
      for (const who of [undefined, stranger, viewer]) assert.equal(await statusOf(target, who), 404)
    })
  }

  it('that are no percent-encoded UTF-8 are refused', async () => {
    for (const target of ['/api/students/%', '/api/students/%zz', '/%ff', '/api/%c3tudents']) {
      const { answers } = await wire.exchange(
        frame([`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close']),
      )
      assert.deepEqual([answers[0]!.status, answers[0]!.body.code], [400, 'malformed_request'], target)
    }
  })

  it('are said to be nothing in one way, with where to look', async () => {
    const answer = await school.get('/nowhere')
    assert.deepEqual([answer.status, answer.body.code], [404, 'route_not_found'])
    assert.match(answer.body.detail, /\/api\/openapi\.json/)
    assert.doesNotMatch(answer.text, /nowhere/)
  })
})

describe('what a request says of itself', onceOnly, () => {
  let school: School
  let viewer: Person
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
  })

  it('does not change the kind of answer: JSON to those who accept HTML or nothing', async () => {
    for (const accept of ['text/html', 'application/xml', 'image/*;q=0.1', '*/*;q=0', 'nonsense', '']) {
      const good = await school.send('GET', '/api/students', { as: viewer, headers: { accept } })
      assert.equal(good.status, 200)
      assert.match(String(good.headers['content-type']), /^application\/json/)
      const bad = await school.send('GET', '/api/students', { headers: { accept } })
      assert.equal(bad.status, 401)
      assert.match(String(bad.headers['content-type']), /^application\/problem\+json/)
    }
  })

  const claims: Record<string, string>[] = [
    { 'x-forwarded-for': '10.9.9.9', forwarded: 'for=10.9.9.9;host=evil.example;proto=https' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '99' },
    { 'x-original-url': '/api/health', 'x-rewrite-url': '/api/health' },
    { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
    { host: 'evil.example' },
    { 'x-request-id': 'chosen by the caller', 'request-id': 'chosen by the caller' },
    { 'accept-encoding': 'gzip', 'if-none-match': '*', range: 'bytes=0-1' },
  ]
  for (const headers of claims) {
    it(`changes nothing: ${Object.keys(headers).join(', ')}`, async () => {
      const plain = await school.get('/api/students', viewer)
      const answer = await school.send('GET', '/api/students', { as: viewer, headers })
      const { 'x-request-id': id, date: _, ...seen } = answer.headers
      const { 'x-request-id': __, date: ___, ...expected } = plain.headers
      assert.deepEqual([answer.status, seen, answer.body], [200, expected, plain.body])
      assert.notEqual(id, headers['x-request-id'])
      assert.doesNotMatch(JSON.stringify(answer), /evil|10\.9\.9/)
      assert.equal((await school.send('GET', '/api/students', { headers })).status, 401)
    })
  }
})

describe('a fault of the server', () => {
  it('is a 500 that says nothing of it, and is logged under the same request id', async () => {
    const school = await openSchool()
    const viewer = await school.person('viewer')
    await write(school.db, byTest, async (db) => {
      const broken = engine === 'sqlite' ? 'drop table student_search' : 'drop table students cascade'
      await sql.raw(broken).execute(db)
    })
    const answer = await school.get('/api/students?search=secretive', viewer)
    assert.deepEqual([answer.status, answer.body.code], [500, 'internal_error'])
    assert.doesNotMatch(answer.text, /student|table|SQL|sqlite|node_modules|at /i)
    const lines = school.log.map((line) => JSON.parse(line))
    const fault = lines.find(
      ({ request_id, level }) => level === 'error' && request_id === answer.body.request_id,
    )
    assert.match(fault.fault.message, /no such table|does not exist/)
    // What else a driver tells of an error may hold values.
    assert.deepEqual(Object.keys(fault.fault).toSorted(), ['message', 'stack', 'type'])
    assert.doesNotMatch(school.log.join(''), /secretive/)
    assert.equal((await school.get('/api/health')).status, 200)
  })
})

describe('overload', onceOnly, () => {
  it('sheds requests after the event loop was held up for over a second, but not health, and recovers', async () => {
    const school = await openSchool()
    const viewer = await school.person('viewer')
    const list = () => school.send('GET', '/api/students', { as: viewer, once: true })
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const holdUp = async (ms: number) => {
      await turn()
      for (const end = performance.now() + ms; performance.now() < end; );
      await turn()
      await turn()
    }
    await holdUp(300)
    assert.equal((await list()).status, 200)
    await holdUp(1_600)
    const answers = await Promise.all([list(), school.get('/api/health')])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 200],
    )
    assert.equal(answers[0].body.code, 'overloaded')
    let answer = answers[0]
    while (answer.status === 503) {
      await turn()
      answer = await list()
    }
    assert.equal(answer.status, 200)
  })
})
