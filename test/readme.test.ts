// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { newDatabaseUrl } from './engine.ts'
import { projectFolder, startServer } from './server.ts'

const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8')

describe('the first session of README.md', () => {
  it('works exactly as it is printed, an answer a line, and ends with the dead token', async () => {
    const session = /## A first session.*?```sh\n(.*?)```/s.exec(readme)?.[1]
    assert.ok(session)
    const server = await startServer(await newDatabaseUrl(), { HOST: 'localhost' })
    const script = session.replaceAll('localhost:3000', `localhost:${server.port}`)
    const { stdout } = await promisify(execFile)('sh', ['-ec', script])
    const answers = stdout
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
    const nothing = { preferred_name: null, date_of_birth: null, gender: null, guardians: null, notes: null }
    assert.deepEqual(read.data, { ...zoe, ...nothing })
    assert.equal(loggedOut.success, true)
    assert.deepEqual([refused.status, refused.code], [401, 'token_invalid'])
  })
})
