import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PlannedRow } from '../client/src/index.ts'
import { idsOf } from '../console/imports/decided.ts'

const row = (...cells: PlannedRow['cells']): PlannedRow => ({
  ...{ row: 2, outcome: 'doubtful', outdated: false, cells },
})

describe('the students whom a doubtful row of an import may be of', () => {
  it('begin with the one of the same name and date of birth, each once', () => {
    const doubts = row(
      { column: 'name', code: 'same_name_and_class', ids: [3, 5] },
      { column: 'admission_number', code: 'similar_number', ids: [8] },
      { column: 'date_of_birth', code: 'same_name_and_date', ids: [5] },
      { column: 'name', from: null, to: 'Zoë' },
    )
    assert.deepEqual(idsOf(doubts), [5, 3, 8])
  })
})
