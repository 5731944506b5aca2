import { sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import { prepare } from '../db/prepare.ts'
import { andThen, type Soon } from '../db/soon.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { lookUp, matchingIds } from './search.ts'

/** A word that finds so many is counted once and kept: SQLite counts some 100 000 in 5 ms. */
const leastKept = 50_000
/** Each kept total is looked at by every change of a student. */
const maxKept = 256

const selectKept = prepare<object, { pattern: string }>((db) =>
  db.selectFrom('search_totals').select('pattern'),
)

/** The patterns whose totals are kept, by database: they only become more, and only here, so they are read once. */
const keptPatterns = new WeakMap<object, Set<string>>()

function readKept(db: Db): Soon<Set<string>> {
  const { adapter } = db.getExecutor() // one for each opened database
  const known = keptPatterns.get(adapter)
  if (known !== undefined) return known
  return andThen(selectKept(db, {}), (rows) => {
    const kept = new Set(rows.map(({ pattern }) => pattern))
    keptPatterns.set(adapter, kept)
    return kept
  })
}

/** Those of the patterns whose totals are kept: what each finds alone. */
export function keptAmong(db: Db, patterns: readonly string[]): Soon<string[]> {
  if (patterns.length === 0) return []
  return andThen(readKept(db), (kept) => patterns.filter((pattern) => kept.has(pattern)))
}

/** Lets the total of a search for this pattern alone be kept from now on, if that is worth it: on SQLite, of many. */
export async function keepTotal(db: Db, pattern: string, total: number, least = leastKept): Promise<void> {
  if (total < least || engineOf(db) === 'postgres') return
  const isKept = await write(db, { command: 'keep a total' }, async (db) => {
    const lookup = { ...lookUp(db, [pattern]), ofClasses: false, areAllRead: true }
    const values = Object.fromEntries(
      Object.entries(lookup.values).map(([name, value]) => [name, sql.val(value)]),
    )
    const { rows } = await sql`
      insert into search_totals (pattern, students)
      select ${pattern}, (select count(*) from ${matchingIds(db, lookup, values)})
      where not exists (select 1 from search_totals where pattern = ${pattern})
        and (select count(*) from search_totals) < ${maxKept}
      returning pattern`.execute(db)
    return rows.length > 0
  })
  if (isKept) (await readKept(db)).add(pattern)
}
