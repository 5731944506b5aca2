import { type Authority, getAuthority } from '../../access/authority.ts'
import { includesScope, isInScope, joinScopes, type Scope } from '../../access/scope.ts'
import { findClasses } from '../../classes/queries.ts'
import type { Db } from '../../db/tables.ts'
import { type Field, findFields } from '../../fields/queries.ts'
import { nameOrderOf } from '../../school/name-order.ts'
import { nextNumber } from '../../students/numbers/next.ts'
import type { ImportRow } from '../model.ts'
import type { Facts } from '../questions/facts.ts'

/** What of the facts is the school's, and the account's that plans. */
export type SchoolFacts = Pick<
  Facts,
  'fields' | 'classes' | 'nameOrder' | 'nextNumber' | 'mayCreateClasses' | 'mayCreateFields'
>

/** What the account that plans may do; undefined: a command, which may do all. */
async function authorityOf(db: Db, { planned_for }: ImportRow): Promise<Authority | undefined> {
  return planned_for === null ? undefined : getAuthority(db, planned_for)
}

/** The fields, classes and numbers of the school, as far as the account that plans may use them. */
export async function schoolFacts(db: Db, imported: ImportRow): Promise<SchoolFacts> {
  const authority = await authorityOf(db, imported)
  const scopeOf = (permission: string) => (authority === undefined ? 'all' : authority.scopeOf(permission))
  const scope: Scope = joinScopes(scopeOf('students.create'), scopeOf('students.update') ?? [])
  const isForAll = (permission: string) => includesScope(scopeOf(permission), 'all')
  const classes = await findClasses(db)
  const fields: Field[] = await findFields(db)
  return {
    fields,
    classes: classes
      .filter(({ id }) => isInScope(scope, id))
      .map(({ id, label, archived }) => ({ id, label, archived })),
    nameOrder: await nameOrderOf(db),
    nextNumber: await nextNumber(db, scopeOf('students.create') ?? []),
    mayCreateClasses: isForAll('classes.manage'),
    mayCreateFields: isForAll('fields.manage'),
  }
}
