import { includesScope, isInScope, joinScopes, type Scope } from '../access/scope.ts'
import type { Db } from '../db/tables.ts'
import { commonestNext } from '../students/numbers/commonest.ts'
import type { Facts } from './facts.ts'
import { type Basis, basisFor } from './planning/basis.ts'

/** What of the school decides which answers are good, for an account. */
export type AnswerableFacts = Pick<Facts, 'fields' | 'classes' | 'mayCreateClasses' | 'mayCreateFields'>

/** What of the facts is the school's, and the account's that plans. */
export type SchoolFacts = AnswerableFacts & Pick<Facts, 'nameOrder' | 'nextNumber' | 'seesStudents'>

/** The fields and classes of the school, as far as an account may use them; undefined: a command, which may do all. */
export async function answerableFacts(db: Db, userId: number | undefined): Promise<AnswerableFacts> {
  return answerableBy(await basisFor(db, userId))
}

function answerableBy({ authority, fields, classes }: Basis): AnswerableFacts {
  const used: Scope = joinScopes(
    authority.scopeOf('students.create'),
    authority.scopeOf('students.update') ?? [],
  )
  const imported: Scope = joinScopes(authority.scopeOf('students.view'), used)
  const seen: Scope = joinScopes(authority.scopeOf('classes.view'), imported)
  return {
    fields,
    classes: [...classes.values()]
      .filter(({ id }) => isInScope(seen, id))
      .map(({ id, label, archived }) => ({ id, label, archived, usable: isInScope(used, id) })),
    mayCreateClasses: used === 'all' && includesScope(authority.scopeOf('classes.manage'), 'all'),
    mayCreateFields: includesScope(authority.scopeOf('fields.manage'), 'all'),
  }
}

/** The same, and the names and numbers of the school: by what the plan will rest on, so that both tell of one moment. */
export async function schoolFacts(db: Db, basis: Basis): Promise<SchoolFacts> {
  const { authority, nameOrder, classes } = basis
  const seen = authority.scopeOf('students.view') ?? []
  return {
    ...answerableBy(basis),
    nameOrder,
    seesStudents: [...classes.values()].some(({ id, students }) => students > 0 && isInScope(seen, id)),
    nextNumber: await commonestNext(db, seen),
  }
}
