// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { newDatabaseUrl } from './engine.ts'
import { projectFolder, startServer } from './server.ts'

describe('docs/tour.sh', () => {
  it('plays a school’s first week, and every answer is as it says', async () => {
    const server = await startServer(await newDatabaseUrl(), { HOST: 'localhost' })
    const api = `http://localhost:${server.port}/api`
    const tour = join(projectFolder, 'docs', 'tour.sh')
    const { stdout } = await promisify(execFile)('sh', [tour, api])
    assert.match(stdout, /That was the first week\.\n$/)
    for (const status of [401, 403, 404, 409, 412]) assert.match(stdout, new RegExp(`^  ${status} `, 'm'))
    assert.doesNotMatch(stdout, /eyJ|a password of his own|first password of all/, 'it shows no secrets')
  })
})
