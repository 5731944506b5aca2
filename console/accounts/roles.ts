import { signal } from '@preact/signals'
import {
  type FieldFault,
  type Grant,
  listPermissions,
  listRoles,
  type NewGrant,
  type Role,
} from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { may } from '../session/session.ts'
import type { Typed } from '../student/form.ts'

/*
 * The roles of an account as a form holds them, by the pointer `/roles/ID`: nothing where the account does not hold
 * the role, `all`, or `of` and the ids of classes: `of 3 5`. A role that is just chosen is `unsaid` until one of both
 * is chosen too: a forgotten click shows nobody the whole school.
 */

/** A role that is held, but not said for which classes. */
const unsaid = 'unsaid'

/** What choosing a role types. */
export const chosenGrant = ({ isForAllOnly }: Grantable) => (isForAllOnly ? 'all' : unsaid)

/** A role that can be granted. */
export interface Grantable extends Role {
  readonly isForAllOnly: boolean
}

/** The roles that there are; undefined until they are read, and for who may not. */
export const roles = signal<readonly Grantable[] | undefined>(undefined)

export async function loadRoles(): Promise<Failure | undefined> {
  if (!may('roles.manage')) return undefined
  const [all, permissions] = await Promise.all([
    call(() => listRoles({ query: { per_page: 100 } })),
    call(() => listPermissions()),
  ])
  if (all.is === 'failed') return all.failure
  if (permissions.is === 'failed') return permissions.failure
  const platform = permissions.data.data
    .filter((one) => one.all_classes_only)
    .map(({ name }) => name as string)
  roles.value = all.data.data.map((role) => ({
    ...role,
    isForAllOnly: role.permissions.some((name) => platform.includes(name)),
  }))
  return undefined
}

export const typedGrant = (ids: readonly number[] | null) =>
  ids === null ? 'all' : ['of', ...[...ids].sort((a, b) => a - b)].join(' ')

/** The classes of a typed grant; null: all. */
export const classesOf = (typed: string): number[] | null =>
  typed === 'all' ? null : typed.split(' ').slice(1).map(Number)

export const typedRoles = (grants: readonly Grant[]): Typed =>
  Object.fromEntries(grants.map(({ role_id, class_ids }) => [`/roles/${role_id}`, typedGrant(class_ids)]))

const prefix = '/roles/'

/** What the API is sent. */
export function grantsOf(typed: Typed): NewGrant[] {
  return Object.entries(typed)
    .filter(([pointer, value]) => pointer.startsWith(prefix) && value !== '')
    .map(([pointer, value]) => ({
      role_id: Number(pointer.slice(prefix.length)),
      class_ids: classesOf(value),
    }))
}

/** Roles of which it is not said for which classes, and those for certain classes, without a class. */
export const emptyGrants = (typed: Typed): FieldFault[] =>
  Object.entries(typed)
    .filter(([pointer, value]) => pointer.startsWith(prefix) && (value === 'of' || value === unsaid))
    .map(([pointer, value]) => ({
      pointer: `${pointer}/class_ids`,
      detail: '',
      ...(value === unsaid
        ? { code: 'not_allowed' as const }
        : { code: 'too_few' as const, params: { limit: 1 } }),
    }))

/** A failure whose faults name roles by their ids, as the form does, and not by their places in what was sent. */
export function byRole(failure: Failure, sent: readonly NewGrant[]): Failure {
  if (failure.is === 'offline' || failure.problem.errors === undefined) return failure
  const errors = failure.problem.errors.map((fault) => {
    const grant = sent[Number(/^\/roles\/(\d+)/.exec(fault.pointer)?.[1] ?? -1)]
    return grant === undefined ? fault : { ...fault, pointer: `${prefix}${grant.role_id}` }
  })
  return { is: 'problem', problem: { ...failure.problem, errors } }
}
