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
