// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { newDatabaseUrl } from './engine.ts'
import { noDetails } from './no-details.ts'
import { hasZsh, zshTraps } from './pasting.ts'
import { projectFolder, startServer } from './server.ts'

const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8')

const session = /## A first session.*?```sh\n(.*?)```/s.exec(readme)![1]!

/** The session as it is pasted into a terminal of zsh, without its user's settings. */
async function inZsh(script: string): Promise<string> {
  const zsh = spawn('zsh', ['-f', '-i'], { stdio: ['pipe', 'pipe', 'ignore'] })
  zsh.stdin.end(script)
  return text(zsh.stdout)
}

describe('the first session of README.md', () => {
  const shells = {
    sh: async (script: string) => (await promisify(execFile)('sh', ['-ec', script])).stdout,
    zsh: inZsh,
  }
  for (const [shell, run] of Object.entries(shells))
    it(
      `works in ${shell} exactly as it is printed, an answer a line, and ends with the dead token`,
      {
        skip: shell === 'zsh' && !hasZsh && 'zsh is not on this machine',
      },
      () => play(run),
    )

  async function play(run: (script: string) => Promise<string>): Promise<void> {
    const server = await startServer(await newDatabaseUrl(), { HOST: 'localhost' })
    const script = session.replaceAll('localhost:3000', `localhost:${server.port}`)
    const answers = (await run(script))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [registered, created, listed, found, read, loggedOut, refused, ...rest] = answers
    assert.deepEqual(rest, [])
    assert.deepEqual(registered, { success: true, data: { user_id: 1 } })
    assert.deepEqual(created, { success: true, data: { id: 1 } })
    const zoe = {
      id: 1,
      name: 'Zoë Müller',
      admission_number: '2026-0001',
      class_id: 3,
      class: 'Class 3',
    }
    assert.deepEqual(listed.data, [zoe])
    assert.deepEqual(found.data, [zoe])
    assert.deepEqual(read.data, { ...zoe, ...noDetails })
    assert.equal(loggedOut.success, true)
    assert.deepEqual([refused.status, refused.code], [401, 'token_invalid'])
  }
})

describe('what is to be pasted', () => {
  it('has none of the traps of zsh, on any page', () => {
    assert.equal(zshTraps('curl /x?y=1\necho # no\necho "wow!"\ncurl "/x?y=1"').length, 3)
    const pages = ['README.md', ...globSync('docs/*.md', { cwd: projectFolder })]
    const traps = pages
      .filter((page) => !page.includes('performance')) // which the benchmark writes
      .flatMap((page) => {
        const blocks = readFileSync(join(projectFolder, page), 'utf8').matchAll(/^ *```sh\n(.*?)^ *```$/gms)
        return [...blocks].flatMap(([, block]) => zshTraps(block!).map((line) => `${page}: ${line}`))
      })
    assert.deepEqual(traps, [])
  })
})

describe('npm ci', () => {
  const isMeasured = process.platform === 'linux' && process.arch === 'x64'
  it('takes up what README.md says', { skip: !isMeasured && 'said of Linux on x64' }, () => {
    const folder = join(projectFolder, 'node_modules')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (file) => file.isFile() && !file.parentPath.includes('.cache'), // whose files come and go
    )
    const sizes = new Map<string, number>() // once for all the names of a file
    for (const file of files) {
      const { ino, size } = statSync(join(file.parentPath, file.name))
      sizes.set(String(ino), size)
    }
    const megabytes = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6
    const said = Number(/takes up (\d+) MB/.exec(readme)?.[1])
    assert.ok(Math.abs(megabytes / said - 1) < 0.15, `${megabytes} MB`)
  })
})
