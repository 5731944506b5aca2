import { sqliteReadersOf } from '../../../db/sqlite.ts'
import type { FoundPage, PageRead } from '../../../db/sqlite-reader.ts'
import type { SqliteReaders } from '../../../db/sqlite-readers.ts'
import type { Db } from '../../../db/tables.ts'
import type { NamedStudent } from '../derived.ts'
import type { Chosen } from '../filter.ts'
import type { Sort } from '../sorts.ts'
import type { JsonPage, Rows } from '../values.ts'
import { sqliteDerived } from './derived.ts'
import { IndexMerging } from './merging.ts'
import { Remembered } from './remembered.ts'
import {
  type Counted,
  countStatement,
  mergesClasses,
  pageStatement,
  recountStatement,
  totalStatement,
} from './statements.ts'

/** A page that took less than this is read on the event loop the next time, in milliseconds. */
const quickMs = 1
/** From here on it pays to remember a search's total. */
const leastRemembered = 1_000
/** From here on the first pages of a search are found by three letters each, without all that it finds. */
const leastCommon = 10_000
/** So many rows are skipped without reading them elsewhere. */
const fewSkipped = 1_000

/** Lists on SQLite: on the event loop what is quick, in a thread what is not known to be. */
export class SqliteLists {
  readonly #readers: SqliteReaders
  readonly #merging: IndexMerging
  /** Pages that were quick the last time. */
  readonly #quick = new Remembered<true>(10_000)
  /** What common searches of all students find. */
  readonly #totals = new Remembered<Counted>(1_000)

  constructor(db: Db) {
    this.#readers = sqliteReadersOf(db)!
    this.#merging = new IndexMerging(db)
  }

  page(chosen: Chosen, sort: Sort, rows: Rows): Promise<JsonPage> {
    const { patterns, classes } = chosen
    return patterns.length > 0 && classes === 'all'
      ? this.#searchAll(chosen, sort, rows)
      : this.#list(chosen, sort, rows)
  }

  async #list(chosen: Chosen, sort: Sort, rows: Rows): Promise<JsonPage> {
    const { patterns, classes } = chosen
    const total = patterns.length > 0 ? countStatement(chosen) : totalStatement(chosen)
    const read = { page: pageStatement(chosen, sort, rows), total, ...rows }
    const isAllById = patterns.length === 0 && classes === 'all' && sort === 'id'
    const isQuick = isAllById || (mergesClasses(chosen, sort) && rows.offset < fewSkipped)
    const found = isQuick ? this.#readers.page(read) : await this.#read(nameOf(chosen, sort, rows), read)
    return { json: found.json, total: found.total! }
  }

  /** A search of all students. What it found before is counted on, if that still holds. */
  async #searchAll(chosen: Chosen, sort: Sort, rows: Rows): Promise<JsonPage> {
    const search = chosen.patterns.join(' ')
    const name = nameOf(chosen, sort, rows)
    const known = this.#totals.get(search)
    if (known !== undefined) {
      const isCommon = known.total >= leastCommon && sort.endsWith('id') && rows.offset < fewSkipped
      const page = pageStatement(chosen, sort, rows, isCommon)
      const found = await this.#read(`${name} counted`, {
        page,
        total: recountStatement(chosen.patterns, known),
        ...rows,
      })
      if (found.total !== undefined) return this.#remember(search, found)
    }
    const page = pageStatement(chosen, sort, rows)
    return this.#remember(search, await this.#read(name, { page, total: countStatement(chosen), ...rows }))
  }

  #remember(search: string, { json, total, counted }: FoundPage): JsonPage {
    if (counted !== undefined && total! >= leastRemembered)
      this.#totals.set(search, counted as unknown as Counted)
    return { json, total: total! }
  }

  /** @param name says what is read; it is never logged */
  async #read(name: string, read: PageRead): Promise<FoundPage> {
    if (this.#quick.get(name)) {
      const began = performance.now()
      const found = this.#readers.page(read)
      // What else the machine did meanwhile is in it; a thread will tell, by its CPU time.
      if (performance.now() - began >= quickMs) this.#quick.delete(name)
      return found
    }
    const { found, ms } = await this.#readers.pageBeside(read)
    if (ms < quickMs) this.#quick.set(name, true)
    return found
  }

  derived(student: NamedStudent) {
    return sqliteDerived(student)
  }

  changed(): void {
    this.#merging.changed()
  }

  close(): void {
    this.#merging.close()
  }
}

function nameOf({ patterns, classes }: Chosen, sort: Sort, { limit, offset }: Rows): string {
  return [sort, classes, ...patterns, offset, limit].join(' ')
}
