// Waits for timers: it begins early.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { before, describe, it } from 'node:test'
import { openSchool, type School } from './school.ts'
import { frame, openWire, type Wire } from './wire.ts'

const host = 'Host: localhost'

describe('slow requests', { concurrency: true }, () => {
  let school: School
  let wire: Wire
  let bearer: string
  before(async () => {
    school = await openSchool()
    wire = await openWire(school)
    bearer = `Authorization: Bearer ${(await school.person('registrar')).token}`
  })

  /** Sends the beginning, then a piece every 200 ms, until the server ends the connection. */
  async function dribble(
    beginning: string,
    piece: string,
    halfOpen = false,
  ): Promise<{ text: string; ms: number }> {
    const socket: Socket = wire.connect({ allowHalfOpen: halfOpen })
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.write(beginning)
    const begun = performance.now()
    const timer = piece === '' ? undefined : setInterval(() => socket.writable && socket.write(piece), 200)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(timer)
    return { text, ms: performance.now() - begun }
  }

  function assertTimedOut({ text, ms }: { text: string; ms: number }, from: number, to: number): void {
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.match(text, /\r\nConnection: close\r\n/)
    assert.match(text, /\r\ncache-control: no-store\r\n/i)
    assert.match(text, /\r\nContent-Type: application\/problem\+json/)
    assert.equal(text.match(/HTTP\/1\.1/g)?.length, 1)
    assert.equal(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).code, 'request_timeout')
    assert.ok(ms > from && ms < to, `cut after ${ms} ms`)
  }

  it('are cut after 5 s when their headers do not end', async () => {
    assertTimedOut(await dribble('GET /api/health HTTP/1.1\r\nX: ', 'a'), 4_500, 9_000)
  })

  it('are cut after 5 s when their headers stop', async () => {
    assertTimedOut(await dribble('GET /api/hea', ''), 4_500, 9_000)
  })

  it('are cut after 10 s when their body does not end, and write nothing', async () => {
    const before = await school.count('students')
    const lines = [
      'POST /api/students HTTP/1.1',
      host,
      bearer,
      'Content-Type: application/json',
      'Content-Length: 5000',
    ]
    assertTimedOut(await dribble(frame(lines, '{"name":"'), 'a'), 9_500, 14_000)
    assert.equal(await school.count('students'), before)
  })

  it('are cut after 10 s when their chunks do not end', async () => {
    const lines = [
      'POST /api/auth/login HTTP/1.1',
      host,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]
    assertTimedOut(await dribble(frame(lines), '1\r\n \r\n'), 9_500, 14_000)
  })

  it('are cut when they send less than their Content-Length', async () => {
    const lines = ['POST /api/auth/logout HTTP/1.1', host, bearer, 'Content-Length: 10']
    assertTimedOut(await dribble(frame(lines, 'short'), ''), 9_500, 14_000)
  })

  it('get one answer, not two, when they were refused before their body came', async () => {
    const lines = [
      'POST /api/students HTTP/1.1',
      host,
      'Content-Type: application/json',
      'Content-Length: 5000',
    ]
    const { text, ms } = await dribble(frame(lines, '{'), ' ')
    assert.match(text, /^HTTP\/1\.1 401 /)
    assert.equal(text.match(/HTTP\/1\.1/g)?.length, 1)
    assert.ok(ms < 14_000)
  })

  it('are cut though the client never closes its side', async () => {
    const { text, ms } = await dribble('garbage\r\n\r\n', 'x', true)
    assert.match(text, /^HTTP\/1\.1 400 /)
    assert.ok(ms < 5_000)
  })

  it('do not hold up others', async () => {
    const crowd = Array.from({ length: 100 }, () => {
      const socket = wire.connect()
      socket.write('GET /api/health HTTP/1.1\r\n')
      return socket
    })
    const begun = performance.now()
    for (let i = 0; i < 20; i++) await wire.assertAlive()
    assert.ok(performance.now() - begun < 4_000)
    for (const socket of crowd) socket.destroy()
  })
})
