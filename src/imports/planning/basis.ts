import { Authority, findAuthority } from '../../access/authority.ts'
import { permissions } from '../../access/permissions.ts'
import { commonScope, type Scope } from '../../access/scope.ts'
import { findClasses, type ListedClass } from '../../classes/queries.ts'
import type { Db } from '../../db/tables.ts'
import { type Field, findFields } from '../../fields/queries.ts'
import { type NameOrder, nameOrderOf } from '../../school/name-order.ts'
import { uniqueKey } from '../../text/normalise.ts'

/** What a plan rests on besides the records that it touches. */
export interface Basis {
  /** What the account may do by imports: of students only what it holds where it imports. */
  readonly authority: Authority
  /** All that it holds: whom a row may be is looked for among all whom it sees. */
  readonly sight: Authority
  readonly nameOrder: NameOrder
  readonly fields: readonly Field[]
  /** In the order in which they are shown. */
  readonly classes: ReadonlyMap<number, ListedClass>
  /** By the keys of their labels, whether one that is called so is in use, and not archived. */
  readonly inUse: ReadonlyMap<string, boolean>
  /** Differs where any of that does. */
  readonly fingerprint: string
}

const told = ['students.view', 'students.create', 'students.update', 'students.sensitive'] as const

/** Those that count also where it does not import. */
const ofSight: ReadonlySet<string> = new Set(['students.view', 'students.sensitive'])

/** What the plan depends on, and does not tell of. */
const besides = ['classes.manage', 'fields.manage', 'classes.view', 'students.import'] as const

/** For which classes the account of a plan held what the plan tells of; see `Basis.fingerprint`. */
export function scopesOfPlan(fingerprint: string): Readonly<Partial<Record<(typeof told)[number], Scope>>> {
  const { scopes } = JSON.parse(fingerprint) as { scopes: (Scope | null)[] }
  return Object.fromEntries(told.flatMap((one, i) => (scopes[i] == null ? [] : [[one, scopes[i]]])))
}

/** What a command may do. */
export function everything(): Authority {
  return new Authority(new Map(permissions.map((one) => [one, 'all'])))
}

/** All that an account may do, by now; undefined: it is disabled or gone. */
export async function sightOf(db: Db, userId: number | undefined): Promise<Authority | undefined> {
  return userId === undefined ? everything() : findAuthority(db, userId)
}

/** The same; of an account that is disabled or gone, nothing. */
export async function sightOrNone(db: Db, userId: number | undefined): Promise<Authority> {
  return (await sightOf(db, userId)) ?? new Authority(new Map())
}

/** What an account may do by imports, of all that it may do. */
export const byImports = (sight: Authority): Authority => sight.whereHeld('students.import')

/** What an account may do by imports, by now; undefined: the account is disabled or gone. */
export async function authorityOf(db: Db, userId: number | undefined): Promise<Authority | undefined> {
  const sight = await sightOf(db, userId)
  return sight && byImports(sight)
}

/** The same; of an account that is disabled or gone, nothing. */
export async function authorityOrNone(db: Db, userId: number | undefined): Promise<Authority> {
  return byImports(await sightOrNone(db, userId))
}

/** The classes of whose students somebody sees what is sensitive. */
export function sensitiveScopeOf(authority: Authority): Scope {
  return commonScope(authority.scopeOf('students.view') ?? [], authority.scopeOf('students.sensitive') ?? [])
}

/** Reads what a plan for an account rests on. */
export async function basisFor(db: Db, userId: number | undefined): Promise<Basis> {
  const sight = await sightOrNone(db, userId)
  const authority = byImports(sight)
  const nameOrder = await nameOrderOf(db)
  const fields = await findFields(db)
  const rows = await findClasses(db)
  const fingerprint = JSON.stringify({
    scopes: [...told, ...besides].map((one) => (ofSight.has(one) ? sight : authority).scopeOf(one) ?? null),
    nameOrder,
    fields: fields.map(({ id, version }) => [id, version]),
    classes: rows.map(({ id, version }) => [id, version]),
  })
  const classes = new Map(rows.map((one) => [one.id, one]))
  const byKey = Map.groupBy(rows, ({ label }) => uniqueKey(label))
  const inUse = new Map(Array.from(byKey, ([key, all]) => [key, all.some(({ archived }) => !archived)]))
  return { authority, sight, nameOrder, fields, classes, inUse, fingerprint }
}
