import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isAmidRequest, responseOn } from './undocumented.ts'

/** Why the server answers by itself, and no handler is asked. */
export type RefusedBecause =
  | 'not HTTP'
  | 'too late'
  | 'headers too large'
  | 'request line too long'
  | 'CONNECT'
  | 'expectation'

/** An answer that the server gives by itself. */
export interface Refusal {
  readonly status: number
  readonly reason: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Makes such answers: their shape is the API's. */
export type Refuse = (because: RefusedBecause) => Refusal

/** How much of a packet is looked at to see whether its request line alone is too long, in bytes. */
const longRequestLine = 8_192

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Has a server answer by itself what Node could not parse or does not hand on, and close. */
export function answerRefused(server: Server, refuse: Refuse): void {
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    afterAnswers(socket, () => {
      // The request at fault has its answer, or the beginning of it: anything more would be read as part of it,
      // or as the answer to the next.
      const answer = responseOn(socket)
      const wasAnswered = answer ? answer.headersSent : isAmidRequest(socket)
      if (wasAnswered) socket.destroy()
      else send(socket, refuse(causeOf(error)))
    })
  })
  // RFC 9110 §9.3.6: this server is no proxy.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy()) // Node takes its own listener off before it emits 'connect'
    afterAnswers(socket, () => send(socket, refuse('CONNECT')))
  })
  // RFC 9110 §10.1.1: any expectation but `100-continue` is 417.
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const refusal = refuse('expectation')
    response.writeHead(refusal.status, closingHeaders(refusal)).end(refusal.body)
  })
}

/** Waits until the whole requests before this one on the connection have their answers. */
function afterAnswers(socket: Socket, work: () => void): void {
  if (socket.destroyed || socket.writableEnded) return
  const answer = responseOn(socket)
  if (answer?.req.complete) {
    socket.pause()
    answer.once('finish', () => afterAnswers(socket, work))
  } else work()
}

const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT'

/** What Node emits where a request comes too late. */
export function tooLate(): Error {
  return Object.assign(new Error('the request took too long to arrive'), { code: requestTimeout })
}

function causeOf({ code, rawPacket }: ParserError): RefusedBecause {
  if (code === requestTimeout) return 'too late'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'not HTTP'
  return isRequestLine(rawPacket) ? 'request line too long' : 'headers too large'
}

/** Whether a packet is the beginning of a request whose first line alone is over the limit on all headers. */
function isRequestLine(packet: Buffer | undefined): boolean {
  const start = packet?.subarray(0, longRequestLine).toString('latin1') ?? ''
  return /^[A-Z-]+ [^\r\n]+$/.test(start)
}

/** Answers on the bare socket, and closes it, whether or not the client closes in turn. */
function send(socket: Socket, refusal: Refusal): void {
  const headers = { ...closingHeaders(refusal), Date: new Date().toUTCString() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} ${refusal.reason}\r\n${lines.join('')}\r\n${refusal.body}`)
  socket.resume()
  const cut = setTimeout(() => socket.destroy(), 1_000)
  socket.once('close', () => clearTimeout(cut))
}

function closingHeaders({ headers, body }: Refusal): Record<string, string> {
  return { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' }
}
