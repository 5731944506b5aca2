import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { atEnd } from './cleanup.ts'
import type { ServerProcess } from './server.ts'

/** So many connections, all of them open. */
export async function openConnections(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

/** What a server bore while it was flooded. */
export interface Borne {
  /** The longest that a client of its own connection waited for the health check, in milliseconds. */
  readonly longestMs: number
  /** The most memory that the server held; 0 where the system does not tell. */
  readonly peakMb: number
}

/** Sends the bytes on each of so many connections at once, and asks for health until all of them have ended. */
export async function flood(server: ServerProcess, connections: number, bytes: string): Promise<Borne> {
  const sockets = await openConnections(server.port, connections)
  let open = connections
  for (const socket of sockets) socket.resume().once('close', () => open--)
  let longestMs = 0
  for (const socket of sockets) socket.write(bytes)
  do longestMs = Math.max(longestMs, await healthMs(server))
  while (open > 0)
  return { longestMs, peakMb: peakMb(server) }
}

/** Asks for health on a new connection. @returns how long the answer took, in milliseconds */
async function healthMs({ port }: ServerProcess): Promise<number> {
  const begun = performance.now()
  const [answer] = await once(get({ port, host: '127.0.0.1', path: '/api/health', agent: false }), 'response')
  await once(answer.resume(), 'end')
  if (answer.statusCode !== 200) throw new Error(`health: ${answer.statusCode}`)
  return performance.now() - begun
}

function peakMb({ process }: ServerProcess): number {
  const file = `/proc/${process.pid}/status`
  if (!existsSync(file)) return 0
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1]) / 1024
}
