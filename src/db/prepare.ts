import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { postgresReadsOf } from './postgres-adapter.ts'
import { sqliteReadersOf } from './sqlite-readers.ts'
import type { Db } from './tables.ts'

/** Stands in a compiled query where a value will be bound. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The values of a query to be, as it is built: by name, in any order. */
type Placeholders<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> }

type Build<Values, Row> = (db: Db, values: Placeholders<Values>) => Compilable<Row>

/**
 * Builds and compiles a query at its first use, once for each database; afterwards only binds values.
 * Building a query costs more than SQLite takes to run it.
 *
 * It is run past Kysely, where that is quicker. On PostgreSQL it shares a connection: it must be quick.
 * @param prefix begins the statement: `checkedAfterwards`, `endsWork` or nothing
 *
 * @example
 * const findName = prepare<{ id: number }, { name: string }>((db, { id }) =>
 *   db.selectFrom('users').select('name').where('id', '=', id))
 * const [row] = await findName(db, { id: 7 })
 */
export function prepare<Values extends object, Row>(
  build: Build<Values, Row>,
  prefix = '',
): (db: Db, values: Values) => Promise<Row[]> {
  const placeholders = new Proxy({} as Placeholders<Values>, {
    get: (_, name) => sql.val(new Placeholder(String(name))),
  })
  // The dialect's adapter is one per opened database, and shared by its transactions.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (query === undefined) {
      const built = build(db, placeholders).compile()
      query = { ...built, sql: prefix + built.sql }
      compiled.set(adapter, query)
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    const readers = sqliteReadersOf(db)
    if (readers) return readers.all({ sql: query.sql, parameters }) as Row[]
    const reads = postgresReadsOf(db)
    const result = reads
      ? await reads.together(query.sql, parameters)
      : await db.executeQuery<Row>({ ...query, parameters })
    return result.rows as Row[]
  }
}
