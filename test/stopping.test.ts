// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { atEnd, temporaryFolder } from './cleanup.ts'
import { migratedDatabaseUrl } from './engine.ts'
import { launcher, serverEnvironment, startServer } from './server.ts'
import { frame } from './wire.ts'

const request = frame(['GET /api/openapi.json HTTP/1.1', 'Host: localhost'])

/** How a connection went that asked again and again. */
interface Course {
  answers: number
  /** Whether an answer said that the connection closes. */
  wasTold: boolean
  /** Whether a request was sent that has no whole answer. */
  isWaiting: boolean
  hasEnded: boolean
  error: string | undefined
}

/** Asks without pause on one connection until an answer says that it closes, and waits for the end. */
async function busyClient(port: number, courses: Course[]): Promise<void> {
  const course: Course = { answers: 0, wasTold: false, isWaiting: true, hasEnded: false, error: undefined }
  courses.push(course)
  const socket = connect(port, '127.0.0.1')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', ({ message }) => (course.error = message))
  let text = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece
    const headEnd = text.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
    if (headEnd === -1 || text.length < headEnd + 4 + length) return
    course.answers++
    course.wasTold = /\r\nconnection: close\r\n/i.test(text)
    course.isWaiting = !course.wasTold
    text = ''
    if (!course.wasTold) socket.write(request)
  })
  socket.write(request)
  await closed
  course.hasEnded = true
}

describe('a server that is told to stop', () => {
  for (const [DRAIN_SECONDS, signal] of [
    ['0', 'SIGHUP'],
    ['1', 'SIGTERM'],
  ] as const) {
    it(`by ${signal} cuts none of sixteen busy clients, with DRAIN_SECONDS=${DRAIN_SECONDS}`, async () => {
      const server = await startServer(undefined, { DRAIN_SECONDS })
      const courses: Course[] = []
      const clients = Promise.all(Array.from({ length: 16 }, () => busyClient(server.port, courses)))
      while (courses.some(({ answers, hasEnded }) => answers < 5 && !hasEnded))
        await new Promise((resolve) => setImmediate(resolve))
      assert.equal(await server.end(signal), 0)
      await clients
      assert.match(server.log.at(-1)!, /"msg":"stopped"/)
      const cut = courses.filter(({ wasTold, isWaiting, error }) => !wasTold || isWaiting || error)
      assert.deepEqual(cut, [])
    })
  }
})

interface Launched {
  readonly launcher: ChildProcess
  readonly log: string[]
  /** Resolves when neither the launcher nor the server holds the log open. */
  readonly logEnded: Promise<unknown>
}

/** A server in a process beside its launcher's, both in a process group of their own, as on an older Node. */
async function launch(env: Record<string, string> = {}): Promise<Launched> {
  const child = spawn(process.execPath, [launcher, '--node', launcher, 'serve'], {
    cwd: temporaryFolder(),
    env: serverEnvironment(await migratedDatabaseUrl(), env),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  atEnd(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {} // it has ended
  })
  const log: string[] = []
  const lines = createInterface({ input: child.stdout })
  const logEnded = once(lines, 'close')
  await new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      log.push(line)
      if (line.includes('Registrar serves')) resolve()
    })
  })
  return { launcher: child, log, logEnded }
}

// Two at once, since each waits for its end.
describe('a server beside its launcher', { skip: process.platform === 'win32', concurrency: 2 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`takes a ${signal} to the whole process group for one, and stops in order`, async () => {
      const { launcher, log, logEnded } = await launch({ DRAIN_SECONDS: '1' })
      process.kill(-launcher.pid!, signal)
      assert.deepEqual(await once(launcher, 'exit'), [0, null])
      await logEnded
      assert.match(log.at(-1)!, /"msg":"stopped"/)
    })
  }

  it('stops in order when the launcher is killed', async () => {
    const { launcher, log, logEnded } = await launch()
    launcher.kill('SIGKILL')
    await logEnded
    assert.match(log.at(-1)!, /"msg":"stopped"/)
  })

  it('ends at once on a second signal that comes later', async () => {
    const { launcher, log } = await launch({ DRAIN_SECONDS: '60' })
    launcher.kill('SIGTERM')
    while (!log.some((line) => line.includes('finishing'))) await new Promise((r) => setImmediate(r))
    const exited = once(launcher, 'exit')
    const again = setInterval(() => launcher.kill('SIGTERM'), 300)
    const [code] = await exited
    clearInterval(again)
    assert.equal(code, 1)
  })
})
