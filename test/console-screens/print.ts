import type { Chapter, Scene } from './state.ts'

async function print({ open, page }: Scene, query: string): Promise<void> {
  await open(`/print?${query}`, /^Print$/)
  await page.locator('button.primary[aria-disabled=false]').waitFor()
}

/** What an office prints. */
export const printing: Chapter = {
  title: 'Print',
  states: [
    {
      name: 'print-list',
      shows: 'A list, as it is printed',
      who: 'office',
      reach: (scene) =>
        print(scene, 'as=list&class=5&sort=name&columns=name,admission_number,date_of_birth,guardians'),
    },
    {
      name: 'print-ticks',
      shows: 'With boxes to tick, and empty columns',
      who: 'office',
      async reach(scene) {
        await print(scene, 'as=list&class=5&sort=name&columns=name')
        await scene.field('Boxes to tick').selectOption('5')
        await scene.field('Empty columns').selectOption('2')
        await scene.field('Their heads').fill('Mon, Tue, Wed, Thu, Fri, Trip')
        await scene.field('Title').fill('Swimming')
        await scene.page.keyboard.press('Tab')
        await scene.page.getByRole('table', { name: 'Swimming' }).waitFor()
      },
    },
    {
      name: 'print-classes',
      shows: 'All classes, one page each',
      who: 'office',
      async reach(scene) {
        await scene.open('/today', '64 students')
        await scene.link('Print all classes').click()
        await scene.page.locator('button.primary[aria-disabled=false]').waitFor()
      },
    },
    { name: 'print-photo', shows: 'Photo day', who: 'office', reach: (scene) => print(scene, 'as=photo') },
    {
      name: 'print-record',
      shows: 'One record',
      who: 'office',
      async reach(scene) {
        await scene.open('/students/1', 'History')
        await scene.page.locator('summary').filter({ hasText: 'Print' }).click()
        await scene.link('Record').click()
        await scene.page.locator('button.primary[aria-disabled=false]').waitFor()
      },
    },
    {
      name: 'print-enrolment',
      shows: 'A confirmation of enrolment',
      who: 'office',
      async reach(scene) {
        await scene.open('/students/1', 'History')
        await scene.page.locator('summary').filter({ hasText: 'Print' }).click()
        await scene.link('Record').click()
        await scene.field('What').selectOption('Confirmation of enrolment')
        await scene.seen('We confirm')
      },
    },
    {
      name: 'print-failed',
      shows: 'What is to be printed could not be read',
      who: 'office',
      async reach(scene) {
        await scene.fail('**/api/students?*', 'overloaded', 503)
        await scene.open('/print?as=list&sort=name&columns=name', 'Request r-17')
      },
    },
  ],
}
