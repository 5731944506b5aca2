import { constants, openSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { LogStream } from '../http/logging.ts'

/** On a terminal the log is text for people; everywhere else, JSON lines on standard output. */
export function logStream(): LogStream {
  const { fd, isTTY } = process.stdout
  if (!isTTY) return new BufferedLines(fd)
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss', ignore: 'request_id' })
  const lines = new BufferedLines(unblockedTerminal(fd))
  return { write: (line) => lines.write(pretty(line)) }
}

/** The terminal, opened so that a write to it never waits; `fd` where the system can't do that. */
function unblockedTerminal(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return fd
  }
}

const bufferBytes = 65_536
const flushMs = 10

/** How many bytes wait for a slow reader. */
const maxWaitingBytes = 1_048_576
const retryMs = 50

/** How long the end of the process waits for a reader that takes nothing, in milliseconds. */
const lastPatienceMs = 1_000
const lastRetryMs = 10

/**
 * Writes lines every 10 ms and when the process exits, because a system call for each line would be slow. A killed
 * process (SIGKILL) loses the last 10 ms. A slow reader does not block the server: 1 MB waits for it, and further
 * lines are dropped. When it has read what waited, a line tells how many. Needs a descriptor that does not block:
 * Node opens a pipe or socket on standard output so.
 */
class BufferedLines implements LogStream {
  readonly #fd: number
  readonly #buffer = Buffer.allocUnsafe(bufferBytes)
  #length = 0
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #dropped = 0

  constructor(fd: number) {
    this.#fd = fd
    process.on('exit', () => this.#end())
  }

  write(line: string): void {
    if (this.#dropped > 0 || this.#waitingBytes > maxWaitingBytes) {
      this.#dropped++
      return
    }
    const most = 3 * line.length // bytes of UTF-8
    if (most > bufferBytes - this.#length) this.#flush()
    if (most > bufferBytes) {
      this.#send(Buffer.from(line))
      return
    }
    if (this.#length === 0) setTimeout(() => this.#flush(), flushMs).unref()
    this.#length += this.#buffer.write(line, this.#length)
  }

  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#length)
    this.#length = 0
    this.#send(bytes)
  }

  #send(bytes: Buffer): void {
    const rest = this.#waiting.length > 0 ? bytes : this.#writeSome(bytes)
    if (rest.length === 0) return
    if (this.#waiting.length === 0) this.#retryLater()
    this.#waiting.push(Buffer.from(rest))
    this.#waitingBytes += rest.length
  }

  #retryLater(): void {
    setTimeout(() => this.#sendWaiting() || this.#retryLater(), retryMs).unref()
  }

  /** @returns whether nothing waits any more */
  #sendWaiting(): boolean {
    while (this.#waiting.length > 0) {
      const bytes = this.#waiting[0]!
      const rest = this.#writeSome(bytes)
      this.#waitingBytes -= bytes.length - rest.length
      if (rest.length > 0) {
        this.#waiting[0] = rest
        return false
      }
      this.#waiting.shift()
    }
    this.#tellDropped()
    return true
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return
    const msg = 'lines of the log were dropped, since its reader had stopped'
    const line = { level: 'warn', time: new Date().toISOString(), dropped: this.#dropped, msg }
    this.#dropped = 0
    this.write(`${JSON.stringify(line)}\n`)
  }

  /** @returns what the reader has no room for. A failing log stops nothing */
  #writeSome(bytes: Buffer): Buffer {
    let rest = bytes
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest))
      return rest
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? rest : bytes.subarray(bytes.length)
    }
  }

  #end(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4))
    this.#flush()
    let left = this.#waitingBytes
    for (let waitedMs = 0; !this.#sendWaiting() && waitedMs < lastPatienceMs; waitedMs += lastRetryMs) {
      if (this.#waitingBytes < left) waitedMs = 0
      left = this.#waitingBytes
      Atomics.wait(pause, 0, 0, lastRetryMs)
    }
    this.#flush()
  }
}
