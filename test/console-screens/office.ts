import type { Chapter, Scene } from './state.ts'

const classes = ['/classes', /^\d+ classes$/] as const

/** Classes, the school's own fields, and what the school says of itself. */
export const school: Chapter = {
  title: 'Classes, fields, school',
  states: [
    { name: 'classes', shows: 'The classes', who: 'office', opens: classes },
    {
      name: 'classes-viewer',
      shows: 'The classes of who may not change them',
      who: 'teacher',
      opens: ['/classes', 'Class 5'],
    },
    {
      name: 'classes-new',
      shows: 'Several classes at once, one of them refused',
      who: 'office',
      opens: classes,
      async reach(scene) {
        await scene.button('New classes').click()
        await scene.field('Names of the new classes').fill('5A\nclass 5\n10C')
        await scene.save()
        await scene.seen(/These were not made/)
      },
    },
    {
      name: 'classes-rename',
      shows: 'A class that somebody else renamed meanwhile',
      who: 'office',
      opens: classes,
      async reach(scene) {
        await scene.button('Rename: Class 5').click()
        await scene.field('Name of the class').fill('5 Beech')
        await scene.change('/api/classes/5', { label: '5 Birch' })
        await scene.save()
        await scene.seen('Somebody else changed this')
      },
    },
    {
      name: 'classes-order',
      shows: 'The order of the classes',
      who: 'office',
      opens: classes,
      async reach(scene) {
        await scene.button('Order').click()
        await scene.button('Order by name').waitFor()
      },
    },
    { name: 'classes-many', shows: 'Three hundred classes', school: 'long', who: 'head', opens: classes },
    {
      name: 'fields',
      shows: 'The school’s own fields',
      who: 'head',
      opens: ['/fields', '4 fields'],
    },
    {
      name: 'fields-none',
      shows: 'No own fields yet',
      school: 'empty',
      who: 'head',
      opens: ['/fields', 'no fields of its own yet'],
    },
    {
      name: 'fields-many',
      shows: 'Forty own fields',
      school: 'long',
      who: 'head',
      opens: ['/fields', '40 fields'],
    },
    {
      name: 'fields-archived',
      shows: 'An archived field',
      who: 'head',
      async reach(scene) {
        await scene.change('/api/fields/2', { archived: true })
        await scene.open('/fields', 'Archived fields')
      },
    },
    {
      name: 'fields-order',
      shows: 'The order of the fields',
      who: 'head',
      opens: ['/fields', '4 fields'],
      async reach(scene) {
        await scene.button('Order').click()
        await scene.button('Order by name').waitFor()
      },
    },
    {
      name: 'field',
      shows: 'A field, and a choice that students have',
      who: 'head',
      opens: ['/fields/1', 'Kind and key cannot be changed.'],
      async reach(scene) {
        await scene.field('Choices').fill('Red\nGreen')
        await scene.save()
        await scene.seen(/so they stay/)
      },
    },
    {
      name: 'field-new',
      shows: 'A new field',
      who: 'head',
      opens: ['/fields/new', 'Make the field'],
      async reach(scene) {
        await scene.field('Kind').selectOption('several_of')
      },
    },
    {
      name: 'school',
      shows: 'What the school says of itself',
      who: 'head',
      opens: ['/school', 'Order of names'],
      reach: async (scene) => {
        await scene.page.locator('main form').waitFor()
      },
    },
    {
      name: 'school-faults',
      shows: 'A time zone that is none',
      who: 'head',
      opens: ['/school', 'Order of names'],
      async reach(scene) {
        await scene.field('Time zone').fill('Berlin')
        await scene.save()
        await scene.seen(/needs a look/)
      },
    },
  ],
}

async function fillAccount({ field }: Scene, role: string, classes: string): Promise<void> {
  await field('Name').fill('Mia Teacher')
  await field('E-mail address').fill('mia.teacher@school.example')
  await field(role).check()
  await field(classes).check()
}

/** Shows the same first password each time. */
async function samePassword({ page }: Scene): Promise<void> {
  await page.locator('.slip code').evaluate((code) => {
    code.textContent = 'kwjn-7r2p-xm4c-9hdt'
  })
}

