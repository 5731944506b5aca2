// Runs once: it concerns no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ar } from '../console/imports/told/ar.ts'
import { de } from '../console/imports/told/de.ts'
import { failureCodes } from '../src/imports/model.ts'
import { warningCodes } from '../src/imports/questions/warnings.ts'
import { sheetRefusalCodes } from '../src/sheets/refusal.ts'

describe('what the console says of an import in German and Arabic', () => {
  for (const [language, { failures, warnings }] of Object.entries({ ar, de })) {
    it(`has words for each reason why one ends: ${language}`, () => {
      assert.deepEqual(Object.keys(failures).toSorted(), [...sheetRefusalCodes, ...failureCodes].toSorted())
    })

    it(`has words for each warning: ${language}`, () => {
      assert.deepEqual(Object.keys(warnings).toSorted(), warningCodes.toSorted())
    })
  }
})
