// Measures times: few files run beside it. Runs once: no database is asked.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { createHttpServer, type HttpServerOptions } from '../src/server/listen.ts'
import { atEnd } from './cleanup.ts'
import { flood, openConnections } from './pipelining.ts'
import { startServer } from './server.ts'
import { frame } from './wire.ts'

const request = frame(['GET /api/health HTTP/1.1', 'Host: l'])

async function serve(
  handler: RequestListener,
  options?: HttpServerOptions,
): Promise<{ server: Server; port: number }> {
  const server = createHttpServer(handler, options)
  await once(server.listen(0, '127.0.0.1', 4_096), 'listening')
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, port: (server.address() as AddressInfo).port }
}

describe('clients that send many requests at once', () => {
  it('are cut before Node has made objects of all that they sent', async () => {
    const { server, port } = await serve((_request, response) => response.end())
    let made = 0
    server.on('request', () => made++)
    const sockets = await openConnections(port, 60)
    const ended = sockets.map((socket) => once(socket.resume(), 'close'))
    for (const socket of sockets) socket.write(request.repeat(1_600))
    await Promise.all(ended)
    assert.ok(made > 60 && made <= 60 * 102, `${made} requests were made of 96 000`)
  })

  it('are answered in order when they are many and send sixteen each', async () => {
    const { port } = await serve(({ url }, response) => response.end(`at ${url}\n`))
    const numbers = Array.from({ length: 16 }, (_, i) => i)
    const bytes = numbers.map((i) => frame([`GET /${i} HTTP/1.1`, 'Host: l'])).join('')
    const sockets = await openConnections(port, 120)
    const texts = await Promise.all(
      sockets.map(async (socket) => {
        let text = ''
        socket.setEncoding('latin1').on('data', (piece) => (text += piece))
        socket.write(bytes)
        while (!text.includes('at /15\n')) await once(socket, 'data')
        return text
      }),
    )
    for (const text of texts)
      assert.deepEqual(
        [...text.matchAll(/at \/(\d+)\n/g)].map(([, number]) => Number(number)),
        numbers,
      )
  })

  it('hold up no client that sends one', async () => {
    const crowd = 120
    let handled = 0
    let handledBefore = 0
    const { server, port } = await serve(({ url }, response) => {
      if (++handled === 2 * crowd) alone!.write(frame(['GET /alone HTTP/1.1', 'Host: l']))
      if (url === '/alone') handledBefore = handled
      response.end('answered')
    })
    let accepted = 0
    server.on('connection', () => accepted++)
    const [alone, ...others] = await openConnections(port, 1 + crowd)
    while (accepted <= crowd) await new Promise((resolve) => setImmediate(resolve))
    const ended = others.map((socket) => once(socket.resume(), 'close'))
    const last = frame(['GET /last HTTP/1.1', 'Host: l', 'Connection: close'])
    for (const socket of others) socket.write(request.repeat(15) + last)
    await Promise.all(ended)
    assert.equal(handled, 16 * crowd + 1)
    const between = handledBefore - 2 * crowd
    assert.ok(between > 0 && between < 100, `${between} requests of others came first`)
  })

  it('let new clients in, though they are many and each batch of requests takes long', async () => {
    const crowd = 100
    let batches = 0
    const { port } = await serve(({ url }, response) => response.end(url), {
      beforeRequests() {
        batches++
        for (const end = performance.now() + 5; performance.now() < end; );
      },
    })
    const sockets = await openConnections(port, crowd)
    for (const socket of sockets) socket.write(request)
    await Promise.all(sockets.map((socket) => once(socket, 'data')))
    assert.ok(batches < crowd / 2, `${batches} batches`)
  })

  it('do not get the next answer made before they take the last', async () => {
    let handled = 0
    const { server, port } = await serve(
      (_request, response) => {
        handled++
        response.end(Buffer.alloc(50_000_000))
      },
      { stallLimitMs: 500 },
    )
    const accepted = once(server, 'connection')
    const [socket] = await openConnections(port, 1)
    const [served] = await accepted
    socket!.write(request.repeat(10))
    await once(socket!, 'readable') // and reads no more
    await once(served, 'close')
    assert.equal(handled, 1)
  })

  it('in a flood leave health to be answered, and the memory small', async () => {
    const server = await startServer(undefined, { NODE_OPTIONS: '--max-old-space-size=512' })
    const { longestMs, peakMb } = await flood(server, 150, request.repeat(1_600))
    assert.ok(longestMs < 10_000, `${longestMs} ms`)
    assert.ok(peakMb < 400, `${peakMb} MB`)
  })
})
