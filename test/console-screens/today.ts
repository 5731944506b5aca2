import { sendAugust } from './schools.ts'
import type { Chapter, Scene } from './state.ts'

/** Opens it, and waits until all is counted. */
async function open(scene: Scene, until: string): Promise<void> {
  await scene.open('/today', until)
  await scene.page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
}

/** What one begins with, and the children who may be one. */
export const today: Chapter = {
  title: 'Today',
  states: [
    {
      name: 'today',
      shows: 'Today: students by class, and what is to be looked at',
      who: 'office',
      reach: (scene) => open(scene, '64 students'),
    },
    {
      name: 'today-viewer',
      shows: 'Today, for who sees one class',
      who: 'teacher',
      reach: (scene) => open(scene, 'You have changed nothing yet.'),
    },
    {
      name: 'today-empty',
      shows: 'Today, in a register without students',
      school: 'empty',
      who: 'office',
      reach: (scene) => open(scene, 'There are no students yet.'),
    },
    {
      name: 'today-import',
      shows: 'Today, with an import that waits',
      who: 'office',
      async reach({ opened: { school }, open, page, seen }) {
        const { token } = (await school.login('mehmet.kaya@school.example')).body.data
        await sendAugust(school, token)
        await school.app.importJobs.idle()
        await open('/students', '64 students')
        await open('/today', 'Unfinished imports')
        await page.getByRole('link', { name: 'Unfinished imports 1' }).waitFor()
        await seen('Possible doubles')
      },
    },
    {
      name: 'today-failed',
      shows: 'Today, where something could not be counted',
      who: 'office',
      async reach({ fail, open, page, seen }) {
        await fail('**/api/doubles?*', 'internal_error', 500)
        await open('/students', '64 students')
        await page.reload()
        await open('/today', 'Request r-17')
        await seen('Without a date of birth')
      },
    },
    {
      name: 'today-many',
      shows: 'Today, with three hundred classes',
      school: 'long',
      who: 'head',
      reach: (scene) => open(scene, '2 students'),
    },
    {
      name: 'doubles',
      shows: 'Children who may be one, beside each other',
      who: 'office',
      opens: ['/doubles', 'The same name and date of birth'],
    },
    {
      name: 'doubles-none',
      shows: 'No two children look like one',
      school: 'empty',
      who: 'office',
      opens: ['/doubles', 'No two children look like one.'],
    },
    {
      name: 'doubles-settled',
      shows: 'A pair was told apart, which can be undone',
      who: 'office',
      opens: ['/doubles', 'The same name and date of birth'],
      async reach({ button, seen }) {
        await button('Two children').click()
        await seen(/are two children/)
      },
    },
    {
      name: 'doubles-failed',
      shows: 'A pair could not be told apart',
      who: 'office',
      opens: ['/doubles', 'The same name and date of birth'],
      async reach({ fail, button, seen }) {
        await fail('**/api/doubles/*/*', 'internal_error', 500)
        await button('Two children').click()
        await seen('Request r-17')
      },
    },
  ],
}
