// Runs once, and measures times: few files run beside it, and what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { before, beforeEach, describe, it } from 'node:test'
import { openSchool, type School } from './school.ts'
import { frame, openWire, type Wire } from './wire.ts'

const host = 'Host: localhost'
const login = ['POST /api/auth/login HTTP/1.1', host, 'Content-Type: application/json']

interface Flow {
  /** The answer, or what of it arrived. */
  readonly text: string
  readonly sentBytes: number
  readonly ms: number
}

const piece = Buffer.from(`8000\r\n${'x'.repeat(0x8000)}\r\n`)

describe('a crowd of hostile connections', () => {
  let school: School
  let wire: Wire
  before(async () => {
    school = await openSchool()
    wire = await openWire(school)
  })
  beforeEach(() => {
    school.log.length = 0
  })

  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const openConnections = () =>
    new Promise<number>((resolve, reject) =>
      school.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )

  /** Until the server has noticed that they all have gone. */
  async function allGone(): Promise<void> {
    while ((await openConnections()) > 0) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Sends without end, until the server ends the connection. */
  async function sendForEver(beginning: string, piece: Buffer): Promise<Flow> {
    const socket = wire.connect()
    const begun = performance.now()
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.write(beginning)
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', pour)
    pour()
    await closed(socket)
    const sentBytes = socket.bytesWritten - socket.writableLength
    return { text, sentBytes, ms: performance.now() - begun }
  }

  it('that send bodies without end are answered 413, and read hardly beyond the limit', async () => {
    const crowd = Array.from({ length: 10 }, () =>
      sendForEver(frame([...login, 'Transfer-Encoding: chunked']), piece),
    )
    for (const { text, sentBytes } of await Promise.all(crowd)) {
      assert.match(text, /^HTTP\/1\.1 413 /)
      assert.ok(sentBytes < 20_000_000, `${sentBytes} bytes were sent`)
    }
    const statuses = school.log.map((line) => JSON.parse(line).status)
    assert.deepEqual(statuses, Array(10).fill(413))
    await allGone()
    await wire.assertAlive()
  })

  it('that send a whole body before they read are answered 413 all the same', async () => {
    const late = async () => {
      const socket = wire.connect().pause()
      const gone = closed(socket)
      socket.write(frame([...login, 'Transfer-Encoding: chunked']))
      const send = (bytes: Buffer) =>
        new Promise((resolve) => socket.write(bytes, () => setImmediate(resolve)))
      for (let i = 0; i < 25; i++) await send(piece)
      await send(Buffer.from('0\r\n\r\n'))
      let text = ''
      socket.on('data', (bytes) => {
        text += bytes
      })
      socket.resume()
      await gone
      return text
    }
    for (const text of await Promise.all(Array.from({ length: 10 }, late)))
      assert.match(text, /^HTTP\/1\.1 413 /)
    await allGone()
  })

  it('that go on sending after they were refused are cut soon after', async () => {
    const lines = ['POST /api/students HTTP/1.1', host, 'Transfer-Encoding: chunked']
    const crowd = Array.from({ length: 5 }, () => sendForEver(frame(lines), piece))
    for (const { text, ms } of await Promise.all(crowd)) {
      assert.match(text, /^HTTP\/1\.1 401 /)
      assert.ok(ms < 8_000, `cut after ${ms} ms`)
    }
    await allGone()
  })

  it('that each fill the limit on bodies are each answered, and leave nothing behind', async () => {
    const body = JSON.stringify({ email: 'a@b', password: 'x'.repeat(65_000) }).padEnd(65_536)
    const lines = [...login, 'Connection: close', `Content-Length: ${body.length}`]
    const crowd = Array.from({ length: 100 }, () => wire.exchange(frame(lines, body)))
    for (const { answers } of await Promise.all(crowd)) {
      assert.equal(answers.length, 1)
      assert.ok([401, 429, 503].includes(answers[0]!.status), String(answers[0]!.status))
    }
    await allGone()
    await wire.assertAlive()
  })

  it('that send thousands of headers are refused, one short line of log each', async () => {
    const request = frame(['GET /api/health HTTP/1.1', host, ...Array(2_500).fill('a: 1')])
    const crowd = Array.from({ length: 50 }, () => wire.exchange(request))
    for (const { answers } of await Promise.all(crowd))
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body.code]),
        [[431, 'headers_too_large']],
      )
    assert.equal(school.log.length, 50)
    assert.ok(school.log.every((line) => line.length < 500))
    await allGone()
    await wire.assertAlive()
  })

  it('that hang up in mid-body leave nothing behind, and log no fault', async () => {
    for (let i = 0; i < 300; i++) {
      const socket = wire.connect()
      socket.write(frame([...login, 'Content-Length: 60000'], '{"email":'))
      await new Promise((resolve) => socket.once('connect', resolve))
      if (i % 2 === 0) socket.resetAndDestroy()
      else socket.destroy()
      if (i % 50 === 0) await closed(socket)
    }
    await allGone()
    await wire.assertAlive()
    assert.ok(school.log.length <= 301, `${school.log.length} lines of log`)
    const faults = school.log.filter((line) => JSON.parse(line).level === 'error')
    assert.deepEqual(faults, [])
  })
})
