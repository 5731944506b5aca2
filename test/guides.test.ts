// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { builtInRoles, permissionTable } from '../src/access/permissions.ts'
import { doubts, failureCodes, rowEndReasons, rowFaultCodes, warningCodes } from '../src/imports/codes.ts'
import { importModes, importStates } from '../src/imports/model.ts'
import { answerKeys } from '../src/imports/questions/answer-rules.ts'
import { listImportRows } from '../src/imports/schema.ts'
import { faultTable, problemTable } from '../src/problems.ts'
import { sheetRefusalCodes } from '../src/sheets/refusal.ts'
import { maxSearchWords } from '../src/text/search-words.ts'
import { newDatabaseUrl } from './engine.ts'
import { openSchool } from './school.ts'
import { projectFolder, startServer } from './server.ts'

const read = (path: string) => readFileSync(join(projectFolder, 'docs', path), 'utf8')
const described = JSON.parse(read('openapi.json'))
const run = promisify(execFile)

/** The rows of a page's tables, a cell each without its spaces. */
const rowsOf = (page: string) =>
  [...page.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split('|').map((cell) => cell.trim()))

interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
}

const operations = Object.entries(described.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
    })),
)

/** Compares an answer with a printed one, in which `…` stands for any text, and at the end of a list for more of it. */
function compare(actual: unknown, printed: unknown): void {
  assert.deepEqual(masked(actual, printed), printed)
}

function masked(actual: unknown, printed: unknown): unknown {
  if (printed === '…') return typeof actual === 'string' ? '…' : actual
  if (actual === null || typeof actual !== 'object') return actual
  const like = (printed ?? {}) as Record<string, unknown>
  const entries = Object.entries(actual).map(([key, value]) => [key, masked(value, like[key])])
  if (!Array.isArray(actual)) return Object.fromEntries(entries)
  const items = entries.map(([, value]) => value)
  return Array.isArray(printed) && printed.at(-1) === '…'
    ? [...items.slice(0, printed.length - 1), '…']
    : items
}

/** Pastes the commands of a page, and compares what they print with what the page says. */
async function play(page: string, least: number): Promise<void> {
  const blocks = [...page.matchAll(/```sh\n(.*?)```\n(?:\n```(json|text)\n(.*?)```)?/gs)]
  assert.ok(blocks.length >= least)
  const server = await startServer(await newDatabaseUrl(), { HOST: 'localhost' })
  const script = blocks.map(([, commands]) => `${commands}printf '\\f'\n`).join('')
  const { stdout } = await run('sh', ['-ec', script.replaceAll('localhost:3000', `localhost:${server.port}`)])
  const outputs = stdout.split('\f')
  for (const [i, [, , kind, printed]] of blocks.entries()) {
    if (kind === 'json') compare(JSON.parse(outputs[i]!), JSON.parse(printed!))
    else assert.equal(outputs[i]!.trim(), (printed ?? '').trim())
  }
}

describe('docs/api.md', () => {
  const page = read('api.md')

  it('is a session that works as it is printed, and answers what is printed', () => play(page, 15))

  it('lists every operation, with its id and what it needs', async () => {
    const listed = rowsOf(page).flatMap(([operation, id, needs]) => {
      const [, method, path] = /^`([A-Z]+) (\/.*)`$/.exec(operation!) ?? []
      return path === undefined
        ? []
        : [{ operationId: id!.replaceAll('`', ''), method: method!, path: `/api${path}`, needs }]
    })
    const names = listed.map(({ needs: _, ...operation }) => operation)
    const byId = (a: Operation, b: Operation) => a.operationId.localeCompare(b.operationId)
    assert.deepEqual(names.sort(byId), operations.sort(byId))
    const school = await openSchool()
    const { token } = await school.person()
    for (const { method, path, needs } of listed) {
      const url = path.replace('{id}', '1')
      const isOpen = (await school.send(method, url)).status !== 401
      if (isOpen) assert.equal(needs, 'nothing', path)
      if (isOpen || path === '/api/auth/logout') continue
      const answer = await school.send(method, url, { headers: { authorization: `Bearer ${token}` } })
      const permission = /scope="([^"]+)"/.exec(String(answer.headers['www-authenticate']))?.[1]
      assert.equal(needs, permission === undefined ? 'token' : `\`${permission}\``, `${method} ${path}`)
    }
  })

  it('lists every permission, with its sentence, the built-in roles that hold it, and whether it is for all classes only', () => {
    const listed = rowsOf(page).filter(([name]) => /^`\w+\.\w+`$/.test(name!))
    const expected = Object.entries(permissionTable).map(([permission, { allows, forAllClasses }]) => [
      `\`${permission}\``,
      allows,
      ...Object.values(builtInRoles).map((held) => (held.some((one) => one === permission) ? 'yes' : '')),
      forAllClasses ? 'yes' : '',
    ])
    assert.deepEqual(listed, expected)
  })

  it('states the limits of the OpenAPI document', () => {
    const { Page, PerPage, StudentSearch, ClassIds } = described.components.parameters
    const limits = Object.fromEntries(rowsOf(page).map(([what, limit]) => [what, limit]))
    const range = ({ schema }: { schema: { minimum: number; maximum: number } }) =>
      `${schema.minimum} to ${schema.maximum}`
    assert.equal(limits['`page`'], range(Page))
    assert.equal(limits['`per_page`'], range(PerPage))
    assert.equal(
      limits['`search`'],
      `${StudentSearch.schema.maxLength} characters, ${maxSearchWords} different words`,
    )
    assert.equal(limits['`class_id`'], `${ClassIds.schema.maxItems} times`)
    const { name, admission_number } = described.components.schemas.NewStudent.properties
    assert.equal(limits['a name'], `${name.maxLength} characters`)
    assert.equal(limits['an admission number'], `${admission_number.maxLength} characters`)
  })
})

