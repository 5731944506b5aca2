import { CompiledQuery } from 'kysely'
import { postgresReadsOf } from '../../../db/postgres-adapter.ts'
import type { Db } from '../../../db/tables.ts'
import type { Asked, JsonPage } from '../asked.ts'
import type { StudentLists } from '../lists.ts'
import { RareParts } from './rare-parts.ts'
import { isByIndex, pageStatement } from './statements.ts'

/** Beyond these a page may take long: it has a connection to itself. */
const manySkipped = 1_000
const manyClasses = 32

/** Lists on PostgreSQL: one statement a page. */
export class PostgresLists implements StudentLists {
  readonly #db: Db
  readonly #rareParts: RareParts

  constructor(db: Db) {
    this.#db = db
    this.#rareParts = new RareParts(db)
  }

  async page(asked: Asked): Promise<JsonPage> {
    const { sql, parameters } = pageStatement(asked, (word) => this.#rareParts.of(word))
    const isQuick = isByIndex(asked) && asked.offset < manySkipped && asked.classes.length <= manyClasses
    const result = isQuick
      ? await postgresReadsOf(this.#db)!.together(sql, parameters)
      : await this.#db.executeQuery(CompiledQuery.raw(sql, [...parameters]))
    const [{ json, total }] = result.rows as [{ json: string; total: number }]
    return { json: Buffer.from(json), total }
  }

  changed(): void {}

  close(): void {}
}
