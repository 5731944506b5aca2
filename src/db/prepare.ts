import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { postgresReadsOf } from './postgres-adapter.ts'
import type { Soon } from './soon.ts'
import { sqliteReadersOf } from './sqlite.ts'
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
 * Begins a statement of PostgreSQL that is planned each time for its values. One that is prepared under a name gets a
 * plan for any values, in the end even where that is far from the best for some.
 */
export const plannedEachTime = '/* planned each time */ '

/**
 * Begins a read that SQLite answers, inside a write, by what was committed last, at once. The writing thread compares
 * that with what it reads itself, before the next statement of the work. Where they differ, the work is undone with
 * an error that is worth retrying. So the read costs no message of its own.
 */
export const checkedAfterwards = '/* checked afterwards */ '

/** A query in SQL, for `prepare`. */
export function compilable<Row>(db: Db, query: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => query.compile(db) }
}

/** Values that stand in a statement and are not bound, by name. */
export type KnownValues = Readonly<Record<string, RawBuilder<unknown>>>

type Build<Values, Row> = (db: Db, values: Placeholders<Values>) => Compilable<Row>

/**
 * Builds and compiles a query at its first use, once for each database; afterwards only binds values.
 * Building a query costs more than SQLite takes to run it.
 */
export function prepareStatement<Values extends object, Row>(
  build: Build<Values, Row>,
  known: KnownValues = {},
  prefix = '',
): (db: Db, values: Values) => CompiledQuery<Row> {
  const placeholders = new Proxy({} as Placeholders<Values>, {
    get: (_, name) => known[String(name)] ?? sql.val(new Placeholder(String(name))),
  })
  // The dialect's adapter is one per opened database, and shared by its transactions.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db, values) => {
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
    return { sql: query.sql, parameters, query: query.query, queryId: query.queryId }
  }
}

export interface PrepareOptions {
  readonly known?: KnownValues
  /** Whether PostgreSQL runs it on a connection of its own, so that it holds up no other. */
  readonly mayTakeLong?: boolean
  /** Put before the query's text: `checkedAfterwards`, or nothing. */
  readonly prefix?: string
}

/**
 * Prepares a query that is run past Kysely where that is quicker. On SQLite a read is there at once, so that
 * reads that follow one another, with nothing else awaited between them, are of one snapshot.
 *
 * @example
 * const findName = prepare<{ id: number }, { name: string }>((db, { id }) =>
 *   db.selectFrom('users').select('name').where('id', '=', id))
 * const [row] = await findName(db, { id: 7 })
 */
export function prepare<Values extends object, Row>(
  build: Build<Values, Row>,
  { known = {}, mayTakeLong = false, prefix = '' }: PrepareOptions = {},
): (db: Db, values: Values) => Soon<Row[]> {
  const statement = prepareStatement(build, known, prefix)
  return (db, values) => {
    const bound = statement(db, values)
    const readers = sqliteReadersOf(db)
    if (readers) return readers.all(bound) as Row[]
    const reads = mayTakeLong ? undefined : postgresReadsOf(db)
    const result = reads ? reads.together(bound.sql, bound.parameters) : db.executeQuery<Row>(bound)
    return result.then(({ rows }) => rows as Row[])
  }
}
