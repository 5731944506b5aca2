import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newDatabaseUrl, onlyOn } from './engine.ts'
import { Load } from './load.ts'
import { LoadBalancer } from './load-balancer.ts'
import { firstAdministrator, startServer } from './server.ts'

describe('a rolling restart', onlyOn('postgres'), () => {
  it('of three instances behind a health-checking load balancer fails no request', async () => {
    const databaseUrl = await newDatabaseUrl()
    const settings = { DRAIN_SECONDS: '1' }
    const balancer = await LoadBalancer.start()
    const servers = await Promise.all([1, 2, 3].map(() => startServer(databaseUrl, settings)))
    const token = await firstAdministrator(servers[0]!)
    await Promise.all(servers.map(({ url }) => balancer.add(url)))

    await using load = new Load([balancer], token)
    for (const server of servers) {
      assert.equal(await server.end('SIGTERM'), 0)
      balancer.remove(server.url)
      const next = await startServer(databaseUrl, settings)
      await balancer.add(next.url)
    }
    await load.stop()

    assert.ok(load.answers.length > 100)
    const failed = load.answers.filter(({ status }) => status !== 200 && status !== 201)
    assert.deepEqual(failed, [])
  })
})
