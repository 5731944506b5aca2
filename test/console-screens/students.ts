import { password } from '../school.ts'
import type { Chapter, Scene } from './state.ts'

const noHits = 'No student fits this.'

async function filterBy({ page, button }: Scene, ...typed: string[]): Promise<void> {
  await button('+ Filter').click()
  for (const one of typed) {
    await page.getByRole('combobox', { name: 'Class, field or value' }).fill(one)
    await page.keyboard.press('Enter')
    await page
      .locator('.chip')
      .filter({ hasText: new RegExp(one.split(' ')[0]!, 'i') })
      .first()
      .waitFor()
  }
}

const menu = ({ page }: Scene, name: string) => page.locator('summary').filter({ hasText: name }).click()

/** Locks the console as if nobody had been here for long. */
async function lock({ page, seen }: Scene): Promise<void> {
  await page.evaluate("localStorage.setItem('registrar.used', '1')")
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await seen(/Your session is over/)
}

/** Signing in, and what may be in the way of it. */
export const signingIn: Chapter = {
  title: 'Signing in',
  states: [
    { name: 'sign-in', shows: 'Sign in' },
    {
      name: 'sign-in-wrong',
      shows: 'Sign in, with a wrong password',
      async reach({ field, page, seen }) {
        await field('E-mail address').fill('anna.berg@school.example')
        await field('Password').fill('not the password')
        await page.keyboard.press('Enter')
        await seen('Wrong e-mail address or password.')
      },
    },
    {
      name: 'sign-in-wait',
      shows: 'Sign in, after too many attempts',
      async reach({ field, page, seen, fail }) {
        await fail('**/api/auth/cookie', 'too_many_attempts', 429)
        await field('E-mail address').fill('anna.berg@school.example')
        await field('Password').fill('not the password')
        await page.keyboard.press('Enter')
        await seen('Too many attempts. Wait a little.')
      },
    },
    {
      name: 'sign-in-too-old',
      shows: 'Sign in, in a browser that is too old',
      async reach({ field, page, seen, fail }) {
        await fail('**/api/auth/cookie', 'cross_origin', 403)
        await field('E-mail address').fill('anna.berg@school.example')
        await field('Password').fill('not the password')
        await page.keyboard.press('Enter')
        await seen(/this browser is too old/)
      },
    },
    {
      name: 'needs-https',
      shows: 'Opened over plain HTTP from another machine',
      host: 'school.example',
      reach: ({ seen }) => seen('This page needs HTTPS'),
    },
    {
      name: 'first-account',
      shows: 'First account, on the server’s own machine',
      school: 'new',
      reach: ({ seen }) => seen('Make the first account'),
    },
    {
      name: 'first-account-refused',
      shows: 'First account, with a short password',
      school: 'new',
      async reach({ field, page, seen }) {
        await field('Your name').fill('Anna Berg')
        await field('E-mail address').fill('anna.berg@school.example')
        await field('Password').fill('short')
        await page.keyboard.press('Enter')
        await seen('1 field needs a look')
      },
    },
    {
      name: 'first-password',
      shows: 'First password, where an administrator set it',
      async reach({ opened: { school }, field, page, seen }) {
        const as = await school.person('administrator')
        const { id, email } = await school.person('viewer')
        const body = { password: 'given by the office' }
        await school.send('PUT', `/api/users/${id}/password`, { as, body, headers: { 'if-match': '*' } })
        await field('E-mail address').fill(email)
        await field('Password').fill(body.password)
        await page.keyboard.press('Enter')
        await seen('Choose a password')
      },
    },
    {
      name: 'no-role',
      shows: 'An account without a role',
      who: 'nobody',
      reach: ({ seen }) => seen(/no role yet/),
    },
    {
      name: 'unreachable',
      shows: 'The server fails when the console is opened',
      async reach({ page, seen, fail }) {
        await fail('**/api/auth/me', 'internal_error', 500)
        await page.reload()
        await seen('This could not be loaded.')
      },
    },
    {
      name: 'session-over',
      shows: 'A session that ended in the middle of a form: the page is emptied',
      who: 'office',
      async reach({ opened: { school }, open, button, field, save, seen }) {
        await open('/students/1', 'Guardians')
        await button('Edit: Child').click()
        await field('Called').fill('Countess')
        const as = await school.person('administrator')
        const { body } = await school.get('/api/users?search=mehmet', as)
        await school.send('DELETE', `/api/users/${body.data[0].id}/sessions`, { as })
        await save()
        await seen(/Your session is over/)
      },
    },
    {
      name: 'locked',
      shows: 'Locked, since nobody was here for twenty minutes',
      who: 'office',
      reach: lock,
    },
    {
      name: 'session-back',
      shows: 'The same person has signed in again: what was typed is there',
      who: 'office',
      opens: ['/students/1', 'Guardians'],
      async reach(scene) {
        await scene.button('Edit: Child').click()
        await scene.field('Called').fill('Countess')
        await lock(scene)
        await scene.field('Password').fill(password)
        await scene.page.keyboard.press('Enter')
        await scene.button('Save').waitFor()
      },
    },
  ],
}

