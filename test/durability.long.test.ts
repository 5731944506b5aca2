// Runs once, and measures times: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase, sqlitePath } from '../src/db/open.ts'
import { write } from '../src/events/write.ts'
import { call, createStudentAt, logInAt } from './calls.ts'
import { temporaryFolder } from './cleanup.ts'
import { newDatabaseUrl } from './engine.ts'
import { studentRow } from './many-students.ts'
import { byTest, password } from './school.ts'
import { launcher, type ServerProcess, serverEnvironment, startServer } from './server.ts'

const email = 'head@school.example'

/** Registers the first administrator, and logs in. */
async function administratorAt(server: ServerProcess): Promise<string> {
  const { status } = await call(server, 'POST', '/api/auth/register', {
    body: { name: 'Head', email, password },
  })
  assert.equal(status, 201)
  return logInAt(server, email)
}

/** What is on disk, by admission number; the server must not run. */
function storedIn(databaseUrl: string): Map<string, number> {
  const db = new DatabaseSync(sqlitePath(databaseUrl))
  try {
    assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    assert.deepEqual(db.prepare('pragma foreign_key_check').all(), [])
    db.exec(`insert into student_search (student_search, rank) values ('integrity-check', 1)`)
    const rows = db.prepare('select id, admission_number from students order by id').all()
    const stored = new Map(rows.map(({ id, admission_number }) => [String(admission_number), Number(id)]))
    assert.equal(stored.size, rows.length, 'no number twice')
    return stored
  } finally {
    db.close()
  }
}

/** What clients were told about what they asked for. */
interface Told {
  readonly acknowledged: Map<string, number>
  readonly refused: string[]
  readonly unanswered: string[]
}

const nothingTold = (): Told => ({ acknowledged: new Map(), refused: [], unanswered: [] })

async function createAndNote(
  server: ServerProcess,
  token: string,
  number: string,
  told: Told,
): Promise<boolean> {
  try {
    const { status, body } = await createStudentAt(server, token, number)
    if (status === 201) told.acknowledged.set(number, body.data.id)
    else told.refused.push(number)
    return status === 201
  } catch {
    told.unanswered.push(number)
    return false
  }
}

/** Every acknowledged record is there, with its id; what was refused is not. */
function checkPromise({ acknowledged, refused }: Told, stored: ReadonlyMap<string, number>): void {
  for (const [number, id] of acknowledged) assert.equal(stored.get(number), id, `${number} was acknowledged`)
  for (const number of refused) assert.ok(!stored.has(number), `${number} was refused`)
}

