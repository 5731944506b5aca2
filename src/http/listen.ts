import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerClientError, answerConnect, answerExpectation, type HttpSocket } from './framing.ts'
import { OnePieceResponse } from './one-piece.ts'

/** Not imported: an import reads every export, and one of them loads an HTTP client and a WebSocket (undici). */
const { createServer } = process.getBuiltinModule('node:http')

/** How many requests may wait on one connection for the answers before theirs. */
const maxWaiting = 100

/** How many requests are handled before the event loop looks for others. */
const atOnce = 64

/** How long a body may go on coming after its request was answered, in milliseconds. */
const lingerMs = 1_000

/** How much of such a body is read and thrown away, in bytes. */
const lingerBytes = 1_048_576

/** What a server bears of its clients, and does for them. */
export interface HttpServerOptions {
  /** How long a client may leave its answer untaken, in milliseconds; twice as long when it took some of it. */
  readonly stallLimitMs?: number
  readonly maxConnections?: number
  /** Called before requests that came together are handled: none of them may see what was read before they came. */
  readonly beforeRequests?: () => void
}

/** What each server was made with, for one that serves the same beside it. */
const optionsOf = new WeakMap<Server, HttpServerOptions>()

/**
 * A server whose time limits hold: headers within 5 s, the whole request within 10 s, looked at every second
 * (Node's default is to look every 30 s, Fastify's to wait for ever). An idle connection is kept for longer than
 * load balancers keep theirs (60 s), so that none of them sends on one that is being closed.
 */
export function createHttpServer(handler: RequestListener, options: HttpServerOptions = {}): Server {
  const { stallLimitMs = 5_000, maxConnections = 10_000, beforeRequests = () => {} } = options
  const server = createServer(
    {
      ServerResponse: OnePieceResponse,
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false, // checkFraming answers in our shape
    },
    inTurn(
      together((request, response) => {
        endWithAnswer(request, response)
        handler(request, response)
      }, beforeRequests),
    ),
  )
  optionsOf.set(server, options)
  server.maxHeadersCount = 0 // none is dropped unseen; checkFraming counts them
  server.setTimeout(stallLimitMs, (socket: HttpSocket) => {
    // Idle between requests it has the longer limit; before its answer, the limits on requests.
    const isIdle = socket.timeout !== stallLimitMs
    if (isIdle || socket._httpMessage?.headersSent) socket.destroy()
  })
  boundConnections(server, maxConnections)
  server.on('clientError', answerClientError)
  server.on('checkExpectation', answerExpectation)
  server.on('connect', answerConnect)
  return server
}

/** Lets no more connections in than that; from nine tenths on, idle ones make room for new clients. */
function boundConnections(server: Server, maxConnections: number): void {
  server.maxConnections = maxConnections
  let open = 0
  server.on('connection', (socket) => {
    socket.once('close', () => open--)
    if (++open > 0.9 * maxConnections) server.closeIdleConnections()
  })
}

/**
 * Handles the requests that one look for them has found when all of them are read: reading, admitting and answering
 * each take turns with their like, which costs a third less than to see every request through by itself, and what
 * they ask of SQLite has one snapshot. One that comes alone waits for nothing. One whose connection has ended
 * meanwhile is not handled.
 */
function together(handler: RequestListener, beforeRequests: () => void): RequestListener {
  const waiting: Parameters<RequestListener>[] = []
  const handleSome = () => {
    beforeRequests()
    for (const [request, response] of waiting.splice(0, atOnce)) {
      if (!hasEnded(request.socket)) handler(request, response)
    }
    if (waiting.length > 0) setImmediate(handleSome)
  }
  return (request, response) => {
    if (waiting.push([request, response]) === 1) setImmediate(handleSome)
  }
}

/**
 * Handles the requests of one connection in turn (RFC 9112 §9.3.2), and none after an answer that closes it
 * (§9.6). A response has its socket from the moment when those before it are sent. Too many that wait cut it.
 */
function inTurn(handler: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    if (hasEnded(socket)) return
    if (response.socket !== null) return handler(request, response)
    const before = waiting.get(socket) ?? 0
    if (before >= maxWaiting) return void socket.destroy()
    waiting.set(socket, before + 1)
    response.once('socket', () => {
      waiting.set(socket, waiting.get(socket)! - 1)
      if (!socket.destroyed) handler(request, response)
    })
  }
}

function hasEnded(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded
}

/**
 * Ends a connection whose request was answered before all of it came (RFC 9112 §9.6): the answer goes out, what
 * is under way is read, up to a bound, and a second later the connection is cut. To close at once, as Node does,
 * resets it, and the reset can take the answer with it; to read on would be to read without end.
 */
function endWithAnswer(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
  const { destroySoon } = Socket.prototype // and not what was set for the request before
  socket.destroySoon = () => void (request.complete ? destroySoon.call(socket) : socket.end())
  response.once('finish', () => {
    if (request.complete) return
    let left = lingerBytes
    request.on('data', ({ length }) => {
      left -= length
      if (left < 0) request.pause()
    })
    setTimeout(() => (request.complete && !socket.writableEnded) || socket.destroy(), lingerMs).unref()
  })
}

/** A server that listens; `stop` takes no more connections, and resolves when the open requests are answered. */
export interface Listening {
  readonly port: number
  stop(): Promise<void>
  /** Ends the connections that are still open. */
  cut(): void
}

/**
 * Tries whether one could listen there, and lets go again: before a database is made for a server that can't.
 * @throws what `listen` does
 */
export async function tryAddress(host: string, port: number): Promise<void> {
  const [first, second] = addressesOf(host)
  const probe = createServer()
  try {
    await once(probe.listen(port, first), 'listening')
  } catch (error) {
    if (second === undefined || !isMissingAddress(error)) throw error
    return tryAddress(second, port)
  }
  await new Promise((closed) => probe.close(closed))
}

function addressesOf(host: string): [first: string, second?: string] {
  return host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
}

/**
 * Listens. `localhost` is 127.0.0.1 and ::1; where the machine lacks one of them, the other serves.
 * @throws the system's error (EADDRINUSE, EACCES, EADDRNOTAVAIL …) when nothing can be listened on
 */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<Listening> {
  const [first, second] = addressesOf(host)
  try {
    await app.listen({ host: first, port })
  } catch (error) {
    if (second === undefined || !isMissingAddress(error)) throw error
    return listen(app, second, port)
  }
  const bound = (app.server.address() as AddressInfo).port
  const beside = second === undefined ? undefined : await listenBeside(app, second, bound)
  return {
    port: bound,
    async stop() {
      beside?.close()
      await app.close()
    },
    cut() {
      beside?.closeAllConnections()
      app.server.closeAllConnections()
    },
  }
}

/** Serves the same app on one more address, if the machine has it. */
async function listenBeside(app: FastifyInstance, host: string, port: number): Promise<Server | undefined> {
  const options = optionsOf.get(app.server)
  const server = createHttpServer((request, response) => app.routing(request, response), options)
  try {
    await once(server.listen(port, host), 'listening')
    return server
  } catch (error) {
    if (isMissingAddress(error)) return undefined
    throw error
  }
}

function isMissingAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
}
