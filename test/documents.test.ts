// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readConfig } from '../src/config.ts'
import { version } from '../src/health/version.ts'
import { problemTable } from '../src/problems.ts'
import { openSchool } from './school.ts'
import { projectFolder } from './server.ts'

const document = (path: string) => readFileSync(join(projectFolder, path), 'utf8')

describe('docs/errors.md', () => {
  it('lists exactly the codes of src/problems.ts, each with its status and title', () => {
    const rows = [...document('docs/errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \| ([^|]+?) \|/gm)]
    const documented = rows.map(([, status, code, title]) => [code, [Number(status), title]])
    assert.deepEqual(Object.fromEntries(documented), problemTable)
    assert.equal(documented.length, Object.keys(problemTable).length)
  })
})

describe('docs/openapi.json', () => {
  it('is what the routes say: npm run openapi writes it', async () => {
    const { app } = await openSchool()
    assert.deepEqual(
      JSON.parse(document('docs/openapi.json')),
      JSON.parse(JSON.stringify(await app.describe())),
    )
  })

  it('gives every operation an id, a summary, security and its error answers, and bounds every string and integer', () => {
    const { paths, openapi } = JSON.parse(document('docs/openapi.json'))
    assert.match(openapi, /^3\.1\./)
    const operations = Object.entries(
      paths as Record<string, Record<string, Record<string, unknown>>>,
    ).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    )
    assert.ok(operations.length >= 9)
    for (const { name, operation } of operations) {
      assert.ok(operation.operationId && operation.summary && operation.security, name)
      for (const status of ['400', '500', '503'])
        assert.ok(status in (operation.responses as object), `${name} ${status}`)
    }
    checkBounds(JSON.parse(document('docs/openapi.json')), '')
  })
})

/** Every string has a length or fixed values, every integer a range, every array a length. */
function checkBounds(node: unknown, path: string): void {
  if (node === null || typeof node !== 'object' || /\/(examples|example|value)$/.test(path)) return
  const { type, ...schema } = node as Record<string, unknown>
  if (type === 'string') assert.ok('maxLength' in schema || 'enum' in schema, `${path} has no bound`)
  if (type === 'integer') assert.ok('minimum' in schema && 'maximum' in schema, `${path} has no range`)
  for (const [key, value] of Object.entries(node)) checkBounds(value, `${path}/${key}`)
}

describe('README.md', () => {
  const rows = [...document('README.md').matchAll(/^\| `([A-Z_]+)` \| ([^|]*) \|/gm)]

  it('names every setting that is read, and no other', () => {
    const read = new Set<string>()
    const get = (_: object, name: string | symbol) => void read.add(String(name))
    readConfig(new Proxy({}, { get }))
    assert.deepEqual(rows.map(([, name]) => name!).sort(), [...read].sort())
  })

  it('gives the defaults that hold when nothing is set', () => {
    const defaults = rows.flatMap(
      ([, name, value]) =>
        /^`(.+)`$/
          .exec(value!)
          ?.slice(1)
          .map((text) => [name!, text]) ?? [],
    )
    assert.ok(defaults.length >= 9)
    assert.deepEqual(readConfig(Object.fromEntries(defaults)), readConfig({}))
  })
})

describe('the version', () => {
  it('is dotted numeric, and the newest in CHANGELOG.md', () => {
    assert.match(version, /^\d+\.\d+\.\d+$/)
    assert.equal(/^## (\d+\.\d+\.\d+)/m.exec(document('CHANGELOG.md'))?.[1], version)
  })
})
