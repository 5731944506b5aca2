// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { commands } from '../src/cli/commands.ts'
import { type ConfigError, readConfig } from '../src/config.ts'
import { version } from '../src/health/version.ts'
import { faultTable, problemTable } from '../src/problems.ts'
import { resolved } from './described.ts'
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

  it('lists exactly the codes of bad fields, each with its params, and the server knows no other', () => {
    const rows = [...document('docs/errors.md').matchAll(/^\| `(\w+)` \|([^|]*)\|/gm)]
    const documented = rows.map(([, code, params]) => [
      code,
      [...params!.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    ])
    assert.deepEqual(Object.fromEntries(documented), faultTable)
    assert.equal(documented.length, Object.keys(faultTable).length)
    const files = globSync('src/**/*.ts', { cwd: projectFolder }).filter(
      (file) => !/\.test\.ts$|problems\.ts$/.test(file),
    )
    const source = files.map(document).join('')
    for (const code of Object.keys(faultTable)) assert.ok(source.includes(`'${code}'`), `who says ${code}?`)
  })
})

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: object[]
  readonly tags: string[]
  readonly parameters?: { name: string; example?: unknown; schema?: object }[]
  readonly requestBody?: { content: object }
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>
}

/** What an operation id begins with; what is no record is called by what is done. */
const verbs: Record<string, RegExp> = {
  get: /^(get|list)[A-Z]/,
  post: /^((create|undo|apply|cancel)[A-Z]|login$|logout$|register$)/,
  put: /^update[A-Z]/,
  patch: /^update[A-Z]/,
  delete: /^delete[A-Z]/,
}

describe('docs/openapi.json', () => {
  const described = JSON.parse(document('docs/openapi.json'))
  const operations = Object.entries(described.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method, name: `${method} ${path}`, operation })),
  )

  it('is what the routes say: npm run openapi writes it', async () => {
    const { app } = await openSchool()
    assert.deepEqual(
      JSON.parse(document('docs/openapi.json')),
      JSON.parse(JSON.stringify(await app.describe())),
    )
  })

  it('gives every operation an id, a summary, security and its error answers, and bounds every string and integer', () => {
    assert.match(described.openapi, /^3\.1\./)
    assert.ok(operations.length >= 9)
    for (const { name, operation } of operations) {
      assert.ok(operation.operationId && operation.summary && operation.security, name)
      for (const status of ['400', '500', '503'])
        assert.ok(status in operation.responses, `${name} ${status}`)
    }
    checkBounds(described, '')
  })

  it('says each thing once: it takes at most 8 kB an operation', () => {
    assert.ok(document('docs/openapi.json').length <= 8_000 * operations.length)
    const names = described.tags.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, [...new Set(names)])
    assert.deepEqual([...new Set(operations.flatMap(({ operation }) => operation.tags))].sort(), names.sort())
  })

  it('names each message, and each operation by one scheme, as the code does', async () => {
    const expected =
      'Class ClassPatch Double Field FieldFault FieldPatch Grant Guardian List ListFilters ListPatch NewClass NewField NewList NewRole NewStudent NewUser Pagination Problem Role RolePatch Session Student StudentPatch StudentSummary User UserPatch'
    for (const name of expected.split(' ')) assert.ok(name in described.components.schemas, name)
    const files = globSync('src/**/{,own-}schema.ts', { cwd: projectFolder })
    const modules = await Promise.all(files.map((file) => import(join(projectFolder, file))))
    const exported = new Set(['getHealth', 'getOpenApi', ...modules.flatMap(Object.keys)])
    for (const { method, operation } of operations) {
      assert.match(operation.operationId, verbs[method]!)
      assert.ok(exported.has(operation.operationId), operation.operationId)
    }
  })

  it('narrows the code of each problem to those that the operation has at the status', () => {
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const schema = resolved(described, response).content?.['application/problem+json']?.schema as
          | { allOf: [object, { properties: { status: { const: number }; code: { enum: string[] } } }] }
          | undefined
        if (schema === undefined) continue
        assert.deepEqual(schema.allOf[0], { $ref: '#/components/schemas/Problem' })
        const { status: told, code } = schema.allOf[1].properties
        assert.equal(told.const, Number(status), name)
        for (const one of code.enum)
          assert.equal(problemTable[one as keyof typeof problemTable][0], Number(status))
      }
    }
  })

  it('has one media type for each body, and no example that a page would fill in for an optional parameter', () => {
    for (const { name, operation } of operations) {
      const { requestBody, parameters = [] } = operation
      if (requestBody && operation.operationId !== 'createImport')
        assert.deepEqual(Object.keys(requestBody.content), ['application/json'], name)
      for (const parameter of parameters) assert.ok(!('example' in resolved(described, parameter)), name)
    }
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

describe('docs/settings.md', () => {
  const rows = [
    ...document('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \| ([^|]*) \| ([^|]*) \| [^|]+ \|$/gm),
  ].map(([, name, values, fallback]) => ({ name: name!, values: values!, fallback: fallback! }))

  it('lists every setting that is read, and no other', () => {
    const read = new Set<string>()
    const get = (_: object, name: string | symbol) => void read.add(String(name))
    readConfig(new Proxy({}, { get }))
    assert.deepEqual(rows.map(({ name }) => name).sort(), [...read].sort())
  })

  it('gives the defaults that hold when nothing is set', () => {
    const defaults = rows.flatMap(({ name, fallback }) => {
      const value = /^`(.+)`$/.exec(fallback)?.[1]
      return value === undefined ? [] : [[name, value]]
    })
    assert.ok(defaults.length >= 9)
    assert.deepEqual(readConfig(Object.fromEntries(defaults)), readConfig({}))
  })

  it('gives the range or the values that a fault of the setting names', () => {
    let checked = 0
    for (const { name, values } of rows) {
      const fault = faultOf(name)
      const range = /from (\d+) to (\d+)/.exec(fault)
      const named = /must be ([a-z]+(?: or [a-z]+)+)\./.exec(fault)?.[1]?.split(' or ')
      if (range) assert.match(values, new RegExp(`\\b${range[1]} to ${range[2]}\\b`), name)
      if (named) assert.equal(values, named.map((value) => `\`${value}\``).join(', '), name)
      if (range || named) checked++
    }
    assert.ok(checked >= 13, `${checked}`)
  })
})

/** What is said of a setting whose value is nonsense; nothing where any text will do. */
function faultOf(name: string): string {
  try {
    readConfig({ [name]: '!' })
  } catch (error) {
    return (error as ConfigError).faults[0]!
  }
  return ''
}

describe('docs/commands.md', () => {
  it('lists every command, in the order of the overview', () => {
    const listed = [...document('docs/commands.md').matchAll(/^\| `([a-z ]+)` \|/gm)].map(([, name]) => name)
    assert.deepEqual(
      listed,
      commands.map(({ name }) => name),
    )
  })
})

describe('the version', () => {
  it('is dotted numeric, and the newest in CHANGELOG.md', () => {
    assert.match(version, /^\d+\.\d+\.\d+$/)
    assert.equal(/^## (\d+\.\d+\.\d+)/m.exec(document('CHANGELOG.md'))?.[1], version)
  })

  it('is that of the files that the documents tell to install', () => {
    const pages = ['README.md', 'docs/operating.md', 'docs/client.md'].map(document)
    for (const page of pages) {
      const named = [...page.matchAll(/registrar(?:-client)?-(\d\S*?)\.tgz/g)].map(([, of]) => of)
      assert.ok(named.length > 0)
      for (const of of named) assert.equal(of, version)
    }
  })
})
