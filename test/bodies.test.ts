import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { cpuMs } from './cpu-time.ts'
import { type Answer, openSchool, type Person, type School } from './school.ts'
import { frame, openWire, type Wire } from './wire.ts'

const json = { 'content-type': 'application/json' }
const limit = 65_536

describe('a request body', () => {
  let school: School
  let registrar: Person
  let wire: Wire
  let lastNumber = 0
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    wire = await openWire(school)
  })

  const student = () => JSON.stringify({ name: 'Ada', admission_number: `b-${++lastNumber}`, class_id: 1 })
  const create = (payload: string | Buffer, headers: Record<string, string> = json) =>
    school.send('POST', '/api/students', { as: registrar, payload, headers })

  /** Sent as these header lines, on a real connection. */
  async function createOverWire(body: string, lines: readonly string[]): Promise<Answer> {
    const { answers } = await wire.exchange(
      frame(
        [
          'POST /api/students HTTP/1.1',
          'Host: localhost',
          'Connection: close',
          `Authorization: Bearer ${registrar.token}`,
          `Content-Length: ${Buffer.byteLength(body)}`,
          ...lines,
        ],
        body,
      ),
    )
    assert.equal(answers.length, 1)
    return answers[0]!
  }

  const accepted = [
    'Content-Type: application/json',
    'content-type:application/json',
    'CONTENT-TYPE: Application/JSON',
    'Content-Type: \t application/json \t',
    'Content-Type: application/json;charset=utf-8',
    'Content-Type: application/json; charset=UTF-8',
    'Content-Type: application/json ; charset=utf8',
    'Content-Type: application/json;\tcharset="utf-8"',
    'Content-Type: application/json; charset="US-ASCII"',
    'Content-Type: application/json; CHARSET=us-ascii',
    'Content-Type: application/json;',
    'Content-Type: application/json\r\nContent-Encoding: identity',
  ]
  for (const line of accepted) {
    it(`is read, and checked, when it comes with ${JSON.stringify(line)}`, async () => {
      assert.equal((await createOverWire(student(), line.split('\r\n'))).status, 201)
      assert.equal((await createOverWire('{"name":1}', line.split('\r\n'))).status, 422)
    })
  }

  const otherTypes = [
    'X-Nothing: 1',
    'Content-Type:',
    'Content-Type: text/plain',
    'Content-Type: text/json',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Type: application/octet-stream',
    'Content-Type: application/problem+json',
    'Content-Type: application/vnd.api+json',
    'Content-Type: application/jsonp',
    'Content-Type: application/json x',
    'Content-Type: application/ json',
    'Content-Type: application',
    'Content-Type: ;application/json',
    'Content-Type: ,application/json',
    'Content-Type: application/json, application/json',
    'Content-Type: text/plain, application/json',
    'Content-Type: application/json; charset=utf-16',
    'Content-Type: application/json; charset=iso-8859-1',
    'Content-Type: application/json; charset=utf-7',
    'Content-Type: application/json; charset=',
    'Content-Type: application/json; charset=utf-8; charset=utf-16',
    'Content-Type: application/json\xa0',
    'Content-Type: *',
    'Content-Type: */*',
    'Content-Type: __proto__',
    'Content-Type: application/json\r\nContent-Encoding: gzip',
    'Content-Type: application/json\r\nContent-Encoding: br',
    'Content-Type: application/json\r\nContent-Encoding: identity, gzip',
    'Content-Type: application/json\r\nContent-Encoding: x',
  ]
  for (const line of otherTypes) {
    it(`is refused when it comes with ${JSON.stringify(line)}, and nothing is written`, async () => {
      const before = await school.count('students')
      const answer = await createOverWire(student(), line.split('\r\n'))
      assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported_media_type'])
      assert.equal(await school.count('students'), before)
    })
  }

  it('is never read by a second Content-Type: of two, the body must fit the first', async () => {
    const types = ['Content-Type: application/json', 'Content-Type: text/plain']
    assert.equal((await createOverWire('{"name":1}', types)).status, 422)
    assert.equal((await createOverWire(student(), types.toReversed())).status, 415)
  })

  it('is refused with what would be right: the type in Accept, the coding in Accept-Encoding', async () => {
    assert.equal((await create('x', { 'content-type': 'text/plain' })).headers.accept, 'application/json')
    const gzip = await create('x', { ...json, 'content-encoding': 'gzip' })
    assert.equal(gzip.headers['accept-encoding'], 'identity')
  })

  const malformed: [what: string, body: string | Buffer][] = [
    ['nothing', ''],
    ['a space', ' '],
    ['half an object', '{"name":'],
    ['a trailing comma', '{"name":"Ada",}'],
    ['NaN', '{"class_id":NaN}'],
    ['Infinity', '{"class_id":Infinity}'],
    ['a hexadecimal number', '{"class_id":0x1}'],
    ['a leading zero', '{"class_id":01}'],
    ['a leading plus', '{"class_id":+1}'],
    ['single quotes', "{'name':'Ada'}"],
    ['a comment', '{/**/}'],
    ['undefined', 'undefined'],
    ['two documents', '{}{}'],
    ['a raw line break in a string', '{"name":"A\nB"}'],
    ['a raw NUL', '{"name":"A\0"}'],
    ['a NUL after the end', '{}\0'],
    ['a form', 'name=Ada&class_id=1'],
    ['XML', '<student/>'],
    ['thirty thousand brackets', '['.repeat(30_000)],
    ['ten thousand open objects', '{"a":'.repeat(10_000)],
    ['a lone continuation byte', Buffer.from('{"name":"\x80"}', 'latin1')],
    ['a cut sequence', Buffer.from('{"name":"\xc3"}', 'latin1')],
    ['an overlong slash', Buffer.from('{"name":"\xc0\xaf"}', 'latin1')],
    ['a surrogate in UTF-8', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
    ['a byte that UTF-8 never has', Buffer.from('{"name":"\xff"}', 'latin1')],
    ['Latin-1', Buffer.from('{"name":"Zo\xeb"}', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{"name":"Ada"}', 'utf16le')],
    ['two BOMs', '\ufeff\ufeff{}'],
    ['a BOM and nothing', '\ufeff'],
  ]
  for (const [what, body] of malformed) {
    it(`of ${what} is no JSON`, async () => {
      const answer = await create(body)
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_json'], answer.text)
      assert.equal(answer.body.errors, undefined)
    })
  }

  it('says whether it is empty, no JSON, or no UTF-8', async () => {
    const detailOf = async (body: string | Buffer) => (await create(body)).body.detail
    assert.match(await detailOf(''), /is empty/)
    assert.match(await detailOf('{'), /not valid JSON/)
    assert.match(await detailOf(Buffer.from([0xff])), /not valid UTF-8/)
  })

  for (const body of [
    'null',
    '[]',
    '[{}]',
    '"text"',
    '5',
    'true',
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  ]) {
    it(`of ${body.slice(0, 10)} is JSON, but no object`, async () => {
      const answer = await create(body)
      assert.equal(answer.status, 422)
      assert.deepEqual(answer.body.errors, [
        { pointer: '', code: 'wrong_type', detail: 'must be a JSON object', params: { types: ['object'] } },
      ])
    })
  }

  for (const member of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    it(`with a member ${member} is refused, and touches no prototype`, async () => {
      const payload = `{"${member}":{"name":"Eve","isAdmin":true},"admission_number":"p","class_id":1,"name":"x"}`
      const answer = await create(payload)
      assert.equal(answer.status, 422)
      assert.deepEqual(
        answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
        [`/${member}`],
      )
      assert.equal(({} as Record<string, unknown>).isAdmin, undefined)
    })
  }

  it('does not take a required member from a prototype', async () => {
    const answer = await create('{"__proto__":{"name":"Eve","admission_number":"p-1","class_id":1}}')
    assert.deepEqual(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
      '/__proto__',
      '/admission_number',
      '/class_id',
      '/name',
    ])
  })

  it('may begin with one BOM, and be in UTF-8 of any script', async () => {
    const body = `\ufeff{"name":"李 Zoë 🎓","admission_number":"bom-${++lastNumber}","class_id":1}`
    const answer = await create(body)
    assert.equal(answer.status, 201)
    const read = await school.get(String(answer.headers.location), registrar)
    assert.equal(read.body.data.name, '李 Zoë 🎓')
  })

  it('of 64 KiB is read, and of one byte more is refused', async () => {
    const most = student().padEnd(limit)
    assert.equal((await createOverWire(most, ['Content-Type: application/json'])).status, 201)
    const answer = await createOverWire(`${student().padEnd(limit)} `, ['Content-Type: application/json'])
    assert.deepEqual([answer.status, answer.body.code], [413, 'body_too_large'])
    assert.equal(answer.headers.connection, 'close')
  })

  it('is counted as it comes when no length was given', async () => {
    const lines = [
      'POST /api/students HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Authorization: Bearer ${registrar.token}`,
      'Transfer-Encoding: chunked',
    ]
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
    const most = student().padEnd(limit)
    const chunks = [chunk(most.slice(0, 40_000)), chunk(most.slice(40_000))]
    const whole = await wire.exchange(frame([...lines, 'Connection: close']), ...chunks, '0\r\n\r\n')
    assert.deepEqual(
      whole.answers.map(({ status }) => status),
      [201],
    )
    await wire.refusal(413, 'body_too_large', frame(lines), ...chunks, chunk(' '))
    const endless = Array.from({ length: 40 }, () => chunk('x'.repeat(60_000)))
    await wire.refusal(413, 'body_too_large', frame(lines), ...endless)
  })

  it('that is hostile costs under 50 ms of CPU: deep, wide, or all numbers', async () => {
    const hostile = [
      '['.repeat(30_000),
      `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      `{"name":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
      JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`m${i}`, 0]))),
      `[${'1,'.repeat(32_000)}1]`,
      `{"class_id":1${'0'.repeat(60_000)}}`,
      `{"name":"${'\\u0301'.repeat(10_000)}"}`,
      `{"name":"a${'\u0301'.repeat(16_000)}${'\u0316'.repeat(15_900)}"}`,
    ]
    await create('{}')
    const headers = { ...json, authorization: `Bearer ${registrar.token}` }
    for (const payload of hostile) {
      const ms = await cpuMs(async () => {
        const { statusCode } = await school.app.inject({
          ...{ method: 'POST', url: '/api/students', payload, headers },
        })
        assert.ok(statusCode === 400 || statusCode === 422, `${statusCode}`)
      })
      assert.ok(ms < 50, `${payload.slice(0, 20)}… took ${ms} ms of CPU`)
    }
  })
})

