// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { Agent, get, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { sqlitePath } from '../src/db/open.ts'
import { createHttpServer } from '../src/server/listen.ts'
import { call } from './calls.ts'
import { atEnd, temporaryFolder } from './cleanup.ts'
import { migratedDatabaseUrl } from './engine.ts'
import { launcher, type ServerProcess, serverEnvironment, startServer } from './server.ts'
import { frame } from './wire.ts'

const host = 'Host: localhost'
const health = frame(['GET /api/health HTTP/1.1', host])
const bundle = frame(['GET /api/docs/swagger-ui-bundle.js HTTP/1.1', host])
const openTunnel = frame(['CONNECT evil.example:443 HTTP/1.1', host])

function dial({ port }: { port: number }): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  atEnd(() => socket.destroy())
  return socket
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

/** Sends these bytes, and reads nothing once the answer has begun. */
async function sendAndStall(server: { port: number }, bytes: string): Promise<Socket> {
  const socket = dial(server)
  socket.write(bytes)
  await once(socket, 'readable')
  return socket
}

async function assertAlive(server: ServerProcess): Promise<void> {
  assert.equal((await call(server, 'GET', '/api/health')).status, 200)
}

// The first waits while the others run.
describe('a server', { concurrency: 2 }, () => {
  let started: Promise<ServerProcess> | undefined
  /** The server of all but the first, which stops. */
  const shared = () => (started ??= startServer())

  it('stops within its time though many requests wait for clients that do not read, and does nothing after', async () => {
    const server = await startServer()
    for (let i = 0; i < 5; i++) await sendAndStall(server, bundle.repeat(90))
    const begun = performance.now()
    assert.equal(await server.end('SIGTERM'), 0)
    assert.ok(performance.now() - begun < 30_000)
    assert.match(server.log.at(-1)!, /"msg":"stopped"/)
  })

  it('outlives clients that ask it for a tunnel, and reset', async () => {
    const server = await shared()
    for (const bytes of [openTunnel, health + openTunnel, bundle + openTunnel]) {
      for (let i = 0; i < 10; i++) {
        const socket = await sendAndStall(server, bytes)
        socket.resetAndDestroy()
        await closed(socket)
      }
    }
    await assertAlive(server)
  })

  it('keeps its lock from other users of the machine', async () => {
    const { databaseUrl } = await shared()
    const lock = `${sqlitePath(databaseUrl)}.lock`
    const files = [lock, `${lock}-journal`].filter((file) => existsSync(file))
    assert.deepEqual(
      files.map((file) => statSync(file).mode & 0o777),
      files.map(() => 0o600),
    )
    assert.ok(files.includes(lock))
  })

  it('answers a hundred requests that wait on one connection, in their order', async () => {
    const server = await shared()
    const socket = dial(server)
    let text = ''
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece
    })
    socket.write(health.repeat(100) + frame(['GET /nothing HTTP/1.1', host, 'Connection: close']))
    await closed(socket)
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status),
      [...Array(100).fill('200'), '404'],
    )
  })

  it('cuts a connection on which requests wait without end, and runs few of them', async () => {
    const server = await shared()
    const socket = dial(server)
    socket.resume()
    socket.write(health.repeat(50_000))
    await closed(socket)
    await assertAlive(server)
    const handled = server.log.filter((line) => line.includes('"route":"/api/health"'))
    assert.ok(handled.length < 5_000, `${handled.length} were handled`)
  })
})

async function listening(server: Server): Promise<{ port: number; server: Server }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, server }
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

describe('requests that come together', () => {
  /** Connections that are let in: each has had an answer. */
  async function crowd(port: number, size: number) {
    const sockets = Array.from({ length: size }, () => dial({ port }))
    const askOnEach = () => {
      for (const socket of sockets) socket.write(health)
      return Promise.all(sockets.map((socket) => once(socket, 'data')))
    }
    await askOnEach()
    return { sockets, askOnEach }
  }

  it('are handled together, so many at once that none of them waits for long', async () => {
    let steps = ''
    const { port } = await listening(
      createHttpServer(
        (_request, response) => {
          steps += 'h'
          queueMicrotask(() => {
            steps += 'a'
            response.end('answered')
          })
        },
        { beforeRequests: () => (steps += 'b') },
      ),
    )
    const { askOnEach } = await crowd(port, 200)
    steps = ''
    await askOnEach()
    const handledInARow = (steps.match(/h+/g) ?? []).map(({ length }) => length)
    const most = Math.max(...handledInARow)
    assert.ok(most > 10 && most <= 64, `${handledInARow} were handled in a row`)
    assert.match(steps, /^(bh+a+)+$/, 'what is to be done before them is done before each lot')
  })

  it('are not handled when their clients have gone before their turn came', async () => {
    let handled = 0
    let onHandled = () => {}
    const { port, server } = await listening(
      createHttpServer((_request, response) => {
        handled++
        onHandled()
        response.end('answered')
      }),
    )
    const { sockets } = await crowd(port, 200)
    handled = 0
    onHandled = () => {
      onHandled = () => {}
      for (const socket of sockets) socket.resetAndDestroy()
    }
    for (const socket of sockets) socket.write(health)
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    while ((await openConnections(server)) > 0) await turn()
    for (let i = 0; i < 10; i++) await turn()
    assert.ok(handled > 0 && handled < 150, `${handled} were handled`)
  })

  it('with bodies leave nothing behind on their connection, however many they are', async () => {
    const post = frame(['POST / HTTP/1.1', host, 'Content-Length: 2'], '{}')
    const last = frame(['POST / HTTP/1.1', host, 'Content-Length: 2', 'Connection: close'], '{}')
    const { port } = await listening(
      createHttpServer((request, response) => {
        request.resume().on('end', () => response.end('answered'))
      }),
    )
    const socket = dial({ port })
    let text = ''
    socket.setEncoding('latin1').on('data', (piece) => (text += piece))
    const answers = async (count: number) => {
      while (text.split('answered').length <= count) await once(socket, 'data')
      text = ''
    }
    for (let i = 0; i < 400; i++) {
      socket.write(post.repeat(90))
      await answers(90)
    }
    socket.write(last)
    await answers(1)
    await closed(socket)
  })
})

