import { CompiledQuery } from 'kysely'
import type { Scope } from '../../../access/scope.ts'
import { portableRead } from '../../../db/portable-reads.ts'
import { postgresReadsOf } from '../../../db/postgres-adapter.ts'
import type { Db } from '../../../db/tables.ts'
import type { Asked, JsonPage } from '../asked.ts'
import type { ListColumn } from '../columns.ts'
import type { StudentLists } from '../lists.ts'
import { emptySlice, type Slice, type SliceFilter, type SlicePart, sliceOf } from '../slices.ts'
import { postgresDerived } from './derived.ts'
import { sliceStatement } from './slices.ts'
import { isByIndex, pageStatement } from './statements.ts'

/** Beyond these a page may take long: it has a connection to itself. */
const manySkipped = 1_000
const manyClasses = 32

/** Lists on PostgreSQL: one statement a page. */
export class PostgresLists implements StudentLists {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async page(asked: Asked): Promise<JsonPage> {
    const { sql, parameters } = pageStatement(asked)
    const isQuick = isByIndex(asked) && asked.offset < manySkipped && asked.classes.length <= manyClasses
    const result = isQuick
      ? await postgresReadsOf(this.#db)!.together(sql, parameters)
      : await this.#db.executeQuery(CompiledQuery.raw(sql, [...parameters]))
    const [{ json, total }] = result.rows as [{ json: string; total: number }]
    return { json: Buffer.from(json), total }
  }

  async slice(
    scope: Scope,
    filter: SliceFilter,
    part: SlicePart,
    columns: readonly ListColumn[],
  ): Promise<Slice> {
    const asked = sliceOf(scope, filter, part, columns)
    return asked === undefined ? emptySlice : portableRead(this.#db, sliceStatement(asked))
  }

  readonly derived = postgresDerived

  changed(): void {}

  close(): void {}
}
