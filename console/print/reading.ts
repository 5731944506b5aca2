import { type Signal, signal } from '@preact/signals'
import { listStudents } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import type { Row } from '../students/found.ts'
import type { Asked } from '../students/query.ts'

/** So many students the API gives at once. */
const perPage = 1000
/** So many are printed at the most. */
export const mostRows = 10_000
/** So often a list that changes meanwhile is read anew. */
const mostTries = 3

/** All students that a list finds, read page by page. */
export class Reading {
  /** Undefined: not all are there yet. */
  readonly rows: Signal<readonly Row[] | undefined> = signal(undefined)
  readonly progress: Signal<{ readonly read: number; readonly total: number }> = signal({ read: 0, total: 0 })
  readonly failure: Signal<Failure | undefined> = signal(undefined)
  /** Why it was given up: the list changes all the time, or is longer than a print may be. */
  readonly refusal: Signal<'changing' | 'tooMany' | undefined> = signal(undefined)
  readonly #asked: Asked
  readonly #given = new AbortController()
  readonly #found = new Map<number, Row>()
  #page = 1
  #tries = 1
  #isAtWork = false

  constructor(asked: Asked) {
    this.#asked = asked
  }

  /** Begins, or goes on where it stopped. */
  async go(): Promise<void> {
    if (this.#isAtWork) return
    this.#isAtWork = true
    this.failure.value = undefined
    while (this.rows.value === undefined && this.refusal.value === undefined && !this.#isStopped())
      await this.#readPage()
    this.#isAtWork = false
  }

  /** Begins anew after the list changed too often. */
  again(): void {
    this.refusal.value = undefined
    this.#tries = 1
    this.#restart()
    void this.go()
  }

  stop(): void {
    this.#given.abort()
  }

  readonly #isStopped = () => this.#given.signal.aborted || this.failure.value !== undefined

  async #readPage(): Promise<void> {
    const { signal } = this.#given
    const query = { ...this.#asked, page: this.#page, per_page: perPage }
    const came = await call(() => listStudents({ query, signal }), signal)
    if (signal.aborted) return
    if (came.is === 'failed') {
      this.failure.value = came.failure
      return
    }
    const { data, pagination } = came.data
    this.#take(data as Row[], pagination.total)
  }

  /** A total that is another one, a student who stands on two pages, or one who is missing: the list has changed. */
  #take(rows: readonly Row[], total: number): void {
    if (total > mostRows) {
      this.refusal.value = 'tooMany'
      return
    }
    const before = this.#found.size
    for (const row of rows) this.#found.set(row.id, row)
    const { size } = this.#found
    const isSame = this.#page === 1 || total === this.progress.value.total
    const isWhole = size === Math.min(total, this.#page * perPage)
    if (!isSame || !isWhole || size !== before + rows.length) {
      if (this.#tries++ < mostTries) this.#restart()
      else this.refusal.value = 'changing'
      return
    }
    this.progress.value = { read: size, total }
    this.#page++
    if (size === total) this.rows.value = [...this.#found.values()]
  }

  #restart(): void {
    this.#found.clear()
    this.#page = 1
  }
}
