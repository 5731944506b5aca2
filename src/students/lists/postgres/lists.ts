import { CompiledQuery } from 'kysely'
import { postgresReadsOf } from '../../../db/postgres-adapter.ts'
import type { Db } from '../../../db/tables.ts'
import type { NamedStudent } from '../derived.ts'
import type { Chosen } from '../filter.ts'
import type { Sort } from '../sorts.ts'
import type { JsonPage, Rows } from '../values.ts'
import { postgresDerived } from './derived.ts'
import { isByIndex, pageStatement } from './statements.ts'

/** Beyond these a page may take long: it has a connection to itself. */
const manySkipped = 1_000
const manyClasses = 32

/** Lists on PostgreSQL: one statement a page. */
export class PostgresLists {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async page(chosen: Chosen, sort: Sort, rows: Rows): Promise<JsonPage> {
    const { sql, parameters } = pageStatement(chosen, sort, rows)
    const isQuick =
      isByIndex(chosen, sort) && rows.offset < manySkipped && chosen.classes.length <= manyClasses
    const result = isQuick
      ? await postgresReadsOf(this.#db)!.together(sql, parameters)
      : await this.#db.executeQuery(CompiledQuery.raw(sql, [...parameters]))
    const [{ json, total }] = result.rows as [{ json: string; total: number }]
    return { json: Buffer.from(json), total }
  }

  derived(student: NamedStudent) {
    return postgresDerived(student)
  }

  changed(): void {}

  close(): void {}
}
