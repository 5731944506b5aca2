// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSchool } from './school.ts'

const peer = '198.51.100.9'
const said = '203.0.113.1, 203.0.113.2, 203.0.113.3'

describe('the address that a login counts against, of a client that says X-Forwarded-For', () => {
  const clients: [trustProxy: string, client: string, forwardedFor?: string, from?: string][] = [
    ['off', peer],
    ['1', '203.0.113.3'],
    ['2', '203.0.113.2'],
    ['3', '203.0.113.1'],
    ['9', '203.0.113.1'],
    ['1', peer, ''],
    ['1', 'unknown', 'not an address'],
    ['1', '203.0.113.3', '203.0.113.3:50123'],
    [peer, '203.0.113.3'],
    ['198.51.100.0/24,203.0.113.3', '203.0.113.2'],
    ['192.0.2.1', peer],
    ['198.51.100.0/24', '203.0.113.3', said, '::ffff:198.51.100.9'],
  ]
  for (const [trustProxy, client, forwardedFor = said, from = peer] of clients) {
    it(`is ${client} with TRUST_PROXY=${trustProxy}, from ${from}, for "${forwardedFor}"`, async () => {
      const school = await openSchool({ env: { TRUST_PROXY: trustProxy } })
      const { status } = await school.send('POST', '/api/auth/login', {
        body: { email: 'a@b', password: 'x' },
        from,
        headers: forwardedFor === '' ? {} : { 'x-forwarded-for': forwardedFor },
      })
      assert.equal(status, 401)
      const counters = await school.db.selectFrom('throttles').select('key').orderBy('key').execute()
      assert.deepEqual(
        counters.map(({ key }) => key).filter((key) => key.startsWith('login-address:')),
        [`login-address:${client}`],
      )
    })
  }
})
