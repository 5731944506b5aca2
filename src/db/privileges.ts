import { sqlState } from './violations.ts'

/** The role that may change the schema, in words. */
export const owningRole = 'the role that owns the database (registrar_owner of deploy/postgres-init.sql)'

/** Whether PostgreSQL refused a statement because the role lacks a privilege. */
export function lacksPrivilege(error: unknown): boolean {
  return sqlState(error) === '42501'
}

/** What to tell when PostgreSQL refused a statement for lack of a privilege; undefined for any other error. */
export function privilegeRefusal(error: unknown): string | undefined {
  if (!lacksPrivilege(error)) return undefined
  const { message } = error as Error
  const remedy = /denied for (table|view|sequence) /.test(message)
    ? 'As the owner of the tables, run: grant select, insert, update, delete on all tables in schema public to the role in the URL.'
    : `Put ${owningRole} into the URL.`
  return `PostgreSQL refuses: ${message}. ${remedy}`
}
