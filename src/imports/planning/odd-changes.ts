import type { PlannedChanges } from '../cells/flat-student.ts'
import type { CellValue } from '../cells/row-values.ts'
import { type ImportRow, rowAt } from '../model.ts'
import { otherChildren, type Warning, zerosLost } from '../questions/warnings.ts'

/**
 * Counts changes that are seldom meant. There are cells that are what stands in the record, but for what a spreadsheet
 * takes from a number. There are rows that give a student both another name and another date of birth.
 */
export class OddChanges {
  readonly #lost = new Map<string, number>()
  readonly #others: number[] = []

  add(place: number, changes: PlannedChanges): void {
    for (const [column, [from, to]] of Object.entries(changes))
      if (isLost(from, to)) this.#lost.set(column, (this.#lost.get(column) ?? 0) + 1)
    const [before, after] = changes.date_of_birth ?? [null, null]
    if ('name' in changes && before !== null && after !== null) this.#others.push(place)
  }

  /**
   * Warns of each column, and of the rows.
   * @param unwritten places of rows that are doubtful or refused for another row's sake
   */
  warnings(
    { facts, settings }: Pick<ImportRow, 'facts' | 'settings'>,
    unwritten: ReadonlySet<number>,
  ): readonly Warning[] {
    const meant = Object.entries({ ...facts?.decided, ...settings })
    const headingOf = (column: string) => {
      const key = meant.find(([key, answer]) => answer === column && key.startsWith('column.'))?.[0]
      return key?.slice('column.'.length) ?? column
    }
    const lost = [...this.#lost].map(([column, cells]) => zerosLost(headingOf(column), cells))
    const [first, ...others] = this.#others.filter((place) => !unwritten.has(place))
    return first === undefined ? lost : [...lost, otherChildren(rowAt(first).row, others.length + 1)]
  }
}

function isLost(from: CellValue, to: CellValue): boolean {
  if (Array.isArray(from) && Array.isArray(to))
    return from.length === to.length && from.some((one, i) => isLost(one, to[i]))
  if (typeof from !== 'string' || typeof to !== 'string' || from === to) return false
  return /^\d+$/.test(to) && from.replace(/^\+?0*(?=\d+$)/, '') === to
}
