// Runs once: it concerns no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { en as rowTexts } from '../console/imports/en.ts'
import { ar } from '../console/imports/told/ar.ts'
import { de } from '../console/imports/told/de.ts'
import { failureCodes, nearReasons, rowEndReasons, twinReasons, warningCodes } from '../src/imports/codes.ts'
import { keptByServer } from '../src/imports/columns/columns.ts'
import { schoolAges } from '../src/imports/questions/row-warnings.ts'
import { sheetRefusalCodes } from '../src/sheets/refusal.ts'

describe('what the console says of an import in German and Arabic', () => {
  for (const [language, { failures, rowEnds, where, most, warnings }] of Object.entries({ ar, de })) {
    it(`has words for each reason why one ends: ${language}`, () => {
      assert.deepEqual(Object.keys(failures).toSorted(), [...sheetRefusalCodes, ...failureCodes].toSorted())
    })

    it(`has words for each reason why a row can't be written any more: ${language}`, () => {
      assert.deepEqual(Object.keys(rowEnds).toSorted(), rowEndReasons.toSorted())
    })

    it(`tells the row and the limit after the reason: ${language}`, () => {
      const place = where({ row: 37, sheet: '7a' })
      assert.ok(place.includes('37') && place.includes('7a'), place)
      assert.ok(!where({ row: 37 }).includes('undefined'))
      assert.ok(where({ row: 37, cell: 'C37' }).includes('C37'))
      assert.match(most(200), /200|٢٠٠/)
    })

    it(`has words for each warning: ${language}`, () => {
      assert.deepEqual(Object.keys(warnings).toSorted(), warningCodes.toSorted())
    })

    it(`tells the ages of who goes to a school: ${language}`, () => {
      assert.ok(warnings.odd_ages({ row: 3, rows: 1 }).includes(` ${schoolAges.most} `))
    })

    it(`says of each column that the server keeps why it is not imported: ${language}`, () => {
      const said = keptByServer.map((column) => warnings.kept_by_server({ heading: 'x', column }))
      assert.equal(new Set(said).size, keptByServer.length)
      assert.ok(!said.includes(warnings.kept_by_server({ heading: 'x' })))
    })
  }
})

describe('what the console says of doubtful rows', () => {
  it('has words for each reason', () => {
    assert.deepEqual(Object.keys(rowTexts.why).toSorted(), nearReasons.toSorted())
    assert.deepEqual(Object.keys(rowTexts.twice).toSorted(), [...twinReasons, 'number_twice'].toSorted())
  })
})
