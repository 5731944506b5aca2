// Waits for timers: it begins early.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { call } from '../../test/calls.ts'
import { atEnd } from '../../test/cleanup.ts'
import { firstAdministrator, type ServerProcess, startServer } from '../../test/server.ts'
import { openDatabase } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'

const rows = 10_000
const lines = Array.from({ length: rows }, (_, i) => `Ada Number${i},s-${i},Class ${1 + (i % 12)}`)
const file = `name,admission_number,class\n${lines.join('\n')}\n`

/** A server, its database beside it, and an import of the file. */
async function openOffice() {
  const server = await startServer()
  const token = await firstAdministrator(server)
  const db = await openDatabase(server.databaseUrl)
  atEnd(() => db.destroy())
  return { server, token, db }
}

async function importOf(db: Db) {
  return db.selectFrom('imports').selectAll().orderBy('id', 'desc').executeTakeFirst()
}

async function chunks(db: Db): Promise<number> {
  return (await db.selectFrom('import_chunks').select('place').execute()).length
}

/** Waits until an import is in a state. @returns the import as it is shown then */
async function until(server: ServerProcess, token: string, id: number, state: string) {
  for (;;) {
    const answer = await fetch(`${server.url}/api/imports/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await answer.json()) as { data: { state: string; progress?: { done: number } } }
    if (data.state === state) return { ...data, tag: answer.headers.get('etag')! }
    assert.ok(['reading', 'applying', 'undoing'].includes(data.state), `it is ${data.state}`)
    await pause(20)
  }
}

async function send({ url }: ServerProcess, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
  const answer = await fetch(`${url}/api/imports`, { method: 'POST', headers, body: file })
  assert.equal(answer.status, 202)
  return ((await answer.json()) as { data: { id: number } }).data.id
}

/** Sends all but the end of the file. @returns the request, once its first piece is stored */
async function sendWithoutEnd({ port }: ServerProcess, token: string, db: Db) {
  const headers = {
    ...{ authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    'content-length': file.length,
  }
  const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/imports', headers })
  sending.on('error', () => {}) // the server that is killed resets it
  sending.write(file.slice(0, -10))
  while ((await chunks(db)) === 0) await pause(20)
  return sending
}

describe('a server that ends while a file comes', () => {
  it('by SIGTERM, tells so, and the import has failed', async () => {
    const { server, token, db } = await openOffice()
    const sending = await sendWithoutEnd(server, token, db)
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    const ended = server.end('SIGTERM')
    const [answer] = await answered
    assert.deepEqual([answer.statusCode, JSON.parse(await text(answer)).code], [503, 'shutting_down'])
    assert.equal(await ended, 0)
    const { state, failure } = (await importOf(db))!
    assert.deepEqual([state, JSON.parse(failure!).code, await chunks(db)], ['failed', 'upload_cut', 0])
  })

  it('by SIGKILL, leaves an import that fails when its lease has run out; the file can be sent again', async () => {
    const { server, token, db } = await openOffice()
    await sendWithoutEnd(server, token, db)
    await server.end('SIGKILL')
    const { id, state } = (await importOf(db))!
    assert.equal(state, 'reading')
    // As if the lease, 47 s, had run out.
    await write(db, {}, (tx) =>
      tx
        .updateTable('imports')
        .set({ leased_until: new Date().toISOString() })
        .where('id', '=', id)
        .execute(),
    )
    const next = await startServer(server.databaseUrl)
    const failed = await until(next, token, id, 'failed')
    assert.equal((failed as { failure?: { code: string } }).failure?.code, 'upload_cut')
    assert.equal(await chunks(db), 0)
    const again = await send(next, token)
    assert.notEqual(again, id)
    await until(next, token, again, 'planned')
  })
})

describe('a server that is told to stop while it takes an import back', () => {
  it('stops between two slices, and the next one goes on at once: nothing of the import is left', async () => {
    const { server, token, db } = await openOffice()
    const id = await send(server, token)
    const { tag } = await until(server, token, id, 'planned')
    const path = `/api/imports/${id}`
    assert.equal((await call(server, 'POST', `${path}/apply`, { token, body: {}, match: tag })).status, 202)
    await until(server, token, id, 'applied')
    assert.equal((await call(server, 'POST', `${path}/undo`, { token })).status, 202)
    while (((await until(server, token, id, 'undoing')).progress?.done ?? 0) === 0) await pause(20)
    assert.equal(await server.end('SIGTERM'), 0)

    const { state, leased_by, leased_until, tries } = (await importOf(db))!
    assert.deepEqual([state, leased_by, leased_until, tries], ['undoing', null, null, 0])
    const left = (await db.selectFrom('students').select('id').execute()).length
    assert.ok(left > 0 && left < rows, `${left} of ${rows} are left`)
    const next = await startServer(server.databaseUrl)
    await until(next, token, id, 'undone')
    const { body } = await call(next, 'GET', '/api/students', { token })
    assert.equal(body.pagination.total, 0)
    const sets = await db
      .selectFrom('change_sets')
      .select('kind')
      .where('kind', 'in', ['import', 'undo'])
      .execute()
    assert.deepEqual(sets.map(({ kind }) => kind).sort(), ['import', 'undo'])
  })
})
