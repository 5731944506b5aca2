import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Batches } from './batches.ts'
import { closeInOrder } from './connections.ts'
import { Deadlines, headersLimitMs } from './deadlines.ts'
import { answerRefused, type Refuse, tooLate } from './refusals.ts'
import { responseOn } from './undocumented.ts'

/** Not imported: an import reads every export, and one of them loads an HTTP client and a WebSocket (undici). */
const { createServer } = process.getBuiltinModule('node:http')

/** How many connections the system may hold that are not let in yet; Linux bounds it by net.core.somaxconn. */
const backlog = 4_096

/** How many connections a server holds, unless the system allows fewer. */
export const mostConnections = 10_000

/** How long keep-alive clients have to be told with an answer that the server stops, in milliseconds. */
const farewellMs = 250

/** What a server bears of its clients, and does for them. */
export interface HttpServerOptions {
  /** How long a client may leave its answer untaken, in milliseconds; twice as long when it took some of it. */
  readonly stallLimitMs?: number
  readonly maxConnections?: number
  /** Called before requests that came together are handled: none of them may see what was read before they came. */
  readonly beforeRequests?: () => void
  /** What cuts bodies that take too long; a route may allow one more time. */
  readonly deadlines?: Deadlines
  /** Makes what the server answers by itself; without it, such an answer has no body. */
  readonly refuse?: Refuse
}

/** What is listened for: Fastify's app has these members. */
export interface Served {
  readonly server: Server
  listen(where: { host: string; port: number; backlog: number }): Promise<unknown>
  close(): Promise<unknown>
}

const bareRefusal: Refuse = (because) => ({
  status: because === 'expectation' ? 417 : 400,
  reason: 'Refused',
  headers: {},
  body: '',
})

/**
 * A server whose time limits hold: headers within 5 s, then the body within 10 s, looked at every second (Node's
 * default is to look every 30 s, Fastify's to wait for ever). An idle connection is kept for longer than
 * load balancers keep theirs (60 s), so that none of them sends on one that is being closed.
 */
export function createHttpServer(handler: RequestListener, options: HttpServerOptions = {}): Server {
  const {
    stallLimitMs = 5_000,
    maxConnections = mostConnections,
    beforeRequests = () => {},
    deadlines = new Deadlines(),
    refuse = bareRefusal,
  } = options
  const awaitBody = (request: IncomingMessage) =>
    deadlines.watch(request, () => server.emit('clientError', tooLate(), request.socket))
  const batches = new Batches(handler, beforeRequests, awaitBody)
  const server = createServer(
    {
      headersTimeout: headersLimitMs,
      requestTimeout: 0, // it would hold for all; see deadlines.ts
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false, // http/requests.ts answers in the API's shape
    },
    batches.add,
  )
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    goOnWhenRead(request, response)
    batches.add(request, response)
  })
  server.maxHeadersCount = 0 // none is dropped unseen; http/requests.ts counts them
  server.setTimeout(stallLimitMs, (socket: Socket) => {
    // Idle between requests it has the longer limit; before its answer, the limits on requests.
    const isIdle = socket.timeout !== stallLimitMs
    if (isIdle || responseOn(socket)?.headersSent) socket.destroy()
  })
  boundConnections(server, maxConnections, closeInOrder(server))
  server.on('connection', () => batches.noteConnection())
  answerRefused(server, refuse)
  return server
}

/**
 * Tells a client that waits to go on (RFC 9110 §10.1.1) once somebody listens for its body: where it is refused before
 * that, nothing is sent in vain. Node closes the connection then.
 */
function goOnWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.on('newListener', function goOn(event) {
    if (event !== 'data' && event !== 'readable') return
    request.off('newListener', goOn)
    if (!response.headersSent) response.writeContinue()
  })
}

/**
 * Lets no more connections in than that; from nine tenths on, idle ones make room for new clients. Where too few are
 * idle, the newest client is cut off, and finds room at its next try.
 */
function boundConnections(server: Server, maxConnections: number, closeIdle: () => void): void {
  let open = 0
  server.on('connection', (socket) => {
    socket.once('close', () => open--)
    if (++open > 0.9 * maxConnections) closeIdle()
    if (open > maxConnections) socket.destroy()
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
export async function listen(app: Served, host: string, port: number): Promise<Listening> {
  const [first, second] = addressesOf(host)
  let open = 0
  app.server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
  })
  try {
    await app.listen({ host: first, port, backlog })
  } catch (error) {
    if (second === undefined || !isMissingAddress(error)) throw error
    return listen(app, second, port)
  }
  const bound = (app.server.address() as AddressInfo).port
  const beside = second === undefined ? undefined : await listenBeside(app.server, second, bound)
  return {
    port: bound,
    async stop() {
      // Waits a moment until the clients have gone: each answer says now that its connection closes.
      const end = performance.now() + farewellMs
      while (open > 0 && performance.now() < end) await pause(10)
      beside?.close()
      await app.close()
    },
    cut: () => app.server.closeAllConnections(),
  }
}

/** Has a server take the connections to one more address, if the machine has it: its limits hold for both. */
async function listenBeside(server: Server, host: string, port: number): Promise<SocketServer | undefined> {
  const beside = createSocketServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  )
  try {
    await once(beside.listen(port, host, backlog), 'listening')
    return beside
  } catch (error) {
    if (isMissingAddress(error)) return undefined
    throw error
  }
}

function isMissingAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
}
