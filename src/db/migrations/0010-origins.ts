import type { Migration } from './index.ts'

const statements = ['alter table users add column created_by text']

/**
 * By whom an account was made (`account 7`, `command user add`), or from where it registered (`address 192.0.2.1`).
 * Of the accounts that are there it is not known.
 */
export const origins: Migration = {
  id: 10,
  name: 'origins',
  statements: { sqlite: statements, postgres: statements },
}
