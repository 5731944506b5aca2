import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { LogStream } from '../http/logging.ts'

/** On a terminal the log is text for people; everywhere else, JSON lines on standard output. */
export function logStream(): LogStream {
  if (!process.stdout.isTTY) return bufferedLines(process.stdout.fd)
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'request_id' })
}

const bufferBytes = 65_536
const flushMs = 10

/**
 * Writes the lines of 10 ms together, or when the process exits: a system call a line would cost a busy server
 * more than the lines do. A process that is killed (SIGKILL) loses the lines of its last 10 ms.
 */
function bufferedLines(fd: number): LogStream {
  const buffer = Buffer.allocUnsafe(bufferBytes)
  let length = 0
  const flush = () => {
    const end = length
    length = 0
    writeWhole(fd, buffer.subarray(0, end))
  }
  process.on('exit', flush)
  return {
    write(line) {
      const most = 3 * line.length // bytes of UTF-8
      if (most > bufferBytes - length) flush()
      if (most > bufferBytes) return writeWhole(fd, Buffer.from(line))
      if (length === 0) setTimeout(flush, flushMs).unref()
      length += buffer.write(line, length)
    },
  }
}

const retryMs = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

/** A reader that lags holds the server up, and loses no line; a log that can't be written stops nothing. */
function writeWhole(fd: number, bytes: Buffer): void {
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(pause, 0, 0, retryMs)
    }
  }
}
