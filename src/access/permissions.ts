/** Every permission there is, each with the sentence that tells an administrator what it allows. */
export const permissionTable = {
  'students.view': 'List, search and read student records',
  'students.create': 'Create student records',
} as const

export type Permission = keyof typeof permissionTable

export const permissions = Object.keys(permissionTable) as Permission[]

/** The roles that every platform has, and what they hold. The migrations write them; a test compares. */
export const builtInRoles = {
  administrator: permissions,
  registrar: ['students.view', 'students.create'],
  viewer: ['students.view'],
} as const satisfies Record<string, readonly Permission[]>