describe('docs/import-api.md', () => {
  const page = read('import-api.md')

  /** The rows of the table with this heading, by the code or key that stands first. */
  const listed = (heading: string) => {
    const [, rows = ''] = new RegExp(`^\\| ${heading} \\|.*\\n\\|.*\\n((?:\\|.*\\n)+)`, 'm').exec(page) ?? []
    return rowsOf(rows).flatMap(([names, ...cells]) =>
      [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [name!, cells] as const),
    )
  }
  const names = (heading: string) => listed(heading).map(([name]) => name)

  it('is an import that works as it is printed, and answers what is printed', () => play(page, 12))

  it('lists every key of a question, every state and every mode', () => {
    const keys = names('key').map((key) => key.replace(/(?<=\.)[A-Z]+$/, ''))
    assert.deepEqual(keys.toSorted(), answerKeys.toSorted())
    assert.deepEqual(names('`state`').toSorted(), importStates.toSorted())
    assert.deepEqual(names('`mode`').toSorted(), importModes.toSorted())
  })

  it('lists every parameter that chooses rows of a plan', () => {
    const parameters = Object.keys(listImportRows.querystring.properties).filter(
      (name) => !/page$/.test(name),
    )
    assert.deepEqual(
      names('parameter')
        .map((name) => name.replace(/=.*/, ''))
        .toSorted(),
      parameters.toSorted(),
    )
  })

  it('lists every code of an import, each once', () => {
    assert.deepEqual(names('failure').toSorted(), [...sheetRefusalCodes, ...failureCodes].toSorted())
    assert.deepEqual(names('reason').toSorted(), rowEndReasons.toSorted())
    assert.deepEqual(names('warning').toSorted(), warningCodes.toSorted())
    assert.deepEqual(names('doubtful').toSorted(), doubts.toSorted())
    const ofFile = names('refused or left out').filter((code) => !(code in faultTable))
    assert.deepEqual(ofFile.toSorted(), rowFaultCodes.toSorted())
    const schemas = described.components.schemas
    assert.deepEqual(schemas.ImportWarningCode.enum.toSorted(), warningCodes.toSorted())
    assert.deepEqual(schemas.RowEndReason.enum.toSorted(), rowEndReasons.toSorted())
    const ofCells = [...doubts, ...rowFaultCodes, ...Object.keys(faultTable)]
    assert.deepEqual(schemas.PlannedCellCode.enum.toSorted(), ofCells.toSorted())
    const ends = new Set([...sheetRefusalCodes, ...failureCodes, ...Object.keys(problemTable)])
    assert.deepEqual(schemas.ImportFailureCode.enum.toSorted(), [...ends].toSorted())
  })
})

describe('docs/front-end.md', () => {
  const page = read('front-end.md')

  it('is a program that works as it is printed, and prints what its comments say', async () => {
    const program = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code).join('\n')
    const expected = [...program.matchAll(/^ *console\.log\(.*\) \/\/ (.*)$|^ *\/\/ (.*)$/gm)].map(
      ([, value, line]) => value ?? line!,
    )
    assert.ok(expected.length >= 10)
    const server = await startServer(await newDatabaseUrl(), { HOST: 'localhost' })
    const code = program.replaceAll('localhost:3000', `localhost:${server.port}`)
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code])
    assert.deepEqual(stdout.trimEnd().split('\n'), expected)
  })

  it('lists the headers that a page of another origin may send and read', async () => {
    const school = await openSchool({ env: { CORS_ORIGINS: '*' } })
    const { headers } = await school.send('OPTIONS', '/api/students', {
      headers: { origin: 'https://app.school.example', 'access-control-request-method': 'POST' },
    })
    for (const name of ['access-control-allow-headers', 'access-control-expose-headers']) {
      const listed = String(headers[name])
        .split(', ')
        .map((header) => `\`${header}\``)
      assert.ok(listed.length > 3 && page.includes(`headers ${listed.join(', ')}.`), `${listed}`)
    }
  })

  it('names operations and error codes that there are', () => {
    const ids = operations.map(({ operationId }) => operationId)
    const named = [...page.matchAll(/`((?:get|list|create|update|delete)[A-Z]\w+|log(?:in|out))`/g)]
    assert.ok(named.length >= 15)
    for (const [, id] of named) assert.ok(ids.includes(id!), id)
    const codes = { ...problemTable, ...faultTable }
    const answers = rowsOf(page).filter(([status, , action]) => action && /^\d{3}$/.test(status!))
    assert.ok(answers.length >= 5)
    for (const [status, cell] of answers) {
      for (const [, code] of cell!.matchAll(/`(\w+_\w+)`/g)) {
        assert.ok(code! in codes, code)
        if (code! in problemTable)
          assert.equal(problemTable[code as keyof typeof problemTable][0], Number(status), code)
      }
    }
  })
})
