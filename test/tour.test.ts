// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { newDatabaseUrl } from './engine.ts'
import { firstAdministrator, projectFolder, startServer } from './server.ts'

const needsFresh = { code: 1, stderr: /^The tour needs a fresh server, .+ npm start -- --port 3001\n/s }

describe('docs/tour.sh', () => {
  it('says of a server where others registered that it needs a fresh one', async () => {
    const server = await startServer(await newDatabaseUrl(), { HOST: 'localhost' })
    const api = `http://localhost:${server.port}`
    await firstAdministrator({ url: api })
    const tour = join(projectFolder, 'docs', 'tour.sh')
    await assert.rejects(promisify(execFile)('sh', [tour, `${api}/api`]), needsFresh)
  })

  it('plays a school’s first week and its first imports, and every answer is as it says', async () => {
    const server = await startServer(await newDatabaseUrl(), { HOST: 'localhost' })
    const api = `http://localhost:${server.port}/api`
    const tour = join(projectFolder, 'docs', 'tour.sh')
    const { stdout } = await promisify(execFile)('sh', [tour, api])
    assert.match(stdout, /Those were the first week, and the first imports\.\n$/)
    for (const status of [202, 401, 403, 404, 409, 412])
      assert.match(stdout, new RegExp(`^  ${status} `, 'm'))
    await assert.rejects(promisify(execFile)('sh', [tour, api]), needsFresh, 'a second time')
    assert.doesNotMatch(stdout, /eyJ|a password of his own|first password of all/, 'it shows no secrets')
  })
})
