// Runs once: no database is asked.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { atEnd } from '../../test/cleanup.ts'
import { endIdle, isAmidRequest, onLastAnswer, parseNoMore, responseOn } from './undocumented.ts'

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** A plain server of Node's, and a client that has sent these bytes. */
async function exchange(
  bytes: string,
  handler: RequestListener,
): Promise<{ server: Server; client: Socket }> {
  const server = createServer(handler)
  atEnd(() => server.closeAllConnections())
  atEnd(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {}).resume()
  client.write(bytes)
  return { server, client }
}

describe('what the server uses of Node beyond its documentation', () => {
  it('tells the response on a connection, until it is sent', async () => {
    const seen: boolean[] = []
    await new Promise<void>((resolve) => {
      exchange(get, ({ socket }, response) => {
        seen.push(responseOn(socket) === response)
        response.once('close', () => {
          seen.push(responseOn(socket) === undefined)
          resolve()
        })
        response.end()
      })
    })
    assert.deepEqual(seen, [true, true])
  })

  it('tells whether a request has come whole', async () => {
    const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n'
    const { server, client } = await exchange(`${post}a`, (request, response) => {
      request.resume().once('end', () => response.end())
    })
    const [{ socket }] = (await once(server, 'request')) as [{ socket: Socket }]
    assert.equal(isAmidRequest(socket), true)
    client.write('b')
    await once(client, 'data')
    assert.equal(isAmidRequest(socket), false)
  })

  it('stops the parser amid what one packet holds', async () => {
    let handled = 0
    const { client } = await exchange(get.repeat(50), ({ socket }) => {
      handled++
      parseNoMore(socket)
      socket.destroy()
    })
    await once(client, 'close')
    assert.equal(handled, 1)
  })

  it('is asked to end a connection after an answer that closes', async () => {
    const asked = new Promise<void>((resolve) => {
      exchange(get, ({ socket }, response) => {
        onLastAnswer(socket, resolve)
        response.setHeader('Connection', 'close')
        response.end()
      })
    })
    await asked
  })

  it('is asked to end the connections that are idle, and no other', async () => {
    const { server, client } = await exchange(get, (_request, response) => response.end())
    const [{ socket: idle }] = (await once(server, 'request')) as [{ socket: Socket }]
    await once(client, 'data')
    const busyClient = connect((server.address() as AddressInfo).port, '127.0.0.1')
    busyClient.on('error', () => {})
    server.removeAllListeners('request').on('request', () => {})
    busyClient.write(get)
    const [{ socket: busy }] = (await once(server, 'request')) as [{ socket: Socket }]
    const ended: Socket[] = []
    endIdle(
      [idle, busy],
      () => server.closeIdleConnections(),
      (socket) => ended.push(socket),
    )
    assert.deepEqual(
      ended.map((socket) => socket === idle),
      [true],
    )
    assert.ok(!Object.hasOwn(busy, 'destroy') && !busy.destroyed && !idle.destroyed)
  })
})
