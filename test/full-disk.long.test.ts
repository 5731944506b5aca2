// Runs once, and waits for timers: what it shows concerns SQLite files alone.
import assert from 'node:assert/strict'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { call, createStudentAt } from './calls.ts'
import { temporaryFolder } from './cleanup.ts'
import { firstAdministrator, startServer } from './server.ts'
import { needs } from './tools.ts'

/** The server tries a write every five seconds; a test allows for a noisy machine. */
const allowedMs = 10_000

describe('a full disk', needs('unshare', '-rm', 'sh', '-c', 'mount -t tmpfs none /mnt'), () => {
  it('makes health 503 with the first write that fails, until there is room: reads go on', async (t) => {
    const folder = temporaryFolder()
    const mount = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=4m none "$0" && exec "$@"', folder]
    const server = await startServer(`sqlite:${join(folder, 'registrar.db')}`, {}, mount)
    const token = await firstAdministrator(server)
    const health = async () => {
      const { status, body } = await call(server, 'GET', '/api/health')
      return `${status} ${body.code ?? body.status}`
    }
    const inside = join(`/proc/${server.process.pid}/root`, folder)
    const filler = join(inside, 'filler')
    const { bavail, bsize } = statfsSync(inside)
    writeFileSync(filler, Buffer.alloc((bavail - 100) * bsize))

    let stored = 0
    let refused = 0
    // For longer than two of the writes that are tried: such a small one has room, and is not enough.
    for (const until = performance.now() + 12_000; performance.now() < until; ) {
      const { status, body } = await createStudentAt(server, token, `n${stored + refused}`)
      if (status === 201 && refused === 0) {
        stored++
        continue
      }
      assert.deepEqual([status, body.code], [503, 'database_unavailable'])
      refused++
      assert.equal(await health(), '503 database_unavailable')
      const read = await call(server, 'GET', '/api/students', { token })
      assert.deepEqual([read.status, read.body.pagination.total], [200, stored])
      await pause(250)
      assert.equal(await health(), '503 database_unavailable')
    }
    assert.ok(refused > 5)

    rmSync(filler)
    const freed = performance.now()
    while ((await health()) !== '200 healthy') await pause(50)
    const backMs = performance.now() - freed
    t.diagnostic(
      `${stored} stored, ${refused} refused, healthy ${Math.round(backMs)} ms after there was room`,
    )
    assert.ok(backMs < allowedMs)
    assert.equal((await createStudentAt(server, token, 'after')).status, 201)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.equal(server.log.filter((line) => /Nothing can be written/.test(line)).length, 1)
    assert.doesNotMatch(server.log.join(''), /"stack"/)
  })
})
