import { connect } from 'node:net'
import { quantile } from './figures.ts'

/*
 * A lean HTTP/1.1 client that keeps a fixed number of connections busy. It is here since autocannon was the
 * slower half when it drove the bare server: 21 µs of its own for each request, against the bare server's 12,
 * and latencies in whole milliseconds. This one costs 10 µs: it sends ready strings, reads into one buffer a
 * connection, and looks at nothing but the status and the length.
 */

/** The next request of a connection, whole, in ASCII: request line, headers and body. */
export type Requests = (connection: number) => string

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Load that comes first and is not measured, in seconds. */
  readonly warmUpSeconds: number
  readonly next: Requests
  /**
   * The least time from one request of a connection to its next, in milliseconds; the connections begin
   * evenly spread over it. Without it each sends as soon as it is answered.
   */
  readonly everyMs?: number | undefined
  /**
   * Whether the client looks for answers without ever sleeping. Waking a client costs a server as much as a small
   * request does, and most the one that leaves the client time to sleep.
   */
  readonly neverSleeps?: boolean | undefined
  /** Where the connections come from: another address of 127/8 is another client to the server. */
  readonly from?: string
  /** Called when the warm-up ends and when the time is up: to read what the server has used so far. */
  readonly onWindow?: () => void
}

/** What a load found. Latencies are in milliseconds. */
export interface LoadResult {
  readonly perSecond: number
  readonly requests: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** The mean length of an answer's body. */
  readonly bytes: number
  /** Share of one core that this process used: near 1, the client is what limits. */
  readonly clientBusy: number
  /** Answers that were not 2xx, by status; broken connections under their error's code. Warm-up included. */
  readonly failures: Readonly<Record<string, number>>
}

/** Puts a server under load, one request at a time on each connection, each sent when the last is answered. */
export async function load({
  port,
  connections,
  seconds,
  warmUpSeconds,
  next,
  everyMs = 0,
  neverSleeps = false,
  from = '127.0.0.1',
  onWindow,
}: Load): Promise<LoadResult> {
  const latencies: number[] = []
  const failures: Record<string, number> = {}
  let bytes = 0
  let measuring = false
  let stopped = false
  const fail = (what: string) => {
    failures[what] = (failures[what] ?? 0) + 1
  }
  const look = () => void (stopped || setImmediate(look))
  if (neverSleeps) look()
  const done = Array.from({ length: connections }, (_, connection) =>
    keepBusy({ port, from }, () => next(connection), {
      everyMs,
      beginsAfterMs: (connection * everyMs) / connections,
      goesOn: () => !stopped,
      onAnswer: (answer, milliseconds) => {
        if (answer.status < 200 || answer.status > 299) return fail(String(answer.status))
        if (!measuring) return
        latencies.push(milliseconds)
        bytes += answer.bytes
      },
      onBroken: fail,
    }),
  )

  await sleep(warmUpSeconds * 1000)
  onWindow?.()
  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  measuring = true
  await sleep(seconds * 1000)
  const latest = began + seconds * 1000 + longestWaitMs
  while (latencies.length < leastAnswers && performance.now() < latest) await sleep(20)
  measuring = false
  const elapsedMs = performance.now() - began
  const cpu = process.cpuUsage(cpuBefore)
  onWindow?.()
  stopped = true
  await Promise.all(done)

  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: (sorted.length * 1000) / elapsedMs,
    requests: sorted.length,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    bytes: Math.round(bytes / sorted.length),
    clientBusy: (cpu.user + cpu.system) / 1000 / elapsedMs,
    failures,
  }
}

/** So many answers are waited for, where they are slow; but not longer than this. */
const leastAnswers = 5
const longestWaitMs = 30_000

interface Answer {
  readonly status: number
  readonly bytes: number
  /** What `Retry-After` says, in seconds; not a number when it is missing. */
  readonly retryAfter: number
}

/** How one connection behaves, and what it tells. */
export interface Behaviour {
  readonly everyMs: number
  readonly beginsAfterMs: number
  readonly goesOn: () => boolean
  readonly onAnswer: (answer: Answer, milliseconds: number) => void
  readonly onBroken: (code: string) => void
}

/** One connection, from its opening to the answer after which it need not go on. */
export function keepBusy(
  { port, from }: { readonly port: number; readonly from: string },
  next: () => string,
  { everyMs, beginsAfterMs, goesOn, onAnswer, onBroken }: Behaviour,
): Promise<void> {
  return new Promise((resolve) => {
    const answers = answerReader()
    let sentAt = 0
    let finished = false
    const send = () => {
      if (!goesOn()) {
        finished = true
        socket.destroy()
        return
      }
      const request = next()
      sentAt = performance.now()
      socket.write(request, 'latin1')
    }
    const read = (length: number, buffer: Uint8Array) => {
      const answer = answers(buffer as Buffer, length)
      if (answer === undefined) return true
      const tookMs = performance.now() - sentAt
      onAnswer(answer, tookMs)
      if (everyMs > tookMs) setTimeout(send, everyMs - tookMs)
      else send()
      return true
    }
    const socket = connect({
      port,
      host: '127.0.0.1',
      localAddress: from,
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(65_536), callback: read },
    })
    let code = 'closed'
    socket.on('connect', () => {
      if (beginsAfterMs > 0) setTimeout(send, beginsAfterMs)
      else send()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? error.message
    })
    socket.on('close', () => {
      if (!finished) onBroken(code)
      resolve()
    })
  })
}

/** Reads answers that carry a `Content-Length`, in whatever pieces they come. */
function answerReader(): (piece: Buffer, length: number) => Answer | undefined {
  let answer: Answer = { status: 0, bytes: 0, retryAfter: Number.NaN }
  let missingBytes = 0
  let begun = ''
  /** @returns the answer, once it is whole */
  return (piece, length) => {
    if (missingBytes > 0) {
      missingBytes -= length
    } else {
      begun += piece.toString('latin1', 0, length)
      const headEnd = begun.indexOf('\r\n\r\n')
      if (headEnd === -1) return undefined
      const status = Number(begun.slice(9, 12))
      const retryAfter = status < 400 ? Number.NaN : Number(/\r\nretry-after: *(\d+)\r\n/i.exec(begun)?.[1])
      answer = { status, bytes: contentLength(begun), retryAfter }
      missingBytes = headEnd + 4 + answer.bytes - begun.length
      begun = ''
    }
    return missingBytes === 0 ? answer : undefined
  }
}

function contentLength(head: string): number {
  const field = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)
  if (field === null) throw new Error('the client reads only answers with a Content-Length')
  return Number(field[1])
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
