// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CellKinds } from './cell-kinds.ts'

const kindsOf = (cells: readonly string[], areNumbers = false) => {
  const kinds = new CellKinds(areNumbers)
  for (const cell of cells) kinds.add(cell)
  return kinds.all.join(' ')
}

describe('the kinds of field that the cells of a column can be', () => {
  it('are proposed so that the likeliest stands first', () => {
    const cases: [cells: string[], expected: string][] = [
      [['13.09.2024', '2024-09-14', '1 May 2024'], 'date text text_in_lines'],
      [['09/13/2024', '04/03/2024'], 'date text text_in_lines'],
      [['13.09.2024', '9/14/2024'], 'text text_in_lines'],
      [['13.09.24'], 'date text text_in_lines'], // which years are meant is asked then
      [['17-09-01'], 'text text_in_lines'],
      [['x', 'JA', '✓', 'nein'], 'yes_no text text_in_lines'],
      [['1', '0'], 'number yes_no text text_in_lines'],
      [['-3', '12,5', ' 7 '], 'number text text_in_lines'],
      [['two\nlines'], 'text_in_lines'],
      [['Oak', 'a'.repeat(501)], 'text_in_lines'],
      [['a'.repeat(2001)], ''],
    ]
    for (const [cells, expected] of cases) assert.equal(kindsOf(cells), expected, cells.join())
  })

  it('are first a text where numbers may be codes: a zero in front would be lost', () => {
    assert.equal(kindsOf(['20140309', '20101224']), 'text text_in_lines date number')
    for (const code of ['042', '+49', '10115', '1e3', '4917612345678'])
      assert.equal(kindsOf(['7', code]), 'text text_in_lines number', code)
  })

  it('are no number where a cell can be read in two ways, unless a spreadsheet holds numbers', () => {
    assert.equal(kindsOf(['1.234', '7']), 'text text_in_lines')
    assert.equal(kindsOf(['1.234', '7'], true), 'number text text_in_lines')
  })

  it('are not told by errors of formulas: these are values of no kind', () => {
    assert.equal(kindsOf(['13.09.2024', '#N/A']), 'date text text_in_lines')
  })
})
