import { permissionDenied, permissionDeniedForAll } from './denials.ts'
import { isOfPlatform, type Permission } from './permissions.ts'

/** Which classes something holds for: all of them, or those of these ids, in ascending order. */
export type Scope = 'all' | readonly number[]

/**
 * Reads a scope of a statement, or several that were put together with commas.
 * @param classes with `*`: all; else ids, as `3,5`; null: none, and nothing is held
 */
export function scopeOf(classes: string | null): Scope | undefined {
  if (classes === null) return undefined
  if (classes.includes('*')) return 'all'
  const ids = classes.split(',').filter((id) => id !== '')
  return [...new Set(ids.map(Number))].sort((a, b) => a - b)
}

export function isInScope(scope: Scope | undefined, classId: number): boolean {
  return scope === 'all' || (scope?.includes(classId) ?? false)
}

/** Whether all that `inner` holds for, `outer` holds for too. */
export function includesScope(outer: Scope | undefined, inner: Scope): boolean {
  if (outer === 'all') return true
  return inner !== 'all' && inner.every((classId) => outer?.includes(classId))
}

export function joinScopes(one: Scope | undefined, other: Scope): Scope {
  if (one === undefined || other === 'all') return other
  return one === 'all' ? one : [...new Set([...one, ...other])].sort((a, b) => a - b)
}

/** The classes of both. */
export function commonScope(one: Scope, other: Scope): Scope {
  if (one === 'all') return other
  return other === 'all' ? one : one.filter((classId) => other.includes(classId))
}

/** What a route asks of its callers. */
export interface Required {
  /** '': none. */
  readonly permission: Permission | ''
  /** Whether it is to be held for all classes. */
  readonly forAllClasses: boolean
  /** A permission that will do in its place. */
  readonly instead?: Permission
}

/**
 * @param scope for which classes the permission is held
 * @param insteadScope the same of the one that will do in its place
 * @throws Problem permission_denied unless what a route asks for is held
 */
export function requireAccess(
  { permission, forAllClasses, instead }: Required,
  scope: Scope | undefined,
  insteadScope: Scope | undefined,
): void {
  if (permission === '' || (instead !== undefined && insteadScope !== undefined)) return
  if (scope === undefined || (scope !== 'all' && isOfPlatform(permission))) throw permissionDenied(permission)
  if (forAllClasses && scope !== 'all') throw permissionDeniedForAll(permission)
}