describe('the limits on connections', () => {
  it('cut a client that does not take its answer, and leave one that is idle between requests', async () => {
    const { port, server } = await listening(
      createHttpServer((_request, response) => response.end(Buffer.alloc(50_000_000)), { stallLimitMs: 500 }),
    )
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    atEnd(() => agent.destroy())
    const take = async () => {
      const [answer] = await once(get({ port, host: '127.0.0.1', agent }), 'response')
      const { localPort } = answer.socket
      await once(answer.resume(), 'end')
      return localPort
    }
    const idle = await take()
    const accepted = once(server, 'connection')
    await sendAndStall({ port }, health)
    const [stalled] = await accepted
    await closed(stalled)
    assert.equal(await take(), idle)
  })

  it('leave alone one whose answer is still being made', async () => {
    let answer = () => {}
    const { port } = await listening(
      createHttpServer((_request, response) => (answer = () => response.end('made')), { stallLimitMs: 50 }),
    )
    const socket = dial({ port })
    socket.write(health)
    const stalled = await listening(
      createHttpServer((_request, response) => response.end(Buffer.alloc(50_000_000)), { stallLimitMs: 100 }),
    )
    const accepted = once(stalled.server, 'connection')
    await sendAndStall(stalled, health)
    await closed((await accepted)[0]) // which takes longer
    answer()
    const [bytes] = await once(socket, 'data')
    assert.match(String(bytes), /^HTTP\/1\.1 200 /)
  })

  it('end the connections that are idle when there are too many, so that new clients are served', async () => {
    const { port, server } = await listening(
      createHttpServer((_request, response) => response.end('served'), { maxConnections: 20 }),
    )
    const crowd: Socket[] = []
    for (let i = 0; i < 100; i++) {
      const socket = dial({ port })
      socket.write(health)
      const [bytes] = await once(socket, 'data')
      assert.match(String(bytes), /^HTTP\/1\.1 200 /)
      crowd.push(socket)
    }
    const open = await openConnections(server)
    assert.ok(open <= 20, `${open} are open`)
    assert.equal(crowd.at(-1)!.destroyed, false)
  })

  it('leave alone what is busy, and let no more in than there may be', async () => {
    const { port, server } = await listening(createHttpServer(() => {}, { maxConnections: 3 }))
    const busy: Socket[] = []
    for (let i = 0; i < 3; i++) {
      const socket = dial({ port })
      socket.write(health)
      await once(server, 'request')
      busy.push(socket)
    }
    const one = dial({ port })
    one.resume()
    await closed(one)
    assert.deepEqual(
      busy.map((socket) => socket.readyState),
      ['open', 'open', 'open'],
    )
  })

  it('are lower where the system allows fewer open files, and the log says so', {
    skip: process.platform === 'win32',
  }, async () => {
    const child = spawn('sh', ['-c', 'ulimit -n 200; exec "$0" "$@"', process.execPath, launcher, 'serve'], {
      cwd: temporaryFolder(),
      env: serverEnvironment(await migratedDatabaseUrl()),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    atEnd(async () => {
      child.kill('SIGKILL')
      await exited
    })
    let log = ''
    let port = 0
    for await (const line of createInterface({ input: child.stdout })) {
      log += `${line}\n`
      const serves = /Registrar serves http:[^ ]+:(\d+) /.exec(line)
      if (serves) port = Number(serves[1])
      if (serves) dial({ port }).write(health)
      if (line.includes('"msg":"request"')) break // logged after all that the start says
    }
    assert.match(log, /"level":"warn".*"open_files":200,"max_connections":90,/)
    const crowd = Array.from({ length: 130 }, () => dial({ port }))
    const told = await Promise.all(
      crowd.map(async (socket) => {
        socket.write(health)
        return Promise.race([
          once(socket, 'data').then(
            () => 'answered',
            () => 'closed', // a reset, where the request came before the server had closed
          ),
          closed(socket).then(() => 'closed'),
        ])
      }),
    )
    const answered = told.filter((how) => how === 'answered').length
    assert.ok(answered >= 80 && answered <= 130, `${answered} were answered`)
    const tryHealth = () =>
      call({ url: `http://127.0.0.1:${port}` }, 'GET', '/api/health').catch(() => undefined)
    const first = await tryHealth()
    assert.equal((first ?? (await tryHealth()))?.status, 200) // the first may be refused: it makes room for the next
  })
})
