// Runs in a browser.
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'

const office = 'office@school.example'

describe('rows of a file that stand twice, or have a number that nobody has', needsChromium, () => {
  let window: Window
  before(async () => {
    const { server, token } = await startServerWith({ [office]: 'registrar' })
    const student = { name: 'Ada One', admission_number: 'S-10001', class_id: 1 }
    await makeAt(server, token, '/api/students', student)
    window = await openWindow(server)
    window.page.setDefaultTimeout(20_000)
    window.page.on('dialog', (dialog) => void dialog.accept())
    await signIn(window, office, password)
  })
  const { button, seen } = partsOf(() => window)
  const paste = async (...rows: string[]) => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page.getByLabel('Or paste the rows, with their headings').fill(rows.join('\n'))
    await button('Read the file').click()
  }
  const choose = (row: number, choice: string) =>
    window.page
      .getByRole('group', { name: new RegExp(`^Row ${row}`) })
      .getByLabel(choice)
      .check()
  const tab = (name: RegExp) => window.page.getByRole('link', { name }).click()

  it('say that nobody has the number, and what a new child would need', async () => {
    await paste('Admission number;Gender', 'S-10001;f', 'S-99999;f', 'S-99998;m', 'S-99997;m')
    await window.page.getByLabel(/^None: known students/).check()
    await button('Continue').click()
    await tab(/3 not possible/)
    await seen('Number: No student has this number. A new one needs a name and a class')
    await window.page.getByLabel('Group equal rows').uncheck()
    await seen('Number: No student has the number S-99999. A new one needs a name and a class')
  })

  it('say that neither is imported where both are left out, before the import', async () => {
    await paste('Name;Admission number;Class;Date of birth', ...twins)
    await choose(3, 'Leave this row out')
    await choose(4, 'Leave this row out')
    await button('Check again with 2 choices').click()
    await seen('2 rows, the first of them row 3, are left out')
    await assertAccessible(window, 'twins that are left out')
    await tab(/^− left out$/)
    await seen('left out by your choice. Row 4 may be the same child. Neither row is imported.')
  })

  it('say that one row can have a number, before and after both were chosen for it', async () => {
    await paste(
      'Name;Admission number;Class',
      'One Child;n-1;Class 1',
      'Other Child;n-1;Class 1',
      'Cy;n-2;Class 1',
    )
    await seen('Choose one row for the number, and leave the other out.')
    await choose(2, 'Import this row with the number')
    await choose(3, 'Import this row with the number')
    await button('Check again with 2 choices').click()
    await tab(/2 not possible/)
    await seen('It stands in row 3 of the sent file too. Only one row can have it. Correct it in the file')
    await seen('A new child × Number: It stands in row 3')
  })

  it('are told to be so many where they have no number, and what comes of them', async () => {
    await paste(
      'Name;Admission number;Class',
      'New One;;Class 1',
      'New Two;;Class 1',
      'New Three;S-10002;Class 1',
    )
    await tab(/^Answer: In 2 rows of the file there is no number\./)
    await seen(/^Then .S-10004., .S-10005. …$/)
    await assertAccessible(window, 'the first number')
    await button('Skip: new students without a number are not imported').click()
    await button('Import 1 row').waitFor()
  })
})

const twins = [
  'Single Child;t-0;Class 1;2014-03-01',
  'Tom Twin;t-1;Class 1;2014-03-09',
  'Tom Twin;t-2;Class 1;2014-03-09',
]
