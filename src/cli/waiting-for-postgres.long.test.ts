// Waits for timers: it begins early.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { migratedDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { PostgresProxy } from '../../test/postgres-proxy.ts'
import { startServer } from '../../test/server.ts'

describe('a server whose PostgreSQL does not come', onlyOn('postgres'), () => {
  it('gives up after 30 s, by a sentence that says what to do', async () => {
    const proxy = await PostgresProxy.start(await migratedDatabaseUrl())
    proxy.cutOff(true)
    const began = performance.now()
    await assert.rejects(startServer(proxy.url), {
      message:
        /exited with 1:\nwaiting for PostgreSQL at .+\nPostgreSQL at \S+ could not be reached for 30 s: .+\. Start it, or set DATABASE_URL\.$/,
    })
    const seconds = (performance.now() - began) / 1000
    assert.ok(seconds > 30 && seconds < 60, `${seconds} s`)
  })
})
