// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import * as client from '../client/src/index.ts'
import { temporaryFolder } from './cleanup.ts'
import { projectFolder, startServer } from './server.ts'

const committed = join(projectFolder, 'client', 'src')
const filesOf = (folder: string) =>
  Object.fromEntries(
    globSync('**/*.ts', { cwd: folder })
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )

describe('client/', () => {
  it('is what docs/openapi.json says: npm run client writes it', async () => {
    const folder = join(temporaryFolder(), 'src')
    const program = join(projectFolder, 'client', 'generate.ts')
    await promisify(execFile)(process.execPath, [program, folder], { cwd: projectFolder })
    const [made, kept] = [filesOf(folder), filesOf(committed)]
    assert.deepEqual(Object.keys(kept), Object.keys(made))
    for (const [path, text] of Object.entries(made)) assert.ok(kept[path] === text, `client/src/${path}`)
  })

  it('has a function for each operation of the document', () => {
    const document = JSON.parse(readFileSync(join(projectFolder, 'docs', 'openapi.json'), 'utf8'))
    const operations = Object.values(
      document.paths as Record<string, Record<string, { operationId: string }>>,
    )
    const ids = operations.flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    for (const id of ids) assert.equal(typeof (client as Record<string, unknown>)[id], 'function', id)
  })
})

describe('docs/client.md', () => {
  it('shows code that works as it is printed', async () => {
    const page = readFileSync(join(projectFolder, 'docs', 'client.md'), 'utf8')
    const server = await startServer(undefined, { HOST: 'localhost' })
    const printed: unknown[] = []
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block!)
    const code = blocks
      .join('\n')
      .replace(/^import (\{[^}]+\}) from '.*'$/gm, 'const $1 = module')
      .replaceAll('http://localhost:3000', `http://localhost:${server.port}`)
    const AsyncFunction = (async () => {}).constructor as new (
      ...text: string[]
    ) => (...args: unknown[]) => Promise<void>
    await new AsyncFunction('module', 'console', code)(client, {
      log: (...what: unknown[]) => printed.push(what.join(' ')),
    })
    const expected = [...code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => text)
    assert.ok(expected.length >= 4)
    assert.deepEqual(printed, expected)
  })
})
