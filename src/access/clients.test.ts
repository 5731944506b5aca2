import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientOf, siteOf } from './clients.ts'

describe('clientOf', () => {
  const clients: [address: string, client: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['1::7:8', '1:0:0:0::/64'],
    ['2001:db8::1:a:b:c:d', '2001:db8:0:1::/64'],
    ['1::4:5:6:7:8', '1:0:0:4::/64'],
    ['::3:4:5:6:7:8', '0:0:3:4::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['64:ff9b::c000:201', '64:ff9b:0:0::/64'],
    ['::ffff:606:607', '6.6.6.7'],
    ['0:0:0:0:0:FFFF:C000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:0:192.0.2.1', '0:0:0:0::/64'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:50123', '192.0.2.1'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['[2001:db8::1]:50123', '2001:db8:0:0::/64'],
    ['[192.0.2.1]', '192.0.2.1'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['', 'unknown'],
    ['192.0.2.1.5', 'unknown'],
    ['192.0.2.1:', 'unknown'],
    ['x'.repeat(1000), 'unknown'],
  ]
  for (const [address, client] of clients) {
    it(`of ${address.slice(0, 50)} is ${client}`, () => assert.equal(clientOf(address), client))
  }
})

describe('siteOf', () => {
  const sites: [address: string, site: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
    ['2001:db8:1:2ff::1', '2001:db8:1:200::/56'],
    ['2001:db8:1:ff00::1', '2001:db8:1:ff00::/56'],
    ['[2001:db8::1]:50123', '2001:db8:0:0::/56'],
    ['unknown', 'unknown'],
  ]
  for (const [address, site] of sites)
    it(`of ${address} is ${site}`, () => assert.equal(siteOf(address), site))
})
