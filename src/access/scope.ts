/** Which classes something holds for: all of them, or those of these ids, in ascending order. */
export type Scope = 'all' | readonly number[]

/**
 * @param reach 1: for all classes; 0: for those of `classes`, as `3,5`; null: for none
 * @returns undefined where nothing is held
 */
export function scopeOf(reach: number | null, classes: string | null): Scope | undefined {
  if (reach === null) return undefined
  if (reach === 1) return 'all'
  return [...new Set(classes?.split(',').map(Number))].sort((a, b) => a - b)
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

export function isSameScope(one: Scope, other: Scope): boolean {
  return String(one) === String(other)
}
