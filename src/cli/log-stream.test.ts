import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'

const module = JSON.stringify(new URL('log-stream.ts', import.meta.url).href)

/** Runs a program that logs through `log`, and can wait for its standard input. */
function program(body: string): ChildProcessByStdio<Writable, Readable, null> {
  const source = `const { logStream } = await import(${module}); const log = logStream(); ${body}`
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
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
})
