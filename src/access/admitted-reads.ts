import { type Compilable, type Expression, type QueryCreator, type SelectQueryBuilder, sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import { inJson, type JsonPage, type PageValues, perLimit, prepareSqlitePage } from '../db/page.ts'
import {
  compilable,
  type Placeholders,
  type PrepareOptions,
  plannedEachTime,
  prepare,
} from '../db/prepare.ts'
import type { Soon } from '../db/soon.ts'
import type { Db, Tables } from '../db/tables.ts'
import type { PendingAdmission } from '../http/context.ts'
import { scopeOf } from './scope.ts'
import { perPermissions, type SessionQuery, type SessionRow, selectSession } from './sessions.ts'

/*
 * Reads that also say who asks and whether they may; without the permission, nothing is read of what was
 * asked for. On PostgreSQL each is one statement. On SQLite, where a statement costs no round trip, the guard has
 * admitted the caller just before, and in the same snapshot unless a thread reads: the statements together cost less
 * than their join. So these are for the handlers of guarded routes alone.
 */

/** Who asks, on a route whose query admits them. */
export interface AskingCaller {
  readonly admission: PendingAdmission
}

type Query<Row> = Compilable<Row> & Expression<unknown>

/**
 * Prepares such a read. `build` selects what is asked for, with an `id`, by which what is found is told from nothing.
 * @returns a query that on PostgreSQL throws Problem token_invalid or permission_denied
 */
export function prepareAdmitted<Values extends object, Row extends { id: number }>(
  build: (db: Db, values: Placeholders<Values>) => Query<Row>,
): (db: Db, caller: AskingCaller, values: Values) => Soon<Row[]> {
  const alone = prepare(build)
  const joined = prepareJoined<Values, Row>(build)
  return (db, caller, values) =>
    engineOf(db) === 'postgres'
      ? joined(db, caller, values).then((rows) => rows.filter(isFound))
      : alone(db, values)
}

type Matches = SelectQueryBuilder<Tables, 'students' | 'student_search', { id: number }>

/** A list: the ids that match, if not all do, and from them how many they are and the rows of one page. */
export interface AdmittedList<Values, Row> {
  /** @param areAllRead on SQLite: whether they are counted, and not just the first of them read */
  readonly matches?: (db: Db, values: Placeholders<Values>, areAllRead?: boolean) => Matches
  readonly total: (db: DbWithMatches, values: Placeholders<Values>) => Query<{ total: number }>
  readonly page: (db: DbWithMatches, values: Placeholders<Values & PageValues>) => Query<Row>
  /** What the answer has of each row, in this order. */
  readonly members: readonly (keyof Row & string)[]
  /** Whether SQLite counts where the page is full; else the total is that of the page. */
  readonly isCounted?: boolean
  /** Whether PostgreSQL plans it each time for the values that are bound. */
  readonly isPlanned?: boolean
  /** As `prepare` has it. */
  readonly mayTakeLong?: boolean
}

/** What a page is selected from. */
export type DbWithMatches = Pick<
  QueryCreator<Tables & { matches: { id: number } }>,
  'selectFrom' | 'selectNoFrom'
>

/**
 * Prepares a page, with the exact total of the same snapshot.
 * @returns a query that throws as `prepareAdmitted` does; for `name` see `prepareSqlitePage`
 */
export function prepareAdmittedPage<Values extends object, Row>({
  matches,
  total,
  page,
  members,
  isCounted = true,
  isPlanned = false,
  mayTakeLong = false,
}: AdmittedList<Values, Row>): (
  db: Db,
  caller: AskingCaller,
  values: Values & PageValues,
  name?: string,
) => Soon<JsonPage> {
  // SQLite looks twice, since a page often tells the total; PostgreSQL needs both, and finds the matches once.
  const alone = prepareSqlitePage<Values & PageValues, Row>(
    (db, values) => {
      const from = (areAllRead: boolean): DbWithMatches =>
        matches
          ? db.with(
              (name) => name('matches').notMaterialized(),
              () => matches(db, values, areAllRead) as SelectQueryBuilder<Tables, never, { id: number }>,
            )
          : db.withTables()
      return { page: page(from(false), values) as Expression<Row>, total: total(from(true), values) }
    },
    members,
    isCounted,
  )
  const joinedOf = perLimit((known) =>
    prepareJoined<Values & PageValues, { total: number; json: string }>(
      (db, values) => sql`(
      select totals.total, page.json
      from ${total(db.withTables(), values)} as totals, ${inJson('postgres', page(db.withTables(), values), members)} as page)`,
      { ...(matches && { matches }), known, isPlanned, mayTakeLong },
    ),
  )
  const joined = async (db: Db, caller: AskingCaller, values: Values & PageValues) => {
    const [found] = await joinedOf(values)(db, caller, values)
    return { json: Buffer.from(found!.json), total: found!.total }
  }
  return (db, caller, values, name) =>
    engineOf(db) === 'postgres' ? joined(db, caller, values) : alone(db, values, name)
}

type Joined<Row> = Row & { [Name in keyof SessionRow as `caller_${Name}`]: SessionRow[Name] }

interface JoinedParts<Values> extends PrepareOptions {
  readonly matches?: (db: Db, values: Placeholders<Values>) => Expression<unknown>
  readonly isPlanned?: boolean
}

/**
 * Joins the caller's session to what is asked for. Where nothing is found, all of that is null on the one row. `offset 0`
 * keeps the condition where it is, so that it is looked at first; in the join it would be looked at last.
 */
function prepareJoined<Values extends object, Row>(
  build: (db: Db, values: Placeholders<Values>) => Expression<unknown>,
  { matches, isPlanned = false, ...options }: JoinedParts<Values> = {},
): (db: Db, caller: AskingCaller, values: Values) => Promise<Row[]> {
  const statementFor = perPermissions((asked) =>
    prepare<Values & SessionQuery, Joined<Row>>((db, given) => {
      const values = given as Placeholders<Values>
      const from = matches ? sql`with matches as materialized ${matches(db, values)}` : sql``
      const caller = selectSession(db, asked, given as Placeholders<SessionQuery>)
      return compilable(
        db,
        sql<Joined<Row>>`${sql.raw(isPlanned ? plannedEachTime : '')}${from}
        select caller.user_id as caller_user_id, caller.must_change as caller_must_change,
          caller.scope as caller_scope, caller.scope_besides as caller_scope_besides, work.*
        from ${caller} as caller
        left join lateral (
          select * from ${build(db, values)} as asked where caller.scope is not null and caller.must_change = 0 offset 0
        ) as work on true`,
      )
    }, options),
  )
  return async (db, { admission }, values) => {
    const statement = statementFor(admission.session)
    const rows = await statement(db, { ...values, ...admission.session })
    const [first] = rows
    admission.decide(
      first && {
        userId: first.caller_user_id,
        mustChangePassword: first.caller_must_change === 1,
        scope: scopeOf(first.caller_scope),
        scopeBesides: scopeOf(first.caller_scope_besides),
      },
    )
    return rows
  }
}

function isFound(row: { id: number | null }): boolean {
  return row.id !== null
}