/** The list of students. */
export const studentList: Chapter = {
  title: 'Students',
  states: [
    {
      name: 'students',
      shows: 'The list',
      who: 'office',
      opens: ['/students', '64 students'],
    },
    {
      name: 'students-viewer',
      shows: 'The list of who sees one class, and nothing that is sensitive',
      who: 'teacher',
      opens: ['/students', /^\d+ students$/],
    },
    {
      name: 'students-empty',
      shows: 'A register without students',
      school: 'empty',
      who: 'office',
      opens: ['/students', 'There are no students yet.'],
    },
    {
      name: 'students-search',
      shows: 'A search while one types',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach({ page, seen }) {
        await page.getByRole('searchbox').fill('anna')
        await seen(/^\d students?$/)
      },
    },
    {
      name: 'students-guardian',
      shows: 'A search that finds a guardian’s phone',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach({ page, seen }) {
        await page.getByRole('searchbox').fill('901820')
        await seen(/by a guardian/)
      },
    },
    {
      name: 'students-filtered',
      shows: 'Filters, in words that one can take away',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach(scene) {
        await filterBy(scene, 'class 4', 'class 5', 'bus 3')
        await scene.page.keyboard.press('Escape')
        await scene.page.keyboard.press('Escape')
      },
    },
    {
      name: 'students-adding-filter',
      covered: 'main table, .lists, .pages',
      shows: 'A filter is chosen',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach({ button, page }) {
        await button('+ Filter').click()
        await page.locator('[role=option]').first().waitFor()
      },
    },
    {
      name: 'students-filter-day',
      covered: 'main table, .lists, .pages',
      shows: 'A filter by day, and what is wrong with it',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach({ button, page, field, seen }) {
        await button('+ Filter').click()
        await page.getByRole('combobox', { name: 'Class, field or value' }).fill('born from')
        await page.keyboard.press('Enter')
        await field('Born from …').fill('32/1/2014')
        await page.keyboard.press('Enter')
        await seen('This cannot be read.')
      },
    },
    {
      name: 'students-no-hits',
      shows: 'Nobody fits: the filters in words, and the ways out',
      who: 'office',
      opens: ['/students?class=5&search=nobody&fields.bus=3', noHits],
    },
    {
      name: 'students-columns',
      covered: 'main table, .lists, .pages',
      shows: 'The columns are chosen',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach(scene) {
        await menu(scene, 'Columns')
        await scene.seen('The usual columns')
      },
    },
    {
      name: 'students-export',
      covered: 'main table, .lists, .pages',
      shows: 'The list as a file',
      who: 'office',
      opens: ['/students?class=5', /^\d+ students$/],
      async reach(scene) {
        await menu(scene, 'Export')
        await scene.seen('CSV')
      },
    },
    {
      name: 'students-export-failed',
      covered: 'main table, .lists, .pages',
      shows: 'The file failed',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach(scene) {
        await scene.fail('**/api/students.xlsx?*', 'overloaded', 503)
        await menu(scene, 'Export')
        await scene.link('Excel (XLSX)').click()
        await scene.seen('Request r-17')
      },
    },
    {
      name: 'students-named-list',
      shows: 'A named list, changed',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach({ link, button, seen }) {
        await link('Photo day').click()
        await seen(/^\d students$/)
        await button('Number').click()
        await seen(/changed/)
      },
    },
    {
      name: 'students-save-list',
      shows: 'A list is kept under a name',
      who: 'office',
      opens: ['/students?class=5', /^\d+ students$/],
      async reach({ button, field, save, page }) {
        await button('Save this list').click()
        await field('Name of the list').fill('')
        await save()
        await page.locator('.fault').waitFor()
      },
    },
    {
      name: 'students-failed',
      shows: 'A search failed: what was there stays',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach({ fail, page, seen }) {
        await fail('**/api/students?*', 'internal_error', 500)
        await page.getByRole('searchbox').fill('two')
        await seen('Request r-17')
      },
    },
    {
      name: 'students-offline',
      shows: 'No connection: reading goes on',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach({ page, seen }) {
        await page.context().setOffline(true)
        await page.getByRole('searchbox').fill('two')
        await seen(/^No connection/)
      },
    },
    {
      name: 'students-long',
      shows: 'A name of 255 characters without a space',
      school: 'long',
      who: 'head',
      opens: ['/students', '2 students'],
    },
    {
      name: 'students-long-columns',
      covered: 'main table, .lists, .pages',
      shows: 'Forty own fields to choose from',
      school: 'long',
      who: 'head',
      opens: ['/students', '2 students'],
      async reach(scene) {
        await menu(scene, 'Columns')
        await scene.seen('The usual columns')
      },
    },
    {
      name: 'students-many-classes',
      covered: 'main table, .lists, .pages',
      shows: 'Three hundred classes to choose from',
      school: 'long',
      who: 'head',
      opens: ['/students', '2 students'],
      async reach({ button, page }) {
        await button('+ Filter').click()
        await page.getByRole('combobox', { name: 'Class, field or value' }).fill('13')
        await page.locator('[role=option]').first().waitFor()
      },
    },
    {
      name: 'keys',
      covered: 'main table, .lists, .pages',
      shows: 'The keys',
      who: 'office',
      opens: ['/students', '64 students'],
      async reach({ page, seen }) {
        await page.keyboard.press('?')
        await seen('Move among the names')
      },
    },
  ],
}
