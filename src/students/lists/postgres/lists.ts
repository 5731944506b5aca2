import { CompiledQuery } from 'kysely'
import { postgresReadsOf } from '../../../db/postgres-adapter.ts'
import { plannedEachTime } from '../../../db/prepare.ts'
import type { Db } from '../../../db/tables.ts'
import type { NamedStudent } from '../derived.ts'
import type { Chosen } from '../filter.ts'
import type { Sort } from '../sorts.ts'
import type { JsonPage, Rows } from '../values.ts'
import { postgresDerived } from './derived.ts'
import { pageStatement } from './statements.ts'

/** From here on a page may take long: it has a connection to itself. */
const manySkipped = 1_000

/** Lists on PostgreSQL: one statement a page. */
export class PostgresLists {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async page(chosen: Chosen, sort: Sort, rows: Rows): Promise<JsonPage> {
    const { sql, parameters } = pageStatement(chosen, sort, rows)
    const isOfAll = chosen.patterns.length === 0 && chosen.classes === 'all'
    // How many a search or a class finds differs too much for one plan.
    const planned = isOfAll ? sql : plannedEachTime + sql
    const result =
      isOfAll && rows.offset < manySkipped
        ? await postgresReadsOf(this.#db)!.together(planned, parameters)
        : await this.#db.executeQuery(CompiledQuery.raw(planned, [...parameters]))
    const [{ json, total }] = result.rows as [{ json: string; total: number }]
    return { json: Buffer.from(json), total }
  }

  derived(student: NamedStudent) {
    return postgresDerived(student)
  }

  changed(): void {}

  close(): void {}
}
