import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { listen } from '../src/server/listen.ts'
import type { AnswerCheck } from './answers.ts'
import { atEnd } from './cleanup.ts'
import type { Answer, School } from './school.ts'

/** What came back on one connection until the server closed it. */
export interface Exchange {
  readonly answers: readonly Answer[]
  /** From the first byte sent to the end of the connection. */
  readonly ms: number
}

/** The bytes of a request: its lines, joined by CR LF, an empty line, and the body. */
export function frame(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** A school that listens on a port of the system's choice, for requests that no client library would send. */
export class Wire {
  readonly port: number
  readonly #check: AnswerCheck

  constructor(port: number, check: AnswerCheck) {
    this.port = port
    this.#check = check
  }

  connect(options: { allowHalfOpen?: boolean } = {}): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', ...options })
    socket.on('error', () => {}) // a reset ends the connection; what came before it counts
    return socket
  }

  /**
   * Sends these bytes and reads until the server closes; a function among them is awaited before the rest is sent.
   * Every answer must be whole, and as documented.
   */
  async exchange(...pieces: readonly (string | Buffer | (() => Promise<unknown>))[]): Promise<Exchange> {
    const socket = this.connect()
    const received: Buffer[] = []
    socket.on('data', (bytes) => received.push(bytes))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const begun = performance.now()
    for (const piece of pieces) {
      if (typeof piece === 'function') await piece()
      else socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
      if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve))
    }
    await closed
    const answers = parseAnswers(Buffer.concat(received))
    for (const answer of answers) if (answer.status >= 200) this.#check('', '', answer)
    return { answers, ms: performance.now() - begun }
  }

  /** The one answer to these bytes: a problem with this status and code, after which the server closes. */
  async refusal(status: number, code: string, ...pieces: readonly (string | Buffer)[]): Promise<Answer> {
    const { answers } = await this.exchange(...pieces)
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body?.code]),
      [[status, code]],
    )
    assert.equal(answers[0]!.headers.connection, 'close')
    return answers[0]!
  }

  /** Whether an ordinary request still gets its ordinary answer. */
  async assertAlive(): Promise<void> {
    const { answers } = await this.exchange(
      frame(['GET /api/health HTTP/1.1', 'Host: localhost', 'Connection: close']),
    )
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.status]),
      [[200, 'healthy']],
    )
  }
}

/** Makes the school listen until the test file ends. */
export async function openWire(school: School): Promise<Wire> {
  const listening = await listen(school.app, '127.0.0.1', 0)
  atEnd(() => listening.cut())
  return new Wire(listening.port, school.check)
}

/** Reads answers as RFC 9112 frames them, for requests that are not HEAD. */
function parseAnswers(bytes: Buffer): Answer[] {
  const answers: Answer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    assert.ok(end > 0, `no answer: ${rest.toString('latin1').slice(0, 200)}`)
    const [statusLine, ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(statusLine!)?.[1])
    assert.ok(status, `no status line: ${statusLine}`)
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(': ')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
      }),
    )
    const hasBody = status >= 200 && status !== 204
    const isChunked = headers['transfer-encoding'] === 'chunked'
    if (hasBody && !isChunked) assert.match(headers['content-length'] ?? '', /^\d+$/)
    const body = isChunked ? unchunked(rest.subarray(end + 4)) : undefined
    const length = body?.length ?? (hasBody ? Number(headers['content-length']) : 0)
    const sent = rest.subarray(end + 4, end + 4 + length)
    if (!isChunked) assert.equal(sent.length, length, 'the answer is cut short')
    const text = body?.text ?? sent.toString()
    const isJson = /json/.test(headers['content-type'] ?? '')
    answers.push({ status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined })
    rest = rest.subarray(end + 4 + length)
  }
  return answers
}

/** A body in chunks (RFC 9112 §7.1), and how many bytes these took. */
function unchunked(bytes: Buffer): { readonly text: string; readonly length: number } {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    assert.ok(end > at, 'the answer is cut short')
    const size = Number.parseInt(bytes.subarray(at, end).toString(), 16)
    at = end + 2 + size + 2
    if (size === 0) return { text: Buffer.concat(chunks).toString(), length: at }
    chunks.push(bytes.subarray(end + 2, end + 2 + size))
  }
}
