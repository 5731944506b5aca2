import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/*
 * What the server uses of Node that no documentation promises. `undocumented.test.ts` fails when Node changes it.
 */

/** What Node's HTTP server hangs on a socket. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null
  parser?: { incoming?: IncomingMessage | null; onIncoming?: () => number } | null
}

/** The response that is sent next on a connection, or is being sent. */
export function responseOn(socket: Socket): ServerResponse | undefined {
  return (socket as HttpSocket)._httpMessage ?? undefined
}

/** Whether the parser has begun a request, and has not read its end. */
export function isAmidRequest(socket: Socket): boolean {
  return (socket as HttpSocket).parser?.incoming?.complete === false
}

/**
 * Leaves unparsed what else a connection has sent. Node parses all that it has read from one, up to 64 KB, though it
 * is destroyed meanwhile: some thousand requests, and objects of each. Its parser stops when what takes the next
 * request answers with an error.
 */
export function parseNoMore(socket: Socket): void {
  const { parser } = socket as HttpSocket
  if (parser) parser.onIncoming = () => -1
}

/** Sets what Node calls after an answer that closes its connection. */
export function onLastAnswer(socket: Socket, end: () => void): void {
  socket.destroySoon = end
}

/** Has Node, which alone knows which connections are idle, call `end` for each of these, where it would destroy it. */
export function endIdle(
  sockets: Iterable<Socket>,
  closeIdle: () => void,
  end: (socket: Socket) => void,
): void {
  for (const socket of sockets) {
    socket.destroy = () => {
      end(socket)
      return socket
    }
  }
  closeIdle()
  for (const socket of sockets) Reflect.deleteProperty(socket, 'destroy')
}
