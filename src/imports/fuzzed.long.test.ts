// Runs once: what is read does not depend on the engine; npm test sends some files on each.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fuzzImports } from '../../test/fuzzed-imports.ts'

/** How many files; as many as are sent in a minute, unless IMPORT_FUZZ_FILES says it. They begin at IMPORT_FUZZ_FIRST. */
const { IMPORT_FUZZ_FILES: count = '200', IMPORT_FUZZ_FIRST: first = '1000' } = process.env

describe('thousands of damaged files', () => {
  it('are refused, asked about or planned, whatever they are, and write nothing', async (t) => {
    const ends = await fuzzImports(Number(count), { first: Number(first) })
    t.diagnostic(JSON.stringify(ends))
    assert.ok((ends.planned ?? 0) > 0 && (ends.damaged_file ?? 0) > 0, JSON.stringify(ends))
  })
})
