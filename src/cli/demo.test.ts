// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { call, logInAt } from '../../test/calls.ts'
import { atEnd, temporaryFolder } from '../../test/cleanup.ts'
import { newDatabaseUrl } from '../../test/engine.ts'
import { zshTraps } from '../../test/pasting.ts'
import { launcher, serverEnvironment } from '../../test/server.ts'
import { fold } from '../text/search-words.ts'
import { demoStudents } from './demo-students.ts'

/** Starts the demo with its temporary files in a folder that can be looked into. */
async function startDemo(args: readonly string[] = [], settings: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, [launcher, 'demo', ...args], {
    env: serverEnvironment(await newDatabaseUrl(), { TMPDIR: folder, ...settings }),
  })
  const exited = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let said = ''
  for await (const chunk of child.stdout) {
    said += chunk
    if (said.includes('is 401: the token is dead')) break
  }
  const url = /^The console is at (\S+) /m.exec(said)![1]!
  return {
    said,
    url,
    /** The folders it has for its records. */
    folders: () => readdirSync(folder).filter((name) => name.startsWith('registrar-')),
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      return await exited
    },
  }
}

describe('demo', () => {
  it('prints a curl session that works as it is printed, and removes everything on Ctrl-C', async () => {
    const demo = await startDemo()
    assert.match(
      demo.said,
      /^\nThe console is at .*sign in as\n\n {2}E-MAIL/,
      'what an office needs stands first',
    )
    const page = await fetch(demo.url, { headers: { accept: 'text/html' } })
    assert.match(String(page.headers.get('content-type')), /text\/html/)
    const session = /^API=.*?\n(?=\n)/ms.exec(demo.said)![0]
    assert.deepEqual(zshTraps(session), [])
    const { stdout } = await promisify(execFile)('sh', ['-ec', session])
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [list, found, read, created, loggedOut, refused] = answers
    assert.equal(answers.length, 6)
    assert.deepEqual([list.pagination.total, list.data.length], [200, 3])
    assert.deepEqual(
      found.data.map(({ name }: { name: string }) => name),
      ['Zoë Müller'],
    )
    assert.deepEqual([read.data.name, created.data.id, loggedOut.success], ['Zoë Müller', 201, true])
    assert.deepEqual([refused.status, refused.code], [401, 'token_invalid'])
    assert.equal(demo.folders().length, 1)
    assert.deepEqual(await demo.end('SIGINT'), [0, null])
    assert.deepEqual(demo.folders(), [])
  })

  it('lets the web pages of CORS_ORIGINS and its accounts read it on the port of --port, and is removed on SIGTERM too', async () => {
    const settings = { CORS_ORIGINS: 'https://app.school.example', PORT: '1' }
    const demo = await startDemo(['--port', '0'], settings)
    const logins = [...demo.said.matchAll(/^ {2}(\S+@\S+) +(.+?) {2}/gm)]
    const statuses = await Promise.all(
      logins.map(async ([, email, password]) => {
        const token = await logInAt(demo, email!, password!)
        const reading = await call(demo, 'GET', '/api/students', { token })
        const body = { name: 'Ada', admission_number: email, class_id: 1 }
        return [reading.status, (await call(demo, 'POST', '/api/students', { token, body })).status]
      }),
    )
    assert.deepEqual(statuses, [
      [200, 201],
      [200, 403],
      [403, 403],
    ])
    const headers = { origin: settings.CORS_ORIGINS }
    const answer = await fetch(`${demo.url}/api/health`, { headers })
    assert.equal(answer.headers.get('access-control-allow-origin'), settings.CORS_ORIGINS)
    assert.deepEqual(await demo.end('SIGTERM'), [0, null])
    assert.deepEqual(demo.folders(), [])
  })

  it('seeds two hundred names, no two alike, in many scripts', () => {
    const names = demoStudents().map(({ name }) => name)
    assert.equal(new Set(names.map(fold)).size, 200)
    const scripts =
      'Latin Cyrillic Greek Arabic Hebrew Devanagari Bengali Tamil Han Hiragana Hangul Thai Georgian'
    for (const script of scripts.split(' '))
      assert.ok(
        names.some((name) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)),
        script,
      )
    for (const name of names) assert.equal(name, name.trim().normalize('NFC'))
  })
})
