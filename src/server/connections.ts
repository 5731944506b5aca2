import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { endIdle, onLastAnswer, parseNoMore } from './undocumented.ts'

/** How many requests may wait on one connection, by how many wait on all of them. */
const limits = [
  { below: 500, each: 100 },
  { below: 2_000, each: 16 },
  { below: Number.POSITIVE_INFINITY, each: 1 },
]

/**
 * Handles the requests of each connection in turn (RFC 9112 §9.3.2), and none after an answer that closes it (§9.6).
 * Too many that wait for the answers before theirs cut their connection. How many may wait depends on how many wait
 * on all connections: each is some 2 KB of objects.
 */
export class InTurn {
  readonly #waiting = new WeakMap<Socket, number>()
  #allWaiting = 0

  /** How many requests wait, on all connections. */
  get allWaiting(): number {
    return this.#allWaiting
  }

  /** Whether requests wait on this connection. */
  isWaitedOn(socket: Socket): boolean {
    return (this.#waiting.get(socket) ?? 0) > 0
  }

  /** Calls `handle` when it is the request's turn, with whether it had to wait. */
  queue({ socket }: IncomingMessage, response: ServerResponse, handle: (hasWaited: boolean) => void): void {
    if (hasEnded(socket)) {
      parseNoMore(socket)
      return
    }
    if (response.socket !== null) {
      handle(false)
      return
    }
    const { each } = limits.find(({ below }) => this.#allWaiting < below)!
    if ((this.#waiting.get(socket) ?? 0) >= each) {
      cut(socket)
      return
    }
    this.#count(socket, 1)
    // A response has its socket from the moment when those before it are sent.
    response.once('socket', () => {
      this.#count(socket, -1)
      if (!socket.destroyed) handle(true)
    })
  }

  #count(socket: Socket, change: number): void {
    const before = this.#waiting.get(socket)
    if (before === undefined) socket.once('close', () => this.#count(socket, -this.#waiting.get(socket)!))
    this.#waiting.set(socket, (before ?? 0) + change)
    this.#allWaiting += change
  }
}

function cut(socket: Socket): void {
  parseNoMore(socket)
  withoutStacks(socket)
  socket.destroy()
}

/** Spares the stack of two errors that Node makes for each waiting request when the connection closes: 100 µs. */
function withoutStacks(socket: Socket): void {
  const { stackTraceLimit } = Error
  socket.prependOnceListener('close', () => {
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit
  })
}

/** Whether no more answers can be sent. */
export function hasEnded(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded
}

/** How long the server goes on reading from a connection after its last answer, in milliseconds. */
const lingerMs = 1_000

/** How much of a body is read and thrown away after its request was answered, in bytes. */
const lingerBytes = 1_048_576

/**
 * Has the server end connections in order (RFC 9112 §9.6): it sends what it has to send and the end, and reads for a
 * second what the client has sent meanwhile. To close at once, as Node does, resets a connection on which something
 * unread has come, and the reset can take the last answer with it.
 * @returns what closes idle connections at once, for when there are too many
 */
export function closeInOrder(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    onLastAnswer(socket, () => endInOrder(socket))
  })
  const closeAtOnce = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => endIdle(open, closeAtOnce, endInOrder) // called by server.close()
  return closeAtOnce
}

function endInOrder(socket: Socket): void {
  if (socket.writableEnded) return
  socket.end()
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(cut))
}

/**
 * Bounds what is read of a body whose request was answered before all of it came. A second later the connection is
 * cut: to read on would be to read without end.
 */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
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