describe('a route without a body', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  /** As clients send them that always send something. */
  const habits: [who: string, headers: Record<string, string>, payload?: string][] = [
    ['a client that sends nothing', {}],
    ['axios, JSON type and nothing', { 'content-type': 'application/json' }],
    ['axios, null', { 'content-type': 'application/json' }, 'null'],
    ['fetch with an empty array', { 'content-type': 'application/json' }, '[]'],
    ['fetch with an empty object', { 'content-type': 'application/json' }, '{}'],
    ["curl -d ''", { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }, ''],
    ['wget --post-data', { 'content-type': 'application/x-www-form-urlencoded' }, 'x=1'],
    ["Python's urllib", { 'content-type': 'application/x-www-form-urlencoded' }, 'a=b&c=d'],
    ['PHP with a form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--\r\n'],
    ['a client with broken JSON', { 'content-type': 'application/json' }, '{"a":'],
    ['a client with bytes that are no text', { 'content-type': 'application/json' }, '\xff\0'],
    ['a client with a strange type', { 'content-type': ';;;' }, 'x'],
    ['a client with a text type', { 'content-type': 'text/plain; charset=utf-16' }, 'x'],
    ['a client with a coding', { 'content-encoding': 'gzip', 'content-type': 'application/json' }, 'x'],
    ['a client that fills the limit', { 'content-type': 'application/json' }, 'x'.repeat(limit)],
  ]
  for (const [who, headers, payload] of habits) {
    it(`logs out ${who}`, async () => {
      const person = await school.person('viewer')
      const sending = { as: person, headers, ...(payload !== undefined && { payload }) }
      const answer = await school.send('POST', '/api/auth/logout', sending)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body, { success: true, message: 'Logged out' })
      assert.equal((await school.get('/api/auth/me', person)).status, 401)
    })
  }

  it('reads for all of them too: GET and HEAD ignore a body and its type', async () => {
    const viewer = await school.person('viewer')
    for (const [who, headers, payload] of habits) {
      for (const [method, url] of [
        ['GET', '/api/students'],
        ['HEAD', '/api/students'],
        ['GET', '/api/health'],
        ['GET', '/api/auth/me'],
      ] as const) {
        const sending = { as: viewer, headers, ...(payload !== undefined && { payload }) }
        const answer = await school.send(method, url, sending)
        assert.equal(answer.status, 200, `${method} ${url} by ${who}`)
      }
    }
  })

  it('refuses more than the limit all the same, and logs nobody out', async () => {
    const person = await school.person('viewer')
    const sending = { as: person, payload: 'x'.repeat(limit + 1) }
    for (const [method, url] of [
      ['POST', '/api/auth/logout'],
      ['GET', '/api/students'],
      ['GET', '/api/health'],
    ] as const) {
      const answer = await school.send(method, url, sending)
      assert.deepEqual([answer.status, answer.body.code], [413, 'body_too_large'], `${method} ${url}`)
    }
    assert.equal((await school.get('/api/auth/me', person)).status, 200)
  })
})
