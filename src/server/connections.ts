import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { endIdle, onLastAnswer } from './undocumented.ts'

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
  const { socket } = request
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
