// On both engines: openSchool is called by what it imports.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fuzzImports } from '../../test/fuzzed-imports.ts'

describe('damaged files', () => {
  it('are refused, asked about or planned, whatever they are, and write nothing', async () => {
    const ends = await fuzzImports(24)
    assert.ok(Object.keys(ends).length > 5, JSON.stringify(ends))
  })
})
