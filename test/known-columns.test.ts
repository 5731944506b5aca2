// Runs once: it concerns no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as offered from '../console/imports/known-columns.ts'
import { guardianParts } from '../src/exports/headings.ts'
import { columnsOf, keptByServer, systemOf } from '../src/imports/columns/columns.ts'
import { guardianOf } from '../src/imports/columns/guardian-columns.ts'

describe('what the console offers for a column of a file', () => {
  it('is each column of a student that the server takes', () => {
    const taken = columnsOf('students', []).plain.filter((name) => !keptByServer.includes(name))
    assert.deepEqual(offered.studentColumns.toSorted(), taken.toSorted())
  })

  it('is each part of as many guardians', () => {
    const { mostGuardians: last } = offered
    assert.deepEqual(offered.guardianParts, guardianParts)
    assert.ok(guardianOf(`guardian_${last}_name`))
    assert.equal(guardianOf(`guardian_${last + 1}_name`), undefined)
  })

  it('is an identifier of a system whose name is as long', () => {
    const { longestSystem: length } = offered
    assert.ok(systemOf(`identifiers.${'s'.repeat(length)}`))
    assert.equal(systemOf(`identifiers.${'s'.repeat(length + 1)}`), undefined)
  })
})
