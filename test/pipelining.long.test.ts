// Measures times: few files run beside it. Runs once: no database is asked.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flood } from './pipelining.ts'
import { startServer } from './server.ts'
import { frame } from './wire.ts'

const request = frame(['GET /api/health HTTP/1.1', 'Host: l'])

/** The limits hold on a machine with nothing else to do; the time is ten times as long here. */
describe('a flood of pipelined requests', () => {
  for (const { connections, requests } of [
    { connections: 300, requests: 1_600 },
    { connections: 1_200, requests: 1_700 },
  ]) {
    it(`${requests} on each of ${connections} connections: health within ten times a second, less than 400 MB`, async () => {
      const server = await startServer(undefined, { NODE_OPTIONS: '--max-old-space-size=512' })
      const { longestMs, peakMb } = await flood(server, connections, request.repeat(requests))
      assert.ok(longestMs < 10_000, `${longestMs} ms`)
      assert.ok(peakMb < 400, `${peakMb} MB`)
      assert.equal(await server.end('SIGTERM'), 0)
    })
  }
})
