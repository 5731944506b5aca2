import { hash } from 'node:crypto'
import { identifiersPrefix } from '../columns/prefixes.ts'
import type { FileFacts, PlannedCell } from '../model.ts'
import { paramsOf } from '../row-places.ts'
import { identifierKeys, type ReadRow } from './matching.ts'
import type { RowPlan } from './row-plan.ts'

const detail = 'is an identifier of another row of the file too'

/** Finds identifiers that stand twice in a file: nobody knows which of the rows may have one. */
export class SeenIdentifiers {
  /** What is wrong with rows that were the first with their identifier, by place. */
  readonly firsts = new Map<number, readonly PlannedCell[]>()
  readonly #places = new Map<string, number>()
  /** The places of rows that are refused for another reason. */
  readonly #refused = new Set<number>()
  readonly #facts: FileFacts | null

  /** @param facts of the file */
  constructor(facts: FileFacts | null) {
    this.#facts = facts
  }

  checked({ place, values }: ReadRow, plan: RowPlan): RowPlan {
    if (plan.outcome === 'left_out') return plan
    const isRefused = plan.outcome === 'refused'
    const twice: PlannedCell[] = []
    for (const column of Object.keys(values)) {
      if (!column.startsWith(identifiersPrefix)) continue
      if (isRefused && plan.cells.some((cell) => cell.column === column)) continue // it is another student's
      for (const key of identifierKeys(values, column)) {
        const short = hash('sha1', key, 'base64').slice(0, 14)
        const other = this.#places.get(short)
        if (other === undefined) this.#places.set(short, place)
        else {
          twice.push(this.#standsAt(other, column))
          if (!this.#refused.has(other) && !this.firsts.has(other))
            this.firsts.set(other, [this.#standsAt(place, column)])
        }
      }
    }
    if (isRefused) this.#refused.add(place)
    return twice.length === 0 ? plan : { ...plan, outcome: 'refused', cells: [...plan.cells, ...twice] }
  }

  #standsAt(place: number, column: string): PlannedCell {
    return { column, code: 'duplicate', detail, params: paramsOf(place, this.#facts) }
  }
}
