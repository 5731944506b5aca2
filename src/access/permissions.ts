/** Who holds a permission from the start; an administrator holds each. */
type BuiltIn = 'registrar' | 'viewer'

interface Meaning {
  /** The sentence that tells an administrator what it allows. */
  readonly allows: string
  /** The built-in roles that hold it besides `administrator`. */
  readonly heldBy: readonly BuiltIn[]
  /** Whether it is about the platform: a role that holds one is granted for all classes only. */
  readonly forAllClasses: boolean
}

const ofClasses = (allows: string, ...heldBy: BuiltIn[]) => ({ allows, heldBy, forAllClasses: false })
const ofPlatform = (allows: string) => ({ allows, heldBy: [], forAllClasses: true })

/** Every permission there is: what it allows, which built-in roles hold it, and whether it is for all classes only. */
export const permissionTable = {
  'students.view': ofClasses('List, search and read student records', 'registrar', 'viewer'),
  'students.create': ofClasses('Create student records', 'registrar'),
  'students.update': ofClasses('Correct student records, and move students to another class', 'registrar'),
  'students.sensitive': ofClasses(
    'See and set date of birth, gender, e-mail address, address, guardians and notes of students',
    'registrar',
  ),
  'students.export': ofClasses('Export the student records that one may see as files', 'registrar'),
  'students.import': ofClasses('Import files of student records, and undo that', 'registrar'),
  'classes.view': ofClasses('List and read classes', 'registrar', 'viewer'),
  'classes.manage': ofClasses('Create, rename, order, archive and delete classes', 'registrar'),
  'users.view': ofPlatform('List and read accounts'),
  'users.manage': ofPlatform('Create and change accounts, end their sessions, and grant them roles'),
  'roles.manage': ofPlatform('List, create, change and delete roles'),
  'lists.manage': ofClasses('Make, change and delete named lists of students', 'registrar'),
  'fields.manage': ofPlatform("Make, change, archive and delete the school's own fields"),
  'school.manage': ofPlatform("Change the school's name, address, time zone and order of names"),
  'audit.view': ofPlatform('Read the log of all changes'),
} as const satisfies Record<string, Meaning>

export type Permission = keyof typeof permissionTable

export const permissions = Object.keys(permissionTable) as Permission[]

const heldBy = (role: BuiltIn) =>
  permissions.filter((permission) =>
    (permissionTable[permission].heldBy as readonly BuiltIn[]).includes(role),
  )

/** The roles that every platform has, and what they hold. The migrations write them; a test compares. */
export const builtInRoles: Readonly<Record<'administrator' | BuiltIn, readonly Permission[]>> = {
  administrator: permissions,
  registrar: heldBy('registrar'),
  viewer: heldBy('viewer'),
}

/** Whether a permission is about the platform: a role that holds one is granted for all classes only. */
export function isOfPlatform(permission: string): boolean {
  return permission in permissionTable && permissionTable[permission as Permission].forAllClasses
}
