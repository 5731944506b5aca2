import { write } from '../../src/events/write.ts'
import type { StateChange } from '../../src/imports/states.ts'
import { byTest } from '../school.ts'
import { august } from './pupils.ts'
import type { Chapter, Scene } from './state.ts'

async function send(scene: Scene): Promise<void> {
  await scene.open('/imports', 'Read the file')
  const buffer = Buffer.from(august)
  await scene.field('File').setInputFiles({ name: 'Pupils August.csv', mimeType: 'text/csv', buffer })
  await scene.button('Read the file').click()
  await scene.seen('Question 1')
}

async function toClass(scene: Scene): Promise<void> {
  await send(scene)
  await scene.field('Nothing: leave the column out').check()
  await scene.button('Continue').click()
  await scene.seen(/No class that you see is called/)
}

async function check(scene: Scene): Promise<void> {
  await toClass(scene)
  await scene.page.getByLabel('Another class').selectOption({ label: 'Class 1' })
  await scene.button('Continue').click()
  await scene.seen('Nothing has been written yet.')
  await scene.seen('Another child') // the rows come after it
}

const tab = ({ page }: Scene, name: RegExp) => page.getByRole('link', { name }).click()

async function apply(scene: Scene): Promise<void> {
  await check(scene)
  await scene.field('Another child').check()
  await scene.button('Check again with 1 choice').click()
  await scene.seen('Your choices are in.')
  await scene.page.getByRole('button', { name: /^Import \d rows$/ }).click()
  await scene.seen('Take back')
}

/** Leaves an import as another instance would that is at work on it, or was. */
async function leave({ opened: { school } }: Scene, state: string, change: StateChange = {}): Promise<void> {
  const held = { leased_by: 'another', leased_until: '2026-09-02T00:00:00.000Z', done: 300, total: 800 }
  const { failure = null } = change
  const unplanned = state === 'failed' ? { counts: null } : {}
  await write(school.db, byTest, async (db) => {
    await db
      .updateTable('imports')
      .set({ state, ...held, ...unplanned, failure: failure && JSON.stringify(failure) } as object)
      .execute()
  })
}

async function paste(scene: Scene, rows: string): Promise<void> {
  await scene.open('/imports', 'Read the file')
  await scene.field('Or paste the rows, with their headings').fill(rows)
  await scene.button('Read the file').click()
}

