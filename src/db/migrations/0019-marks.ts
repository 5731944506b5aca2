import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

/**
 * How far an import is applied and undone stands with the import, and what a row has made in the log alone: else each
 * row of its plan would be written twice more. PostgreSQL looks up no import for each row, and takes guardians into
 * their search index in fewer pieces.
 */
export const marks: Migration = {
  id: 19,
  name: 'marks',
  statements: {
    sqlite: statementsOf('sqlite'),
    postgres: [...statementsOf('postgres'), ...withoutReferences(), longerList()],
  },
}

function statementsOf(engine: Engine): string[] {
  const { integer } = wordsOf(engine)
  const rows = 'from import_plan where import_id = imports.id and place >= 0'
  return [
    `alter table imports add column applied_to ${integer}`,
    `alter table imports add column undone_from ${integer}`,
    `update imports set applied_to = (select max(place) ${rows} and applied > 0),
      undone_from = (select min(place) ${rows} and applied = 2)`,
    'alter table import_plan drop column applied',
    'drop index import_plan_record',
  ]
}

/** An import that has rows is never removed; its rows go by themselves. */
function withoutReferences(): string[] {
  return ['import_rows', 'import_plan'].map(
    (table) => `alter table ${table} drop constraint ${table}_import_id_fkey`,
  )
}

/**
 * Guardians who came of late stand in a list beside their index, which each search for a guardian reads: see migration
 * 5. Four times as long, it is as quick to search, and a third less work where guardians come by hundreds.
 */
function longerList(): string {
  return `do $$ begin
    if exists (
      select from pg_class join pg_am on pg_am.oid = relam
      where pg_class.oid = to_regclass('guardian_texts_search') and amname = 'gin'
    ) then
      perform set_config('lock_timeout', '1s', true);
      alter index guardian_texts_search set (gin_pending_list_limit = 256);
    end if;
  end $$`
}
