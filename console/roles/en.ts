import { plural } from '../language/plurals.ts'

/** The texts of the roles. The other languages have the type of this one. */
export const en = {
  count: (count: number) => plural.en(count, { one: '# role', other: '# roles' }),
  table: 'What each role allows',
  permission: 'Permission',
  builtIn: 'Built in',
  builtInText: 'This role is built in and stays as it is. Make a role of your own that begins with the same.',
  own: 'The school’s own',
  heldBy: 'Held by',
  holders: (count: number) => plural.en(count, { one: '# account', other: '# accounts' }),
  holdersOf: (role: string, count: number) =>
    plural.en(count, { one: `# account holds ${role}`, other: `# accounts hold ${role}` }),
  yes: 'Yes',
  no: 'No',
  allClasses: 'For all classes only',
  add: 'New role',
  teacher: 'Class teacher',
  addLike: 'New role like this one',
  make: 'Make the role',
  wasMade: (name: string) => `The role ${name} is made.`,
  name: 'Name of the role',
  allows: 'What it allows',
  allowsHint: 'A change takes effect at once, for everybody who holds the role.',
  notYours: 'You do not hold this yourself, so you cannot give it',
  exceeds: 'This role allows more than you may do yourself, so you cannot change it.',
  remove: 'Delete the role',
  removeText: 'The role is gone for good: this cannot be undone.',
  wasRemoved: (name: string) => `The role ${name} is deleted.`,
  stillHeld: (count: number) =>
    plural.en(count, {
      one: '# account holds this role. Take it from that account before you delete it.',
      other: '# accounts hold this role. Take it from them before you delete it.',
    }),
  notThere: 'This role is not there, or you may not see it.',
  back: 'Back to the roles',
  problems: {
    role_name_taken: 'Another role is called this.',
    role_built_in: 'This role is built in and stays as it is.',
    role_in_use: 'Accounts hold this role. Take it from them first.',
    exceeds_own_permissions:
      'A role may allow at most what you may do yourself, for all classes, before the change and after.',
  },
  groups: {
    students: 'Students',
    classes: 'Classes',
    accounts: 'Accounts and roles',
    school: 'School',
  },
  permissions: {
    'students.view': 'See students: list, search and read',
    'students.create': 'Enter new students',
    'students.update': 'Change students, and move them to another class',
    'students.sensitive': 'See and change birth date, gender, e-mail, address, guardians and notes',
    'students.export': 'Save lists of students as files',
    'students.import': 'Import lists of students, and take them back',
    'classes.view': 'See classes',
    'classes.manage': 'Make, rename, order, archive and remove classes',
    'users.view': 'See accounts',
    'users.manage': 'Make and change accounts, block them, and give them roles',
    'roles.manage': 'Make, change and delete roles; see “About”',
    'lists.manage': 'Make, change and delete named lists',
    'fields.manage': 'Make, change, archive and delete the school’s own fields',
    'school.manage': 'Change the school’s name, address, time zone and order of names',
    'audit.view': 'Read the log of all changes',
  },
}

export type RoleTexts = typeof en
