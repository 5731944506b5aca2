import type { Db } from './tables.ts'

/** What is kept in memory for each opened database, and shared by its transactions. */
interface PerDatabase<Kept> {
  get(db: Db): Kept | undefined
  set(db: Db, kept: Kept): void
}

/** A place to keep one thing for each opened database. It goes with the database. */
export function perDatabase<Kept>(): PerDatabase<Kept> {
  // The dialect's adapter is one per opened database.
  const places = new WeakMap<object, Kept>()
  const placeOf = (db: Db) => db.getExecutor().adapter
  return {
    get: (db) => places.get(placeOf(db)),
    set: (db, kept) => void places.set(placeOf(db), kept),
  }
}
