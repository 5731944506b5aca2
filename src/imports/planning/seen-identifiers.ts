import { hash } from 'node:crypto'
import type { PlannedCell } from '../model.ts'
import { identifierKeys, type ReadRow } from './matching.ts'
import type { RowPlan } from './row-plan.ts'

/** Finds identifiers that stand twice in a file. */
export class SeenIdentifiers {
  readonly #places = new Map<string, number>()

  checked({ place, values }: ReadRow, plan: RowPlan): RowPlan {
    if (plan.outcome === 'refused' || plan.outcome === 'left_out') return plan
    const twice: PlannedCell[] = []
    for (const column of Object.keys(values)) {
      if (!column.startsWith('identifiers.')) continue
      for (const key of identifierKeys(values, column)) {
        const short = hash('sha1', key, 'base64').slice(0, 14)
        if (this.#places.has(short))
          twice.push({ column, code: 'duplicate', detail: 'is an identifier of another row of the file too' })
        else this.#places.set(short, place)
      }
    }
    return twice.length === 0 ? plan : { ...plan, outcome: 'refused', cells: twice, mayBeKnown: false }
  }
}