/** A request whose body does not end until it is told to: it stays open. */
async function openRequest(server: ServerProcess): Promise<{ finish(): Promise<string>; socket: Socket }> {
  const socket = connect(server.port, '127.0.0.1')
  const body = JSON.stringify({ email, password })
  const head = ['POST /api/auth/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  await once(socket, 'data') // 100 Continue: the server has begun to read
  const received: Buffer[] = []
  socket.on('data', (bytes) => received.push(bytes))
  const closed = once(socket, 'close')
  return {
    socket,
    async finish() {
      socket.write(body)
      await closed
      return Buffer.concat(received).toString()
    },
  }
}

async function healthOf(server: ServerProcess): Promise<string> {
  try {
    const { status, body } = await call(server, 'GET', '/api/health')
    return `${status} ${body.code ?? body.status}`
  } catch {
    return 'no connection'
  }
}

/** Asks until the answer is this one. */
async function untilHealthIs(server: ServerProcess, expected: string): Promise<void> {
  for (;;) {
    const health = await healthOf(server)
    if (health === expected) return
    assert.notEqual(health, 'no connection')
  }
}

const hasEnded = ({ process }: ServerProcess) => process.exitCode !== null || process.signalCode !== null

describe('a server whose writing thread is lost', () => {
  it('ends, and says so: what was answered before is there at the next start', {
    timeout: 60_000,
  }, async () => {
    const ends = join(temporaryFolder(), 'ends.mjs')
    const code = "process.once('worker', (worker) => process.once('SIGUSR2', () => worker.terminate()))"
    writeFileSync(ends, code)
    const server = await startServer(undefined, { NODE_OPTIONS: `--import=${pathToFileURL(ends)}` })
    const token = await administratorAt(server)
    assert.equal((await createStudentAt(server, token, 'before')).status, 201)
    const exited = once(server.process, 'exit')
    server.process.kill('SIGUSR2')
    assert.deepEqual(await exited, [1, null])
    assert.match(
      server.log.join('\n'),
      /^The database can no longer be written, and the server ends: .+ the writing thread has ended$/m,
    )
    const next = await startServer(server.databaseUrl)
    const { body } = await call(next, 'GET', '/api/students?search=before', { token })
    assert.equal(body.pagination.total, 1)
  })
})

describe('a server that is killed under load', () => {
  it('has lost nothing that it acknowledged, ten times over', async () => {
    const databaseUrl = await newDatabaseUrl()
    const told = nothingTold()
    let token: string | undefined
    for (let round = 0; round < 10; round++) {
      const server = await startServer(databaseUrl)
      token ??= await administratorAt(server)
      const from = told.acknowledged.size
      const enough = from + 8 + ((round * 14) % 40)
      let next = 0
      const clients = Array.from({ length: 16 }, async () => {
        while (!hasEnded(server)) {
          const created = await createAndNote(server, token!, `r${round}-${next++}`, told)
          if (!created) return
          if (told.acknowledged.size >= enough) server.process.kill('SIGKILL')
        }
      })
      await Promise.all(clients)
      assert.equal(await server.end('SIGKILL'), 'SIGKILL')
      assert.ok(told.acknowledged.size >= enough)
    }
    const server = await startServer(databaseUrl)
    const { body } = await call(server, 'GET', '/api/students?per_page=1', { token: token! })
    assert.ok(body.pagination.total >= told.acknowledged.size)
    for (const id of [...told.acknowledged.values()].slice(-20)) {
      assert.equal((await call(server, 'GET', `/api/students/${id}`, { token: token! })).status, 200)
    }
    assert.equal(await server.end('SIGTERM'), 0)

    assert.ok(told.acknowledged.size > 200, `${told.acknowledged.size} acknowledged`)
    assert.deepEqual(told.refused, [])
    const stored = storedIn(databaseUrl)
    checkPromise(told, stored)
    const asked = told.acknowledged.size + told.unanswered.length
    assert.ok(stored.size <= asked, 'and nothing is there that nobody asked for')
  })
})

describe('SIGTERM', () => {
  it('under a hundred open creations answers each, or has not applied it; then the server ends in order', async () => {
    const server = await startServer()
    const token = await administratorAt(server)
    const told = nothingTold()
    await createAndNote(server, token, 'first', told)
    const creating = Array.from({ length: 100 }, async (_, i) => {
      await createAndNote(server, token, `n${i}`, told)
      if (told.acknowledged.size === 5) server.process.kill('SIGTERM')
    })
    const begun = performance.now()
    await Promise.all(creating)
    assert.equal(await server.end('SIGCONT'), 0) // it has its SIGTERM
    assert.ok(performance.now() - begun < 10_000)
    const path = sqlitePath(server.databaseUrl)
    assert.ok(!existsSync(`${path}-wal`) || statSync(`${path}-wal`).size === 0, 'the log is in the file')
    assert.ok(told.acknowledged.size >= 5)
    const stored = storedIn(server.databaseUrl)
    checkPromise(told, stored)
    for (const number of told.unanswered)
      assert.ok(!stored.has(number), `${number} was applied and not answered`)
    assert.equal(stored.size, told.acknowledged.size)
  })

  it('turns health 503 at once, refuses new requests, and serves the open one to its end', async () => {
    const server = await startServer()
    await administratorAt(server)
    const open = await openRequest(server)
    assert.equal(await healthOf(server), '200 healthy')
    server.process.kill('SIGTERM')
    await untilHealthIs(server, '503 shutting_down')
    const late = await call(server, 'POST', '/api/auth/login', { body: { email, password } })
    assert.deepEqual([late.status, late.body.code], [503, 'shutting_down'])
    assert.equal(hasEnded(server), false)
    const answer = await open.finish()
    assert.match(answer, /^HTTP\/1\.1 200 OK/)
    assert.match(answer, /"token":"/)
    assert.match(answer, /connection: close/i)
    const begun = performance.now()
    assert.equal(await server.end('SIGCONT'), 0) // it has its SIGTERM
    assert.ok(performance.now() - begun < 8_000, 'and the end does not wait for idle connections')
  })

  it('ends a server that nobody uses at once, whatever connections are kept', async () => {
    const server = await startServer()
    await healthOf(server) // fetch keeps its connection
    const begun = performance.now()
    assert.equal(await server.end('SIGTERM'), 0)
    assert.ok(performance.now() - begun < 8_000) // it waits 10 s for requests
  })

  it('a second time ends it now, while a request is open', async () => {
    const server = await startServer()
    await administratorAt(server)
    const { socket } = await openRequest(server)
    socket.on('error', () => {})
    server.process.kill('SIGTERM')
    await untilHealthIs(server, '503 shutting_down')
    const begun = performance.now()
    // One that comes within a second may be the same signal, passed on by the launcher.
    while (!hasEnded(server)) {
      server.process.kill('SIGTERM')
      await healthOf(server)
    }
    assert.equal(await server.end('SIGTERM'), 1)
    assert.ok(performance.now() - begun < 8_000)
  })

  it('cuts what is still open after ten seconds, and ends in order', async () => {
    const databaseUrl = await newDatabaseUrl()
    const db = await openDatabase(databaseUrl, { create: true })
    await migrate(db)
    const notes = 'x'.repeat(1_500)
    await write(db, byTest, async (db) => {
      for (let number = 0; number < 20_000; ) {
        const rows = Array.from({ length: 500 }, () => ({ ...studentRow('Ada', `n ${++number}`), notes }))
        await db.insertInto('students').values(rows).execute()
      }
    })
    await db.destroy()
    const server = await startServer(databaseUrl)
    const headers = { authorization: `Bearer ${await administratorAt(server)}` }
    // A body that does not come is cut after ten seconds by itself; an export that nobody takes is not.
    const path = '/api/students.csv?columns=id,notes'
    const [answer] = await once(get({ port: server.port, path, headers, agent: false }), 'response')
    answer.on('error', () => {})
    const begun = performance.now()
    assert.equal(await server.end('SIGTERM'), 0)
    const ms = performance.now() - begun
    assert.ok(ms > 9_000 && ms < 20_000, `ended after ${ms} ms`)
  })

  it('and SIGINT mean the same', async () => {
    const server = await startServer()
    assert.equal(await server.end('SIGINT'), 0)
    assert.ok(server.log.some((line) => line.includes('stopped')))
  })
})

describe('a second server on the same file', () => {
  const startSecond = (databaseUrl: string) =>
    spawnSync(process.execPath, [launcher, 'serve'], {
      env: serverEnvironment(databaseUrl),
      encoding: 'utf8',
    })

  it('refuses to start, in one sentence that says what to do, and harms nothing', async () => {
    const server = await startServer()
    const token = await administratorAt(server)
    const second = startSecond(server.databaseUrl)
    assert.equal(second.status, 1)
    assert.match(
      second.stderr,
      /^Another Registrar server is using .*\. Stop it first, or set DATABASE_URL to another file\.\n$/,
    )
    assert.equal(second.stdout, '')
    assert.equal((await createStudentAt(server, token, 'after')).status, 201)
    assert.equal(await server.end('SIGTERM'), 0)
    const third = await startServer(server.databaseUrl)
    assert.equal(
      (await call(third, 'GET', '/api/auth/me', { token })).status,
      200,
      'the token outlives a restart',
    )
    assert.equal(await third.end('SIGTERM'), 0)
  })

  it('starts once the first is killed: the lock dies with its process', async () => {
    const server = await startServer()
    const token = await administratorAt(server)
    assert.equal(await server.end('SIGKILL'), 'SIGKILL')
    const second = await startServer(server.databaseUrl)
    assert.equal((await createStudentAt(second, token, 'after')).status, 201)
    assert.equal(startSecond(server.databaseUrl).status, 1)
  })
})

describe('a logout', () => {
  it('that was answered outlives kill -9', async () => {
    const server = await startServer()
    const token = await administratorAt(server)
    const other = await logInAt(server, email)
    assert.equal((await call(server, 'POST', '/api/auth/logout', { token })).status, 200)
    await server.end('SIGKILL')
    const again = await startServer(server.databaseUrl)
    assert.equal((await call(again, 'GET', '/api/auth/me', { token })).status, 401)
    assert.equal((await call(again, 'GET', '/api/auth/me', { token: other })).status, 200)
  })
})
