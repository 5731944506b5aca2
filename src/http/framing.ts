import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, type ProblemCode, problemBody } from '../problems.ts'
import { commonHeaders } from './headers.ts'
import { methodNotImplemented } from './methods.ts'

/** The longest URL, in bytes: well under the limit on all headers, so that it has its own answer. */
const maxUrlBytes = 8_192
const maxHeaders = 100

/** A host and perhaps a port (RFC 9110 §7.2, RFC 3986 §3.2.2); both may be empty. */
const hostAndPort = /^(?:\[[\w.:~!$&'()*+,;=-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/**
 * What RFC 9112 asks of a request's frame and Node lets pass: HTTP/1.0 or 1.1 (§2.3), one `Host` that is one (§3.2),
 * no transfer coding but chunked (§6.1), headers in bounds, and never two `Authorization`s to choose from on a route
 * that reads one.
 * @throws Problem malformed_request, uri_too_long, headers_too_large or transfer_coding_not_implemented
 */
export function checkFraming(raw: IncomingMessage, readsAuthorization: boolean): void {
  const { rawHeaders, httpVersion } = raw
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw malformed('The request line must end in HTTP/1.1 or HTTP/1.0.')
  let hosts = 0
  let authorizations = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts++
      if (!hostAndPort.test(rawHeaders[i + 1]!)) throw malformed('The Host header names no host.')
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (rawHeaders[i + 1]!.toLowerCase() !== 'chunked') throw codingNotImplemented()
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    throw malformed('The request needs exactly one Host header.')
  if (authorizations > 1 && readsAuthorization)
    throw malformed('The request has more than one Authorization header.')
  if (rawHeaders.length > 2 * maxHeaders) {
    throw new Problem('headers_too_large', `A request may have at most ${maxHeaders} headers.`, {
      closeConnection: true,
    })
  }
  if (raw.url!.length > maxUrlBytes) {
    throw uriTooLong()
  }
}

function uriTooLong(): Problem {
  return new Problem('uri_too_long', `The URL may have at most ${maxUrlBytes} bytes.`, {
    closeConnection: true,
  })
}

function codingNotImplemented(): Problem {
  return new Problem(
    'transfer_coding_not_implemented',
    'The only transfer coding that is understood is chunked.',
    { closeConnection: true },
  )
}

function malformed(detail: string): Problem {
  return new Problem('malformed_request', detail, { closeConnection: true })
}

/** RFC 9112 §3.2.2: a target in absolute form is served as its path; its authority changes nothing. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target)
  if (absolute === null) return target
  const path = target.slice(absolute[0].length)
  return path.startsWith('/') ? path : `/${path}`
}

const parserProblems: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request_timeout',
    'The request must arrive within 10 seconds, its headers within 5.',
  ],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers may have at most 16384 bytes.'],
}

/** What Node hangs on a socket; its types leave it out. */
export type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null
  parser?: { incoming?: IncomingMessage | null } | null
}
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Answers what Node could not parse, in the one shape, and closes. */
export function answerClientError(error: ParserError, socket: HttpSocket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  afterAnswers(socket, () => {
    // The request at fault has its answer, or the beginning of it: anything more would be read as part of it,
    // or as the answer to the next.
    const answer = socket._httpMessage
    const wasAnswered = answer ? answer.headersSent : socket.parser?.incoming?.complete === false
    if (wasAnswered) socket.destroy()
    else refuse(socket, parserProblem(error))
  })
}

/** Waits until the whole requests before this one on the connection have their answers. */
function afterAnswers(socket: HttpSocket, work: () => void): void {
  if (socket.destroyed || socket.writableEnded) return
  const answer = socket._httpMessage
  if (answer?.req.complete) {
    socket.pause()
    answer.once('finish', () => afterAnswers(socket, work))
  } else work()
}

function parserProblem({ code = '', rawPacket }: ParserError): Problem {
  if (code === 'HPE_HEADER_OVERFLOW' && isRequestLine(rawPacket)) return uriTooLong()
  const [problem, detail] = parserProblems[code] ?? ['malformed_request', 'The request is not valid HTTP.']
  return new Problem(problem, detail)
}

/** Whether a packet is the beginning of a request whose first line alone is over the limit on all headers. */
function isRequestLine(packet: Buffer | undefined): boolean {
  const start = packet?.subarray(0, maxUrlBytes).toString('latin1') ?? ''
  return /^[A-Z-]+ [^\r\n]+$/.test(start)
}

/** RFC 9110 §9.3.6: this server is no proxy. */
export function answerConnect(_request: IncomingMessage, socket: Socket): void {
  socket.on('error', () => socket.destroy()) // Node takes its own listener off before it emits 'connect'
  afterAnswers(socket, () => refuse(socket, methodNotImplemented()))
}

/** Answers on the bare socket, and closes it, whether or not the client closes in turn. */
function refuse(socket: Socket, problem: Problem): void {
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  const headers = { ...problemHeaders(body, requestId), Date: new Date().toUTCString() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`)
  socket.resume()
  const cut = setTimeout(() => socket.destroy(), 1_000)
  socket.once('close', () => clearTimeout(cut))
}

/** RFC 9110 §10.1.1: any expectation but `100-continue` is 417. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const problem = new Problem('expectation_failed', 'Only Expect: 100-continue is understood.')
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  response.writeHead(problem.status, problemHeaders(body, requestId)).end(body)
}

function problemHeaders(body: string, requestId: string): Record<string, string> {
  return {
    ...commonHeaders,
    'X-Request-Id': requestId,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
}
