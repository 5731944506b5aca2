import { sql } from 'kysely'
import { engineOf } from './engine.ts'
import type { Db } from './tables.ts'

/** That a column is one of some ids, which are bound as one text, `3,5`: one statement for any number of them. */
export function isOneOf(db: Db, column: string, ids: Iterable<number>) {
  const list = [...ids].join()
  return engineOf(db) === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(string_to_array(${list}, ',')::bigint[])`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each('[' || ${list} || ']'))`
}

/** The same for a column of texts. On PostgreSQL it is a join: very many texts are not compared one by one. */
export function isOneOfTexts(db: Db, column: string, texts: readonly string[]) {
  const json = JSON.stringify(texts)
  return engineOf(db) === 'postgres'
    ? sql<boolean>`${sql.ref(column)} in (select json_array_elements_text(${json}::json))`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${json}))`
}
