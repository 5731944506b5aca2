import type { Authority } from '../access/authority.ts'
import { permissionDeniedForAll } from '../access/denials.ts'
import type { Permission } from '../access/permissions.ts'
import { type ImportKind, type ImportRow, importKinds } from './model.ts'

/** What imports of a kind need: for some classes, or for all. */
const needed: Readonly<Record<ImportKind, { permission: Permission; forAllClasses: boolean }>> = {
  students: { permission: 'students.import', forAllClasses: false },
  classes: { permission: 'classes.manage', forAllClasses: true },
}

/** The same as `mayImport`, and says which permission is lacking, and for what. @throws Problem permission_denied */
export function requireKind(authority: Authority, kind: ImportKind): void {
  const { permission, forAllClasses } = needed[kind]
  if (authority.require(permission) !== 'all' && forAllClasses) throw permissionDeniedForAll(permission)
}

/** Whether someone may import files of a kind. */
export function mayImport(authority: Authority, kind: ImportKind): boolean {
  const { permission, forAllClasses } = needed[kind]
  const scope = authority.scopeOf(permission)
  return forAllClasses ? scope === 'all' : scope !== undefined
}

/** The permission that imports of a kind need. */
export const permissionFor = (kind: ImportKind): Permission => needed[kind].permission

/** Whether someone imports files of a kind for all classes. */
export const importsForAll = (authority: Authority, kind: ImportKind): boolean =>
  authority.scopeOf(permissionFor(kind)) === 'all'

/** Which imports someone sees, continues and undoes: their own, and all of a kind that they may import for all classes. */
export class Sight {
  readonly userId: number
  /** The kinds of which those that they made are seen, and those of which all are. */
  readonly ownKinds: readonly ImportKind[]
  readonly allKinds: readonly ImportKind[]

  constructor(authority: Authority, userId: number) {
    this.userId = userId
    this.allKinds = importKinds.filter((kind) => importsForAll(authority, kind))
    this.ownKinds = importKinds.filter((kind) => mayImport(authority, kind))
  }

  sees({ kind, user_id }: Pick<ImportRow, 'kind' | 'user_id'>): boolean {
    return this.allKinds.includes(kind) || (user_id === this.userId && this.ownKinds.includes(kind))
  }
}
