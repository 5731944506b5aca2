// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { startServer } from '../../test/server.ts'

const module = JSON.stringify(new URL('log-stream.ts', import.meta.url).href)

/** Runs a program that logs through `log`, and can wait for its standard input. */
function program(
  body: string,
  stderr: 'inherit' | 'pipe' = 'inherit',
): ChildProcessByStdio<Writable, Readable, Readable | null> {
  const source = `const { logStream } = await import(${module}); const log = logStream(); ${body}`
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'pipe', stderr],
  }) as ChildProcessByStdio<Writable, Readable, Readable | null>
}

async function nextOf(lines: AsyncIterator<string>): Promise<string> {
  const { done, value } = await lines.next()
  assert.ok(!done)
  return value
}

const manyLines = `for (let i = 0; i < 20000; i++) log.write(i + ' '.repeat(50) + '\\n')`

describe('the log', () => {
  it('holds every line in its order, though the process ends in the turn that wrote it and its reader is late', async () => {
    const child = program(`process.stdout; ${manyLines}; process.exit()`)
    await once(child, 'spawn')
    const lines = (await text(child.stdout)).split('\n')
    assert.deepEqual(
      lines.map((line) => line.trim()),
      [...Array.from({ length: 20_000 }, (_, i) => String(i)), ''],
    )
  })

  it('tells its lines when the turn ends, not when the process does', async () => {
    const child = program(`process.stdin.resume(); log.write('one\\n'); log.write('two\\n')`)
    const [bytes] = await once(child.stdout, 'data')
    assert.equal(String(bytes), 'one\ntwo\n')
    child.stdin.end()
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  it('does not stop the process when its reader goes away', async () => {
    const child = program(`process.stdin.once('data', () => { ${manyLines}; process.stdin.pause() })`)
    child.stdout.destroy()
    await once(child.stdout, 'close')
    child.stdin.end('go')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  it('is dropped and counted while its reader takes nothing, and holds nothing up', async () => {
    const child = program(
      `process.stdin.on('data', (text) => { ${manyLines}; ${manyLines}; process.stderr.write('written') })`,
      'pipe',
    )
    child.stdin.write('go')
    await once(child.stderr!, 'data')
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const numbers: number[] = []
    let last: string
    for (last = await nextOf(lines); !last.startsWith('{'); last = await nextOf(lines))
      numbers.push(Number(last.trim()))
    const { level, dropped } = JSON.parse(last)
    assert.deepEqual(
      numbers,
      Array.from({ length: numbers.length }, (_, i) => i % 20_000),
    )
    assert.equal(level, 'warn')
    assert.equal(dropped, 40_000 - numbers.length)
    child.stdin.write('go')
    assert.equal((await nextOf(lines)).trim(), '0', 'it goes on')
    child.kill('SIGKILL')
  })

  it('does not hold up the end of the process when its reader takes nothing', async () => {
    const child = program(`process.stdout; ${manyLines}; ${manyLines}; process.exit(3)`)
    assert.deepEqual(await once(child, 'exit'), [3, null])
  })

  it('of a server does not hold it up when its reader stops, and tells afterwards what was dropped', async () => {
    const server = await startServer()
    const stdout = server.process.stdout!
    stdout.pause()
    const socket = connect(server.port, '127.0.0.1')
    let answers = 0
    socket
      .setEncoding('latin1')
      .on('data', (piece) => (answers += String(piece).split('"healthy"').length - 1))
    for (let sent = 0; sent < 8_000; sent += 50) {
      socket.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50))
      while (answers < sent + 50) await once(socket, 'data')
    }
    socket.destroy()
    stdout.resume()
    const toldOf = () => server.log.find((line) => line.includes('"dropped":'))
    while (toldOf() === undefined) await once(stdout, 'data')
    const requests = server.log.filter((line) => line.includes('"msg":"request"'))
    assert.equal(requests.length + JSON.parse(toldOf()!).dropped, 8_000)
  })
})
