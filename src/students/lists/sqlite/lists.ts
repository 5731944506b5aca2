import type { Scope } from '../../../access/scope.ts'
import type { FoundPage, PageRead } from '../../../db/sqlite-reader.ts'
import type { SqliteReaders } from '../../../db/sqlite-readers.ts'
import { sqliteReadersOf } from '../../../db/sqlite-readers.ts'
import type { Db } from '../../../db/tables.ts'
import type { Asked, JsonPage } from '../asked.ts'
import { plainColumns } from '../columns.ts'
import type { StudentLists } from '../lists.ts'
import { type AskedOfGuardian, guardianPageStatement } from './guardians.ts'
import { IndexMerging } from './merging.ts'
import {
  type Counted,
  countStatement,
  pageStatement,
  recountStatement,
  shareStatement,
  totalStatement,
  wayOf,
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
export class SqliteLists implements StudentLists {
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

  async page(asked: Asked): Promise<JsonPage> {
    const { patterns, guardian, classes, conditions } = asked
    if (guardian !== undefined) return this.#listByGuardian({ ...asked, guardian })
    const isSearchOfAll = patterns.length > 0 && classes === 'all' && conditions.length === 0
    return isSearchOfAll ? this.#searchAll(asked) : this.#list(asked)
  }

  async #list(asked: Asked): Promise<JsonPage> {
    const { limit, offset, classes } = asked
    const way = wayOf(asked)
    const areMost = way === 'chosen' && this.#areMost(classes)
    const total = way === 'matches' ? countStatement(asked) : totalStatement(asked, areMost)
    const read = { page: pageStatement(asked, { areMost }), total, limit, offset }
    const isFound = way === 'all' || (way === 'merged' && offset < fewSkipped)
    const isQuick = isFound && asked.columns === plainColumns
    const found = isQuick ? this.#readers.page(read) : await this.#read(nameOf(asked), read)
    return { json: found.json, total: found.total! }
  }

  /** How long it takes is not known before. */
  async #listByGuardian(asked: AskedOfGuardian): Promise<JsonPage> {
    const { limit, offset } = asked
    const { found } = await this.#readers.pageBeside({ page: guardianPageStatement(asked), limit, offset })
    return { json: found.json, total: found.total! }
  }

  /** Whether so many students are in the classes that all are read. */
  #areMost(classes: Scope): boolean {
    if (classes === 'all') return true
    const [share] = this.#readers.all(shareStatement(classes)) as [{ is_large: number | null }]
    return share.is_large === 1
  }

  /** A search of all students. What it found before is counted on, if that still holds. */
  async #searchAll(asked: Asked): Promise<JsonPage> {
    const { patterns, sortedBy, limit, offset } = asked
    const search = patterns.join(' ')
    const known = this.#totals.get(search)
    if (known !== undefined) {
      const isCommon = known.total >= leastCommon && sortedBy.length === 0 && offset < fewSkipped
      const page = pageStatement(asked, { isCommon })
      const read = { page, total: recountStatement(patterns, known), limit, offset }
      const found = await this.#read(`${nameOf(asked)} counted`, read)
      if (found.total !== undefined) return this.#remember(search, found)
    }
    const read = { page: pageStatement(asked), total: countStatement(asked), limit, offset }
    return this.#remember(search, await this.#read(nameOf(asked), read))
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

  changed(): void {
    this.#merging.changed()
  }

  close(): void {
    this.#merging.close()
  }
}

function nameOf({
  sortedBy,
  direction,
  classes,
  conditions,
  columns,
  patterns,
  offset,
  limit,
}: Asked): string {
  const shown = columns === plainColumns ? '' : columns.map(({ name }) => name)
  const asked = conditions.map((condition) => JSON.stringify(condition))
  return [sortedBy, direction, classes, ...patterns, offset, limit, shown, ...asked].join(' ')
}

/** Remembers as much as it may; what was set longest ago goes first. */
class Remembered<Value> {
  readonly #values = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(name: string): Value | undefined {
    return this.#values.get(name)
  }

  set(name: string, value: Value): void {
    this.#values.delete(name)
    if (this.#values.size >= this.#most) this.#values.delete(this.#values.keys().next().value!)
    this.#values.set(name, value)
  }

  delete(name: string): void {
    this.#values.delete(name)
  }
}
