import { engineOf } from '../../db/engine.ts'
import { OneBehind } from '../slices/one-behind.ts'
import { rowsAtOnce } from '../slices/staged-rows.ts'
import type { StepWork } from '../steps.ts'
import { insertPlanRows, likenessOf, likenessOfFaults, type PlanRow } from './plan-rows.ts'
import type { RowPlan } from './row-plan.ts'

/**
 * How many characters of JSON are stored at once, but for a row that has more by itself: few, so that they are gone
 * before V8 moves them to what it seldom collects.
 */
const charactersAtOnce = 30_000

/** How many times as many are where the last ones are still being written: on PostgreSQL that saves nothing. */
const timesMeanwhile = { sqlite: 3, postgres: 1 }

/** Stores what is planned for rows, some at once, while the next ones are planned. */
export class PlanWriter implements AsyncDisposable {
  readonly #work: StepWork
  readonly #importId: number
  readonly #writing = new OneBehind()
  #rows: PlanRow[] = []
  #characters = 0

  constructor(work: StepWork, importId: number) {
    this.#work = work
    this.#importId = importId
  }

  /** @param outdated the record was found changed since an earlier plan */
  add(place: number, plan: RowPlan, outdated: boolean): void {
    const row = storedOf(place, plan, outdated)
    this.#rows.push(row)
    this.#characters += (row.changes?.length ?? 0) + (row.cells?.length ?? 0)
  }

  /** Call after a slice of rows. */
  async storeWhereMany(): Promise<void> {
    const times = this.#writing.isFree ? 1 : timesMeanwhile[engineOf(this.#work.db)]
    const isMany = this.#rows.length >= times * rowsAtOnce || this.#characters >= times * charactersAtOnce
    if (isMany) await this.#store()
  }

  /** Stores the rest. */
  async end(): Promise<void> {
    await this.#store()
    await this.#writing.end()
  }

  async #store(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    this.#characters = 0
    await this.#writing.begin(() => this.#work.write((tx) => insertPlanRows(tx, this.#importId, rows)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing[Symbol.asyncDispose]()
  }
}

function storedOf(place: number, plan: RowPlan, isOutdated: boolean): PlanRow {
  const { outcome, student, classId, numberKey, changes, cells } = plan
  const isWritten = outcome === 'create' || outcome === 'change'
  return {
    place,
    outcome,
    record_id: student?.id ?? null,
    record_version: student?.version ?? null,
    class_id: classId,
    number_key: numberKey ?? null,
    changes: isWritten ? JSON.stringify(changes) : null,
    cells: cells.length > 0 ? JSON.stringify(cells) : null,
    likeness:
      outcome === 'change' ? likenessOf(changes) : outcome === 'refused' ? likenessOfFaults(cells) : null,
    outdated: isOutdated ? 1 : 0,
  }
}
