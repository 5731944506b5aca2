import type { PlannedChanges } from '../cells/flat-student.ts'
import type { CellValue } from '../cells/row-values.ts'
import type { ImportRow } from '../model.ts'
import { zerosLost } from '../questions/warnings.ts'
import { note } from '../states.ts'
import type { StepWork } from '../steps.ts'

/** Counts cells that are what stands in the record, but for what a spreadsheet takes from a number. */
export class LostZeros {
  readonly #cells = new Map<string, number>()

  add(changes: PlannedChanges): void {
    for (const [column, [from, to]] of Object.entries(changes))
      if (isLost(from, to)) this.#cells.set(column, (this.#cells.get(column) ?? 0) + 1)
  }

  /** Warns of each column. @returns the import with the warnings */
  async note<Planned extends Pick<ImportRow, 'id' | 'facts' | 'settings'>>(
    imported: Planned,
    work: StepWork,
  ): Promise<Planned> {
    const { id, facts, settings } = imported
    if (facts === null || this.#cells.size === 0) return imported
    const meant = Object.entries({ ...facts.decided, ...settings })
    const headingOf = (column: string) => {
      const key = meant.find(([key, answer]) => answer === column && key.startsWith('column.'))?.[0]
      return key?.slice('column.'.length) ?? column
    }
    const lost = [...this.#cells].map(([column, cells]) => zerosLost(headingOf(column), cells))
    const warned = { ...facts, warnings: [...facts.warnings, ...lost] }
    await work.write((tx) => note(tx, id, { facts: warned }))
    return { ...imported, facts: warned }
  }
}

function isLost(from: CellValue, to: CellValue): boolean {
  if (Array.isArray(from) && Array.isArray(to))
    return from.length === to.length && from.some((one, i) => isLost(one, to[i]))
  if (typeof from !== 'string' || typeof to !== 'string' || from === to) return false
  return /^\d+$/.test(to) && from.replace(/^\+?0*(?=\d+$)/, '') === to
}
