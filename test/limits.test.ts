// Runs once: it concerns no database.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { undoableDays } from '../src/audit/undo.ts'
import { readConfig } from '../src/config.ts'
import { guardianParts } from '../src/exports/headings.ts'
import { usualLimits } from '../src/exports/routes.ts'
import { mostInOrder } from '../src/exports/students-file.ts'
import { usualSystems } from '../src/exports/used-columns.ts'
import { maxFields } from '../src/fields/kinds.ts'
import { maxBodyBytes } from '../src/http/errors.ts'
import { keptDays } from '../src/imports/erasing.ts'
import { encodingQuestion } from '../src/imports/questions/file-questions.ts'
import { mostRows } from '../src/imports/reading/file-rows.ts'
import { headersLimitMs } from '../src/server/deadlines.ts'
import { limits } from '../src/sheets/limits.ts'
import { OlderEncodings } from '../src/sheets/reading/encodings.ts'
import { mostGuardians } from '../src/students/list-members.ts'
import { listColumns } from '../src/students/lists/columns.ts'
import { projectFolder } from './server.ts'

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')

/** Of the console, whose modules need a browser: read as a text. */
const mostDecisions = Number(/ mostDecisions = (\d+)$/m.exec(read('console/imports/decided.ts'))?.[1])

describe('limits that stand in several places', () => {
  it('are the same in docs/api.md and in the code', () => {
    const rows = [...read('docs/api.md').matchAll(/^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm)]
    const stated = Object.fromEntries(rows.map(([, what, limit]) => [what, limit!]))
    const { atOnce, maxWaitMs } = usualLimits
    const expected = {
      'a request body': `${maxBodyBytes} bytes`,
      'the time for the headers of a request': `${headersLimitMs / 1_000} s`,
      'exports at once, on each instance': `${atOnce}; others wait ${maxWaitMs / 1_000} s`,
      'students exported in another order than that of ids, or found by `search` or `guardian`': `${mostInOrder}`,
      'a file of an import': `${readConfig({}).importMaxBytes} bytes (\`IMPORT_MAX_BYTES\`)`,
      'rows and columns of a file': `${mostRows}, and ${limits.columns}`,
      'how long the rows of an import are kept after it was last touched': `${keptDays} days; a day where it was applied and changed nothing; ten minutes once it is cancelled or refused`,
      'decisions in one request': `${mostDecisions}`,
    }
    for (const [what, limit] of Object.entries(expected)) assert.equal(stated[what], limit, what)
    assert.ok(keptDays >= undoableDays)
  })

  it('let an import read what an export has at the most, and its refused rows', () => {
    const ofGuardians = mostGuardians * guardianParts.length
    const exported = listColumns.length + maxFields + ofGuardians + usualSystems
    assert.ok(exported + ['problem', 'class'].length <= limits.columns, `${exported}`)
  })

  it('let the console send as many decisions at once as the server takes', () => {
    const described = JSON.parse(read('docs/openapi.json'))
    const body = described.paths['/api/imports/{id}'].patch.requestBody.content['application/json'].schema
    const { properties } = body.$ref ? described.components.schemas[body.$ref.split('/').at(-1)] : body
    assert.equal(properties.decisions.maxItems, mostDecisions)
  })

  it('cut an export after 30 s in which its client takes nothing', () => {
    assert.equal(usualLimits.stallMs, 30_000)
  })
})

describe('the encodings that a file may be asked about', () => {
  /** All that are proposed for some file of two letters, or of four. */
  function proposed(): string[] {
    const found = new Set<string>()
    const letters = Array.from({ length: 128 }, (_, i) => 128 + i)
    const files = letters.flatMap((one) => [
      [one],
      ...letters.filter((_, i) => i % 40 === 0).map((two) => [one, two]),
    ])
    for (const bytes of files) {
      const encodings = new OlderEncodings()
      encodings.add(Buffer.from([...Buffer.from('a,Zo'), ...bytes, ...Buffer.from('e\n')]))
      try {
        for (const { encoding } of encodings.end()) found.add(encoding)
      } catch {} // it is text in none
    }
    return [...found].toSorted()
  }

  it('have words on the server and in the console, which knows no others', () => {
    const encodings = proposed()
    // Read as a text: the module needs a browser.
    const table = /Record<string, readonly \[Script, string\]>> = \{(.*?)\n\}/s.exec(
      read('console/imports/encodings.ts'),
    )
    const inConsole = [...table![1]!.matchAll(/^ {2}'?([\w-]+)'?: \[/gm)].map(([, label]) => label)
    assert.deepEqual(encodings, inConsole.toSorted())
    for (const encoding of encodings) {
      const [choice] = encodingQuestion([{ encoding, samples: [] }]).choices!
      assert.notEqual(choice!.text, encoding)
    }
  })
})