/** Importing a list. */
export const imports: Chapter = {
  title: 'Import',
  states: [
    {
      name: 'import',
      shows: 'The file',
      who: 'office',
      reach: (scene) => scene.open('/imports', 'No imports yet.'),
    },
    {
      name: 'import-no-file',
      shows: 'No file was chosen',
      who: 'office',
      async reach(scene) {
        await scene.open('/imports', 'Read the file')
        await scene.button('Read the file').click()
        await scene.seen('Choose a file, or paste rows.')
      },
    },
    { name: 'import-question', shows: 'A question on a column', who: 'office', reach: send },
    {
      name: 'import-unanswered',
      shows: 'A question without an answer',
      who: 'office',
      async reach(scene) {
        await send(scene)
        await scene.button('Continue').click()
        await scene.seen('Choose one.')
      },
    },
    { name: 'import-question-class', shows: 'A question on a class', who: 'office', reach: toClass },
    {
      name: 'import-check',
      shows: 'What would change, and who may be there already',
      who: 'office',
      reach: check,
    },
    {
      name: 'import-check-columns',
      shows: 'What each column means, and could mean',
      who: 'office',
      async reach(scene) {
        await check(scene)
        await scene.page.getByText(/What each column means/).click()
        await scene.button('Check again with these columns').waitFor()
      },
    },
    {
      name: 'import-check-choice',
      shows: 'A row that needs a choice first',
      who: 'office',
      async reach(scene) {
        await check(scene)
        await scene.button('Go to the choices').click()
        await scene.seen('1 row needs a choice')
      },
    },
    {
      name: 'import-check-changed',
      shows: 'The changed rows, before and after',
      who: 'office',
      async reach(scene) {
        await check(scene)
        await tab(scene, /changed/)
        await scene.seen('Björn Weiß')
      },
    },
    {
      name: 'import-check-refused',
      shows: 'The rows that are not possible',
      who: 'office',
      async reach(scene) {
        await check(scene)
        await tab(scene, /^\D*\d+ not possible/)
        await scene.seen(/99\.99\.2019/)
      },
    },
    {
      name: 'import-check-warnings',
      shows: 'What is seldom meant is said above the rows',
      who: 'office',
      async reach(scene) {
        const known = [1, 2, 3].map((i) => `2026-000${i}\t\tClass ${i}\t13.0${i}.2012`)
        const others = [
          '2026-0004\tTim Sommer\tClass 4\t13.02.2012',
          '2026-9999\tTotal 5\tClass 1\t13.01.1912',
        ]
        await paste(scene, ['Admission number\tName\tClass\tDate of birth', ...known, ...others].join('\n'))
        await scene.seen(/another date of birth than the record has/)
      },
    },
    {
      name: 'import-outdated',
      shows: 'Records changed meanwhile',
      who: 'office',
      async reach(scene) {
        await check(scene)
        await scene.field('Another child').check()
        await scene.button('Check again with 1 choice').click()
        await scene.seen('Your choices are in.')
        await scene.change('/api/students/6', { preferred_name: 'Bibi' })
        await scene.page.getByRole('button', { name: /^Import \d rows$/ }).click()
        await scene.seen(/Records changed meanwhile/)
      },
    },
    {
      name: 'import-confirm',
      shows: 'Many changes: how many is typed',
      who: 'office',
      async reach(scene) {
        const numbers = Array.from({ length: 60 }, (_, i) => `2026-${String(i + 1).padStart(4, '0')}`)
        await paste(scene, ['Admission number\tClass', ...numbers.map((one) => `${one}\tClass 9`)].join('\n'))
        await scene.seen('60 rows')
        await scene.button('Import 60 rows').click()
        await scene.seen('This changes 60 students')
      },
    },
    {
      name: 'import-reading',
      shows: 'A file is read',
      who: 'office',
      async reach(scene) {
        await check(scene)
        await leave(scene, 'reading')
        await scene.page.reload()
        await scene.seen(/You may close this page/)
      },
    },
    {
      name: 'import-running',
      shows: 'It is written: one may close the page',
      who: 'office',
      async reach(scene) {
        await check(scene)
        await leave(scene, 'applying')
        await scene.page.reload()
        await scene.seen(/You may close this page/)
      },
    },
    {
      name: 'import-failed',
      shows: 'It failed, and nothing was kept',
      who: 'office',
      async reach(scene) {
        await check(scene)
        const failure = { code: 'internal_error', detail: 'The server could not finish the import.' }
        await leave(scene, 'failed', { failure } as StateChange)
        await scene.page.reload()
        await scene.seen('Nothing of it was kept.')
      },
    },
    {
      name: 'import-not-possible',
      shows: 'A file that cannot be imported',
      who: 'office',
      async reach(scene) {
        await paste(scene, 'Name\tAdmission number\tClass')
        await scene.seen('This file cannot be imported.')
      },
    },
    { name: 'import-done', shows: 'It is done, and can be taken back', who: 'office', reach: apply },
    {
      name: 'import-taken-back',
      shows: 'It was taken back, but for what was changed since',
      who: 'office',
      async reach(scene) {
        await apply(scene)
        await scene.change('/api/students/6', { class_id: 8 })
        scene.page.once('dialog', (question) => void question.accept())
        await scene.button('Take back').click()
        await scene.seen('The import was taken back.')
        await scene.seen('This stays, since it was changed afterwards')
      },
    },
    {
      name: 'import-discarded',
      shows: 'It was discarded',
      who: 'office',
      async reach(scene) {
        await check(scene)
        scene.page.once('dialog', (question) => void question.accept())
        await scene.button('Discard').click()
        await scene.seen('Nothing was written, and the file is not kept.')
      },
    },
    {
      name: 'imports-past',
      shows: 'Past imports',
      who: 'office',
      async reach(scene) {
        await apply(scene)
        await scene.link('All imports').click()
        await scene.page.getByRole('row', { name: /Pupils August/ }).waitFor()
      },
    },
  ],
}
