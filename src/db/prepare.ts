import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/** Stands in a compiled query where a value will be bound. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The values of a query to be, as it is built: by name, in any order. */
export type Placeholders<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> }

/**
 * Builds and compiles a query at its first use, once for each database; afterwards only binds values.
 * Building a query costs more than SQLite takes to run it.
 *
 * @example
 * const findName = prepare<{ id: number }, { name: string }>((db, { id }) =>
 *   db.selectFrom('users').select('name').where('id', '=', id))
 * const [row] = await findName(db, { id: 7 })
 */
export function prepare<Values extends object, Row>(
  build: (db: Db, values: Placeholders<Values>) => Compilable<Row>,
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
      query = build(db, placeholders).compile()
      compiled.set(adapter, query)
    }
    const bind = (parameter: unknown) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: query.parameters.map(bind) })
    return rows
  }
}
