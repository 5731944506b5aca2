import assert from 'node:assert/strict'
import { afterEach, before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from './school.ts'
import { frame, openWire, type Wire } from './wire.ts'

const host = 'Host: localhost'
const close = 'Connection: close'
const jsonType = 'Content-Type: application/json'

describe('what comes over the wire', () => {
  let school: School
  let wire: Wire
  let registrar: Person
  let bearer: string
  let lastNumber = 0
  before(async () => {
    school = await openSchool()
    wire = await openWire(school)
    registrar = await school.person('registrar')
    bearer = `Authorization: Bearer ${registrar.token}`
  })
  afterEach(() => wire.assertAlive())

  const student = () => JSON.stringify({ name: 'Ada', admission_number: `w-${++lastNumber}`, class_id: 1 })
  /** A whole request that creates a student. */
  function creation(lines: readonly string[] = []): string {
    const body = student()
    const length = `Content-Length: ${body.length}`
    return frame(['POST /api/students HTTP/1.1', host, bearer, jsonType, length, ...lines], body)
  }
  const get = (...lines: string[]) => frame(['GET /api/health HTTP/1.1', host, ...lines])
  const post = (...lines: string[]) =>
    frame(['POST /api/students HTTP/1.1', host, bearer, jsonType, ...lines])

  it('may be a page whose address is no text: it is refused, and the server goes on', {
    timeout: 20_000,
  }, async () => {
    for (const path of ['/%ff', '/%', '/%e0%a4/x'])
      await wire.refusal(
        400,
        'malformed_request',
        frame([`GET ${path} HTTP/1.1`, host, 'Accept: text/html', close]),
      )
  })

  /** What is malformed, each on a connection of its own. */
  const malformed: [what: string, request: () => string | Buffer][] = [
    [
      'a Content-Length beside a Transfer-Encoding',
      () => `${post('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    [
      'a Transfer-Encoding beside a Content-Length',
      () => `${post('Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n`,
    ],
    ['two Content-Lengths', () => `${post('Content-Length: 4', 'Content-Length: 5')}abcde`],
    ['two equal Content-Lengths', () => `${post('Content-Length: 4', 'Content-Length: 4')}abcd`],
    ['a list of Content-Lengths', () => `${post('Content-Length: 4, 4')}abcd`],
    ['a negative Content-Length', () => post('Content-Length: -1')],
    ['a Content-Length with a plus', () => `${post('Content-Length: +4')}abcd`],
    ['a hexadecimal Content-Length', () => `${post('Content-Length: 0x4')}abcd`],
    ['an empty Content-Length', () => post('Content-Length:')],
    ['a Content-Length beyond 2^64', () => post('Content-Length: 99999999999999999999')],
    [
      'a Transfer-Encoding that does not end in chunked',
      () => `${post('Transfer-Encoding: chunked, gzip')}0\r\n\r\n`,
    ],
    ['a Transfer-Encoding that nobody knows', () => `${post('Transfer-Encoding: xchunked')}0\r\n\r\n`],
    ['a chunk size that is no number', () => `${post('Transfer-Encoding: chunked')}zz\r\nabc\r\n0\r\n\r\n`],
    ['a chunk longer than it says', () => `${post('Transfer-Encoding: chunked')}2\r\nabc\r\n0\r\n\r\n`],
    ['a chunk size beyond 2^64', () => `${post('Transfer-Encoding: chunked')}fffffffffffffffff\r\nabc`],
    ['a negative chunk size', () => `${post('Transfer-Encoding: chunked')}-1\r\nabc\r\n0\r\n\r\n`],
    ['a chunk that ends in LF', () => `${post('Transfer-Encoding: chunked')}2\n{}\n0\n\n`],
    ['lines that end in LF', () => 'GET /api/health HTTP/1.1\nHost: localhost\n\n'],
    ['lines that end in CR', () => 'GET /api/health HTTP/1.1\rHost: localhost\r\r'],
    ['one line that ends in LF', () => 'GET /api/health HTTP/1.1\r\nHost: localhost\nX: 1\r\n\r\n'],
    ['a line break folded into a header', () => get('X: 1', ' 2')],
    ['a space before a colon', () => get('X : 1')],
    ['a header with no colon', () => get('nonsense')],
    ['a header with no name', () => get(': 1')],
    ['a NUL in a header', () => get('X: a\0b')],
    ['a NUL in the path', () => frame(['GET /api/\0health HTTP/1.1', host])],
    ['a space in the path', () => frame(['GET /api/hea lth HTTP/1.1', host])],
    ['raw UTF-8 in the path', () => Buffer.from(frame(['GET /api/Zoë HTTP/1.1', host]))],
    ['no Host', () => frame(['GET /api/health HTTP/1.1'])],
    ['two Hosts', () => get('Host: localhost')],
    ['two different Hosts', () => get('hOST: evil.example')],
    ['an absolute target beside two Hosts', () => frame(['GET http://a/api/health HTTP/1.1', host, host])],
    ['a method that HTTP does not know', () => frame(['BREW /api/health HTTP/1.1', host])],
    ['a method in lower case', () => frame(['get /api/health HTTP/1.1', host])],
    ['no path', () => frame(['GET HTTP/1.1', host])],
    ...[
      'a b',
      '@',
      'user@localhost',
      'localhost/x',
      'a:b',
      'localhost:80:80',
      '[::1',
      'a\\b',
      'Zo\xeb',
      '<a>',
      '%',
    ].map((none): [string, () => string] => [
      `the Host ${none}`,
      () => frame(['GET /api/health HTTP/1.1', `Host: ${none}`]),
    ]),
    ['a request line without a version', () => frame(['GET /api/health', host])],
    ['HTTP/0.9', () => frame(['GET /api/health HTTP/0.9', host])],
    ['HTTP/2.0', () => frame(['GET /api/health HTTP/2.0', host])],
    ['HTTP/1.2', () => frame(['GET /api/health HTTP/1.2', host])],
    ['HTTP/2 by prior knowledge', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS hello', () => Buffer.from('1603010200010001fc0303aabbccddeeff00112233445566778899', 'hex')],
    ['an SSH greeting', () => 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['bytes without a meaning', () => Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])],
    ['a JSON document', () => '{"name":"Ada"}\r\n\r\n'],
  ]
  for (const [what, request] of malformed) {
    it(`refuses ${what} with 400, and closes`, async () => {
      const before = await school.count('students')
      await wire.refusal(400, 'malformed_request', request())
      assert.equal(await school.count('students'), before)
    })
  }

  const codings = [
    ['Transfer-Encoding: gzip, chunked'],
    ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
    ['transfer-encoding: identity, chunked'],
  ]
  for (const lines of codings) {
    it(`refuses ${lines.join(', then ')} with 501, and closes`, async () => {
      const before = await school.count('students')
      const body = student()
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      await wire.refusal(501, 'transfer_coding_not_implemented', post(...lines) + chunks)
      assert.equal(await school.count('students'), before)
    })
  }

  it('refuses two Authorization headers where one is read, whatever they are', async () => {
    const request = (...lines: string[]) => frame(['GET /api/students HTTP/1.1', host, ...lines])
    await wire.refusal(400, 'malformed_request', request(bearer, bearer))
    await wire.refusal(400, 'malformed_request', request(bearer, 'authorization: Bearer other'))
    await wire.refusal(400, 'malformed_request', request('AUTHORIZATION: Basic eDp5', bearer))
    const { answers } = await wire.exchange(get(close, bearer, bearer))
    assert.equal(answers[0]!.status, 200)
  })

  const tooMuch: [what: string, status: number, code: string, request: () => string][] = [
    ['a header of 20 KiB', 431, 'headers_too_large', () => get(`X: ${'a'.repeat(20_480)}`)],
    ['a header of 40 KB', 431, 'headers_too_large', () => get(`X: ${'a'.repeat(40_000)}`)],
    ['a header of a megabyte', 431, 'headers_too_large', () => get(`X: ${'a'.repeat(1_000_000)}`)],
    ['a header name of 20 KiB', 431, 'headers_too_large', () => get(`${'a'.repeat(20_480)}: 1`)],
    [
      'headers of 20 KiB in all',
      431,
      'headers_too_large',
      () => get(...Array(20).fill(`X: ${'a'.repeat(1024)}`)),
    ],
    [
      '101 headers',
      431,
      'headers_too_large',
      () => get(...Array.from({ length: 100 }, (_, i) => `X${i}: 1`)),
    ],
    ['a header repeated 2500 times', 431, 'headers_too_large', () => get(...Array(2500).fill('a: 1'))],
    ['a token of 20 KiB', 431, 'headers_too_large', () => get(`Authorization: Bearer ${'a'.repeat(20_480)}`)],
    [
      'a URL of 9 KB',
      414,
      'uri_too_long',
      () => frame([`GET /api/health?_=${'a'.repeat(9_000)} HTTP/1.1`, host]),
    ],
    ['a URL of 17 KiB', 414, 'uri_too_long', () => frame([`GET /${'a'.repeat(17 * 1024)} HTTP/1.1`, host])],
    ['a URL of 100 KB', 414, 'uri_too_long', () => frame([`GET /?_=${'a'.repeat(100_000)} HTTP/1.1`, host])],
    [
      'an id of 9 KB',
      414,
      'uri_too_long',
      () => frame([`GET /api/students/${'1'.repeat(9_000)} HTTP/1.1`, host, bearer]),
    ],
  ]
  for (const [what, status, code, request] of tooMuch) {
    it(`refuses ${what} with ${status}, and closes`, async () => {
      await wire.refusal(status, code, request())
    })
  }

  const harmless: [what: string, request: () => string | Buffer][] = [
    ['a hundred headers', () => get(close, ...Array.from({ length: 98 }, (_, i) => `X${i}: 1`))],
    ['a URL of 8 KB', () => frame([`GET /api/health?_=${'a'.repeat(8_000)} HTTP/1.1`, host, close])],
    [
      'headers named __proto__ and constructor',
      () => get(close, '__proto__: x', '__proto__: y', 'constructor: z', 'toString: a', 'hasOwnProperty: b'),
    ],
    ['letters outside ASCII in a header', () => get(close, 'X-Name: Zo\xeb \xff\x80')],
    ['UTF-8 in a header', () => Buffer.from(get(close, 'X-Name: 李'))],
    ['an empty Host', () => frame(['GET /api/health HTTP/1.1', 'Host:', close])],
    ...['localhost:', '[::1]:80', '192.0.2.1:8080', 'xn--mnchen-3ya.example', 'school_1.example', ':80'].map(
      (name): [string, () => string] => [
        `the Host ${name}`,
        () => frame(['GET /api/health HTTP/1.1', `Host: ${name}`, close]),
      ],
    ),
    ['a Host of another', () => frame(['GET /api/health HTTP/1.1', 'Host: evil.example:99', close])],
    ['HTTP/1.0 without a Host', () => frame(['GET /api/health HTTP/1.0'])],
    ['an absolute target', () => frame(['GET http://evil.example/api/health HTTP/1.1', host, close])],
    ['an empty line before the request', () => `\r\n\r\n${get(close)}`],
    [
      'an upgrade to WebSocket',
      () =>
        get(
          'Connection: Upgrade, close',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ),
    ],
    [
      'an upgrade to HTTP/2',
      () =>
        get('Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
    ],
    ['an expectation of 100-continue with no body', () => get(close, 'Expect: 100-continue')],
    ['a body that nobody reads', () => `${get(close, 'Content-Length: 3')}abc`],
    [
      'trailers',
      () => `${get(close, 'Transfer-Encoding: chunked', 'Trailer: X')}1\r\na\r\n0\r\nX: 1\r\n\r\n`,
    ],
    ['bytes one at a time', () => get(close)],
  ]
  for (const [what, request] of harmless) {
    it(`answers in spite of ${what}`, async () => {
      const bytes = request()
      const pieces = what === 'bytes one at a time' ? [...String(bytes)] : [bytes]
      const { answers } = await wire.exchange(...pieces)
      const final = answers.filter(({ status }) => status >= 200)
      assert.deepEqual(
        final.map(({ status, body }) => [status, body.status]),
        [[200, 'healthy']],
      )
    })
  }

  it('serves a target in absolute form with the checks of its path', async () => {
    const request = (...lines: string[]) =>
      frame(['GET http://localhost/api/students HTTP/1.1', host, close, ...lines])
    const statuses = []
    for (const lines of [[], ['Authorization: Bearer forged'], [bearer]]) {
      statuses.push((await wire.exchange(request(...lines))).answers[0]!.status)
    }
    assert.deepEqual(statuses, [401, 401, 200])
  })

  it('answers requests that follow each other on one connection, in their order', async () => {
    const requests = [creation(), get(), frame(['GET /nowhere HTTP/1.1', host]), creation([close])]
    const { answers } = await wire.exchange(requests.join(''))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200, 404, 201],
    )
    const ids = [answers[0]!, answers[3]!].map(({ body }) => body.data.id)
    assert.equal(ids[1], ids[0] + 1)
  })

  it('answers a whole request before it refuses the garbage behind it', async () => {
    const { answers } = await wire.exchange(`${creation()}${creation()}GARBAGE\r\n\r\n`)
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.code]),
      [
        [201, undefined],
        [201, undefined],
        [400, 'malformed_request'],
      ],
    )
    const connect = frame(['CONNECT localhost:80 HTTP/1.1', host])
    const { answers: others } = await wire.exchange(creation() + connect)
    assert.deepEqual(
      others.map(({ status }) => status),
      [201, 501],
    )
  })

  const carriers: [what: string, carrier: () => string][] = [
    ['a body of two lengths', () => post('Content-Length: 0', 'Transfer-Encoding: chunked')],
    ['a body with a bad chunk', () => `${post('Transfer-Encoding: chunked')}x\r\n`],
    ['two Hosts', () => frame(['GET /api/health HTTP/1.1', host, host])],
    ['no Host', () => frame(['GET /api/health HTTP/1.1'])],
    ['an unknown method', () => frame(['BREW / HTTP/1.1', host])],
    ['a method that is not served', () => frame(['PROPFIND / HTTP/1.1', host])],
    ['a strange expectation', () => get('Expect: miracles')],
    ['a CONNECT', () => frame(['CONNECT localhost:80 HTTP/1.1', host])],
    ['too many headers', () => get(...Array(101).fill('a: 1'))],
    ['too long a URL', () => frame([`GET /${'a'.repeat(9_000)} HTTP/1.1`, host])],
    ['too large a body', () => post('Content-Length: 70000')],
    ['a last request', () => get(close)],
  ]
  for (const [what, carrier] of carriers) {
    it(`never runs a request that is smuggled in behind ${what}`, async () => {
      const before = await school.count('students')
      const { answers } = await wire.exchange(carrier() + creation())
      assert.equal(answers.length, 1)
      await wire.assertAlive()
      assert.equal(await school.count('students'), before)
    })
  }

  it('takes what is behind a short Content-Length for the next request, never for the body', async () => {
    const before = await school.count('students')
    const body = student()
    const request = post(`Content-Length: ${body.length - 1}`) + body
    await wire.refusal(400, 'malformed_json', request)
    assert.equal(await school.count('students'), before)
  })

  it('says go on when the client expects 100-continue, and reads the body then', async () => {
    const { answers } = await wire.exchange(creation([close, 'Expect: 100-continue']))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [100, 201],
    )
    const { answers: refused } = await wire.exchange(creation([close, 'Expect: 100-Continue']))
    assert.deepEqual(
      refused.map(({ status }) => status),
      [100, 201],
    )
  })

  it('does not say go on where it refuses: no file is sent in vain', async () => {
    const length = 'Content-Length: 20000000'
    const file = (...lines: string[]) =>
      frame(['POST /api/imports HTTP/1.1', host, 'Expect: 100-continue', 'Content-Type: text/csv', ...lines])
    await wire.refusal(401, 'token_missing', file(length))
    await wire.refusal(413, 'file_too_large', file(bearer, 'Content-Length: 50000000'))
    const typed = ['POST /api/students HTTP/1.1', host, bearer, 'Expect: 100-continue', length]
    await wire.refusal(413, 'body_too_large', frame(typed))
  })

  it('refuses any other expectation with 417, and creates nothing', async () => {
    const before = await school.count('students')
    for (const expectation of ['200-ok', 'miracles', '101-continue']) {
      await wire.refusal(417, 'expectation_failed', creation([`Expect: ${expectation}`]))
    }
    assert.equal(await school.count('students'), before)
  })

  it('is no proxy: CONNECT is 501', async () => {
    await wire.refusal(501, 'method_not_implemented', frame(['CONNECT evil.example:443 HTTP/1.1', host]))
    await wire.refusal(501, 'method_not_implemented', frame(['CONNECT localhost:80 HTTP/1.1', host, bearer]))
  })

  it('answers OPTIONS * as a question about the server', async () => {
    const { answers } = await wire.exchange(frame(['OPTIONS * HTTP/1.1', host, close]))
    assert.equal(answers[0]!.status, 204)
  })

  it('outlives clients that hang up at any point of a request', async () => {
    const whole = creation()
    for (let at = 1; at < whole.length; at += 7) {
      const socket = wire.connect()
      socket.write(whole.slice(0, at))
      await new Promise((resolve) => setImmediate(resolve))
      socket.resetAndDestroy()
    }
    const faults = school.log.filter((line) => JSON.parse(line).level === 'error')
    assert.deepEqual(faults, [])
  })
})
