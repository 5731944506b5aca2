import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { migratedDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { PostgresProxy } from '../../test/postgres-proxy.ts'
import { startServer } from '../../test/server.ts'

describe('a server that starts before its PostgreSQL', onlyOn('postgres'), () => {
  it('says so once, waits, and serves when PostgreSQL is there', async () => {
    const proxy = await PostgresProxy.start(await migratedDatabaseUrl())
    proxy.cutOff(true)
    const starting = startServer(proxy.url)
    await Promise.race([starting, proxy.whenTurnedAway(3)])
    proxy.cutOff(false)
    const server = await starting
    assert.equal((await fetch(`${server.url}/api/health`)).status, 200)
    const { host } = new URL(proxy.url)
    const told = server.log.filter((line) => line.startsWith(`waiting for PostgreSQL at ${host}/`))
    assert.equal(told.length, 1, server.log.join('\n'))
    assert.equal(await server.end('SIGTERM'), 0)
  })
})
