import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Where a log goes, line by line. */
export interface LogStream {
  write(line: string): void
}

/** On a terminal the log is text for people; everywhere else, JSON lines on standard output. */
export function logStream(): LogStream {
  if (!process.stdout.isTTY) return lineTurns(process.stdout.fd)
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'request_id' })
}

/**
 * Writes the lines of one turn of the event loop together, when the turn ends or the process exits: a system
 * call a line would cost a busy server more than the lines do. A process that is killed (SIGKILL) loses the
 * lines of its last turn.
 */
function lineTurns(fd: number): LogStream {
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    if (text !== '') writeWhole(fd, text)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}

const retryMs = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

/** A reader that lags holds the server up, and loses no line; a log that can't be written stops nothing. */
function writeWhole(fd: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(pause, 0, 0, retryMs)
    }
  }
}
