import { createRequire } from 'node:module'

/** On a terminal the log is text for people; everywhere else, JSON lines on standard output. */
export function readableLog(): { logStream?: { write(line: string): void } } {
  if (!process.stdout.isTTY) return {}
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return { logStream: pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'request_id' }) }
}
