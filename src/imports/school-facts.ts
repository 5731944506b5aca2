import { getAuthority } from '../access/authority.ts'
import { includesScope, isInScope, joinScopes, type Scope } from '../access/scope.ts'
import { findClasses } from '../classes/queries.ts'
import type { Db } from '../db/tables.ts'
import { type Field, findFields } from '../fields/queries.ts'
import { nameOrderOf } from '../school/name-order.ts'
import { nextNumber } from '../students/numbers/next.ts'
import type { Facts } from './facts.ts'
import type { ImportRow } from './model.ts'

/** What of the school decides which answers are good, for an account. */
export type AnswerableFacts = Pick<
  Facts,
  'fields' | 'classes' | 'seesStudents' | 'mayCreateClasses' | 'mayCreateFields'
>

/** What of the facts is the school's, and the account's that plans. */
export type SchoolFacts = AnswerableFacts & Pick<Facts, 'nameOrder' | 'nextNumber'>

type ScopeOf = (permission: string) => Scope | undefined

async function scopesOf(db: Db, userId: number | null): Promise<ScopeOf> {
  if (userId === null) return () => 'all'
  const authority = (await getAuthority(db, userId)).whereHeld('students.import')
  return (permission) => authority.scopeOf(permission)
}

/** The fields and classes of the school, as far as an account may use them; null: a command, which may do all. */
export async function answerableFacts(db: Db, userId: number | null): Promise<AnswerableFacts> {
  return answerableBy(db, await scopesOf(db, userId))
}

async function answerableBy(db: Db, scopeOf: ScopeOf): Promise<AnswerableFacts> {
  const used: Scope = joinScopes(scopeOf('students.create'), scopeOf('students.update') ?? [])
  const seen: Scope = joinScopes(scopeOf('students.view'), used)
  const isForAll = (permission: string) => includesScope(scopeOf(permission), 'all')
  const classes = await findClasses(db)
  const fields: Field[] = await findFields(db)
  return {
    fields,
    classes: classes
      .filter(({ id }) => isInScope(seen, id))
      .map(({ id, label, archived }) => ({ id, label, archived, usable: isInScope(used, id) })),
    seesStudents: classes.some(({ id, students }) => students > 0 && isInScope(scopeOf('students.view'), id)),
    mayCreateClasses: isForAll('classes.manage'),
    mayCreateFields: isForAll('fields.manage'),
  }
}

/** The fields, classes and numbers of the school, as far as the account that plans may use them. */
export async function schoolFacts(db: Db, { planned_for }: ImportRow): Promise<SchoolFacts> {
  const scopeOf = await scopesOf(db, planned_for)
  return {
    ...(await answerableBy(db, scopeOf)),
    nameOrder: await nameOrderOf(db),
    nextNumber: await nextNumber(db, scopeOf('students.create') ?? []),
  }
}
