// Waits for timers: it begins early.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { call } from '../../test/calls.ts'
import { firstAdministrator, type ServerProcess, startServer } from '../../test/server.ts'

const rows = 40_000

/** How long an import may stand still after its instance was killed, in milliseconds; the rest of it takes some, too. */
const longestMs = 30_000 + 60_000

describe('an import whose instance is killed', () => {
  const file = () => {
    const lines = Array.from({ length: rows }, (_, i) => `Ada Number${i},k-${i},Class ${1 + (i % 12)}`)
    return `name,admission_number,class\n${lines.join('\n')}\n`
  }

  async function shown(server: ServerProcess, id: number, token: string) {
    const { status, body } = await call(server, 'GET', `/api/imports/${id}`, { token })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }

  /** Waits until a step is amid its work, and kills its instance. */
  async function killAmid(server: ServerProcess, id: number, token: string, state: string): Promise<void> {
    for (;;) {
      const { state: now, progress } = await shown(server, id, token)
      if (now === state && progress?.done > 0) break
      assert.equal(now, state, 'it was over too soon')
      await pause(20)
    }
    await server.end('SIGKILL')
  }

  async function until(server: ServerProcess, id: number, token: string, state: string) {
    const end = performance.now() + longestMs
    for (;;) {
      const now = await shown(server, id, token)
      if (now.state === state) return now
      assert.ok(['reading', 'applying', 'undoing'].includes(now.state), JSON.stringify(now.failure))
      assert.ok(performance.now() < end, `it is still ${now.state}`)
      await pause(200)
    }
  }

  it('goes on at the next, whether it was read, applied or undone; nothing is done twice, nothing is left out', async () => {
    let server = await startServer()
    const { databaseUrl } = server
    const token = await firstAdministrator(server)
    const next = async () => {
      server = await startServer(databaseUrl)
    }
    const sent = await fetch(`${server.url}/api/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: file(),
    })
    assert.equal(sent.status, 202)
    const { id } = ((await sent.json()) as { data: { id: number } }).data
    await killAmid(server, id, token, 'reading')
    await next()
    const planned = await until(server, id, token, 'planned')
    assert.deepEqual([planned.counts.rows, planned.counts.create], [rows, rows])

    const { headers } = await fetch(`${server.url}/api/imports/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const applied = await fetch(`${server.url}/api/imports/${id}/apply`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'if-match': headers.get('etag')!,
      },
      body: '{}',
    })
    assert.equal(applied.status, 202, await applied.text())
    await killAmid(server, id, token, 'applying')
    await next()
    await until(server, id, token, 'applied')
    const students = async () => (await call(server, 'GET', '/api/students', { token })).body.pagination.total
    assert.equal(await students(), rows)

    assert.equal((await call(server, 'POST', `/api/imports/${id}/undo`, { token })).status, 202)
    await killAmid(server, id, token, 'undoing')
    await next()
    await until(server, id, token, 'undone')
    assert.equal(await students(), 0)
  })
})
