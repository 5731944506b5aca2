import type { Migration } from './index.ts'

/**
 * PostgreSQL: `learn_sizes` has it learn how large the tables are to which an import adds most. Only a table's owner may
 * do that, and the server's role need not be it (`deploy/postgres-init.sql`): the function has the rights of whoever
 * migrates. A table at which another looks is left out.
 */
export const sizes: Migration = {
  id: 21,
  name: 'sizes',
  statements: { sqlite: [], postgres: [learnSizes()] },
}

/** The schema is fixed, so that whoever calls it can't have it look at tables of their own. */
function learnSizes(): string {
  return `do $do$ begin
    execute format('create function learn_sizes() returns void language plpgsql security definer
      set search_path = %I, pg_temp as $$ begin
        analyze (skip_locked) students, guardian_texts, events, event_secrets;
      end $$', current_schema());
  end $do$`
}
