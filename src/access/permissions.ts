/** Every permission there is, each with the sentence that tells an administrator what it allows. */
export const permissionTable = {
  'students.view': 'List, search and read student records',
  'students.create': 'Create student records',
  'students.update': 'Correct student records, and move students to another class',
  'students.sensitive': 'See and set date of birth, gender, guardians and notes of students',
  'classes.view': 'List and read classes',
  'classes.manage': 'Create, rename, order, archive and delete classes',
  'users.view': 'List and read accounts',
  'users.manage': 'Create and change accounts, end their sessions, and grant them roles',
  'roles.manage': 'List, create, change and delete roles',
} as const

export type Permission = keyof typeof permissionTable

export const permissions = Object.keys(permissionTable) as Permission[]

/** The roles that every platform has, and what they hold. The migrations write them; a test compares. */
export const builtInRoles = {
  administrator: permissions,
  registrar: [
    'students.view',
    'students.create',
    'students.update',
    'students.sensitive',
    'classes.view',
    'classes.manage',
  ],
  viewer: ['students.view', 'classes.view'],
} as const satisfies Record<string, readonly Permission[]>

/** Whether a permission is about the platform: a role that holds one is granted for all classes only. */
export function isOfPlatform(permission: string): boolean {
  return permission.startsWith('users.') || permission.startsWith('roles.')
}
