import type { PlannedCell } from '../../client/src/index.ts'
import { isolated } from '../language/isolated.ts'
import { texts } from './texts.ts'
import { faultIn } from './told/faults.ts'
import { columnWords, shown } from './words.ts'

/**
 * What is wrong with a cell: in the reader's language, else as the server says it. Of rows that are alike, each has an
 * unknown number of its own.
 */
export function faultWords({ to: given, ...cell }: PlannedCell, rows = 1): string {
  const label = columnWords(cell.column)
  if (cell.hidden) return `${label}: ${texts().hidden}`
  const isUnknown = cell.code === 'unknown_student' // which names the number itself
  const to = isUnknown && rows > 1 ? null : given
  const value = to && !isUnknown ? ` ${isolated(to)}:` : ''
  return `${label}:${value} ${faultIn(shown(), { ...cell, to })}`
}