/** Accounts and roles. */
export const accounts: Chapter = {
  title: 'Accounts and roles',
  states: [
    {
      name: 'accounts',
      shows: 'The accounts',
      who: 'head',
      opens: ['/accounts', '4 accounts'],
    },
    {
      name: 'accounts-none',
      shows: 'No account fits',
      who: 'head',
      opens: ['/accounts?search=nobody', 'No account fits this.'],
    },
    {
      name: 'account',
      shows: 'An account with its roles and classes',
      who: 'head',
      opens: ['/accounts/3', 'For these classes'],
    },
    {
      name: 'account-blocked',
      shows: 'A blocked account',
      who: 'head',
      opens: ['/accounts/3', 'For these classes'],
      async reach(scene) {
        await scene.button('Block sign-in').click()
        await scene.seen(/can no longer sign in/)
      },
    },
    {
      name: 'account-conflict',
      shows: 'An account that somebody else changed meanwhile',
      who: 'head',
      opens: ['/accounts/3', 'For these classes'],
      async reach(scene) {
        await scene.field('Name').fill('Søren Lind-Kaya')
        await scene.change('/api/users/3', { name: 'Sören Lind' })
        await scene.save()
        await scene.seen('Somebody else changed this')
      },
    },
    {
      name: 'account-new-password',
      shows: 'Before a new first password',
      who: 'head',
      opens: ['/accounts/3', 'For these classes'],
      async reach(scene) {
        await scene.button('New first password').click()
        await scene.seen(/The present password stops working/)
      },
    },
    {
      name: 'account-new',
      shows: 'A new account, with what is missing',
      who: 'head',
      opens: ['/accounts/new', 'Make the account'],
      async reach(scene) {
        await fillAccount(scene, 'Viewer', 'For these classes')
        await scene.save()
        await scene.seen('Choose one class at least.')
      },
    },
    {
      name: 'account-slip',
      shows: 'The first password, shown once',
      who: 'head',
      opens: ['/accounts/new', 'Make the account'],
      async reach(scene) {
        await fillAccount(scene, 'Registrar', 'For all classes')
        await scene.save()
        await samePassword(scene)
      },
    },
    {
      name: 'account-half-made',
      shows: 'An account whose roles could not be saved',
      who: 'head',
      opens: ['/accounts/new', 'Make the account'],
      async reach(scene) {
        await fillAccount(scene, 'Registrar', 'For all classes')
        await scene.fail('**/api/users/*/roles', 'overloaded', 503)
        await scene.save()
        await scene.seen(/its roles are not saved yet/)
        await samePassword(scene)
      },
    },
    {
      name: 'account-not-there',
      shows: 'No such account',
      who: 'head',
      opens: ['/accounts/999', 'This account is not there'],
    },
    {
      name: 'roles',
      shows: 'What each role allows',
      who: 'head',
      opens: ['/roles', 'Class teacher'],
    },
    {
      name: 'role-new',
      shows: 'A new role, called like another',
      who: 'head',
      opens: ['/roles/new', 'Make the role'],
      async reach(scene) {
        await scene.field('Name of the role').fill('viewer')
        await scene.save()
        await scene.seen(/needs a look/)
      },
    },
    {
      name: 'role-built-in',
      shows: 'A built-in role',
      who: 'head',
      opens: ['/roles/3', 'This role is built in'],
    },
    {
      name: 'role-delete',
      shows: 'Before a role is deleted',
      who: 'head',
      opens: ['/roles/4', 'What it allows'],
      async reach(scene) {
        await scene.button('Delete the role').click()
        await scene.seen(/cannot be undone/)
      },
    },
    {
      name: 'role-conflict',
      shows: 'A role that somebody else changed meanwhile',
      who: 'head',
      opens: ['/roles/4', 'What it allows'],
      async reach(scene) {
        await scene.field('Name of the role').fill('Form teacher')
        await scene.change('/api/roles/4', { name: 'Teacher' })
        await scene.save()
        await scene.seen('Somebody else changed this')
      },
    },
  ],
}

/** The log, the server, and one's own account. */
export const oneself: Chapter = {
  title: 'Log, server, own account',
  states: [
    {
      name: 'log',
      shows: 'The log',
      who: 'head',
      opens: ['/log', 'Load older changes'],
    },
    {
      name: 'log-own',
      shows: 'What one changed oneself',
      who: 'office',
      opens: ['/log', 'What you changed'],
    },
    {
      name: 'log-none',
      shows: 'No such change',
      who: 'head',
      opens: ['/log?record=role&action=removed', 'There is no such change.'],
    },
    {
      name: 'log-day',
      shows: 'A day that is none',
      who: 'head',
      opens: ['/log?record=student', 'Load older changes'],
      async reach(scene) {
        await scene.field('To the day').fill('not a day')
        await scene.page.keyboard.press('Enter')
        await scene.seen('This is no day.')
      },
    },
    {
      name: 'log-undone',
      shows: 'A change that was undone in part',
      who: 'head',
      async reach(scene) {
        await scene.change('/api/students/2', { preferred_name: 'Ally' })
        await scene.open('/log?record=student', 'Load older changes')
        const changed = scene.page.locator('.history > li').filter({ hasText: 'Mehmet Kaya' })
        await changed.first().getByRole('button', { name: 'Undo' }).click()
        await scene.seen('Undone in part: what was changed since stays.')
      },
    },
    {
      name: 'about',
      shows: 'The server',
      who: 'head',
      opens: ['/about', 'All is well.'],
    },
    {
      name: 'about-unsafe',
      shows: 'Settings of the server that are unsafe',
      who: 'head',
      async reach(scene) {
        await scene.page.setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.7' })
        await scene.open('/about', 'Set TRUST_PROXY')
      },
    },
    {
      name: 'own-account',
      shows: 'One’s own account',
      who: 'office',
      opens: ['/account', 'Where you are signed in'],
    },
    {
      name: 'own-account-faults',
      shows: 'A wrong password on the way to another',
      who: 'office',
      opens: ['/account', 'Where you are signed in'],
      async reach(scene) {
        await scene.field('Present password').fill('not it')
        await scene.field('New password').fill('another long enough password')
        await scene.save()
        await scene.seen('This is not your password.')
      },
    },
  ],
}
