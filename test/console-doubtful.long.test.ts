// Runs in a browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { call, changeAt, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

const children = [...Array(30).keys()].map((i) => ({
  name: `Child ${i}`,
  admission_number: `2026-${String(i).padStart(4, '0')}`,
  class_id: 5,
  date_of_birth: `2015-05-${String(i + 1).padStart(2, '0')}`,
}))

/** A file with their numbers as a spreadsheet writes them: each row is like one child in two ways, one like two. */
const again = [
  'Name;Admission number;Class;Date of birth',
  ...children
    .slice(1, 29)
    .map(
      ({ name, admission_number: number, date_of_birth: born }) =>
        `${name};${number.replace('-', '')};Class 6;${born}`,
    ),
].join('\n')

/** A file without numbers, of children who are all there; one of them is spelt in another way. */
const file = [
  'Name;Class;Date of birth;House',
  ...children.map(({ name, date_of_birth: born }) => `${name};Class 5;${born};Red`),
  'Chile 7;Class 5;2015-05-08;Red',
].join('\n')

describe('doubtful rows of an import in the console', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  const asked: string[] = []
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'administrator' }))
    for (const body of children) await makeAt(server, token, '/api/students', body)
    window = await openWindow(server, {}, 'localhost', '#/imports')
    window.page.setDefaultTimeout(10_000)
    window.page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await signIn(window, office, password)
  })
  const { seen, button, heading } = partsOf(() => window)
  const isInSight = async (button: Locator) => {
    const { y, height } = (await button.boundingBox())!
    return y >= 0 && y + height <= window.page.viewportSize()!.height
  }

  /** The rows that need a choice, once all of them are there. */
  const rowsToChoose = async (count: number): Promise<Locator[]> => {
    const rows = window.page.getByRole('group', { name: /^Row/ })
    await rows.nth(count - 1).waitFor()
    return rows.all()
  }

  it('are settled at once where each is plainly one child, and told by their number', async () => {
    const { page } = window
    await page.getByLabel('Or paste the rows, with their headings').fill(file)
    await button('Read the file').click()
    await seen(/What does the column .House. hold/)
    await page.getByLabel('A new field of the school’s own').check()
    await button('Continue').click()
    await seen(/Which number does the first of them get/)
    await button('Continue').click()
    await seen('31 rows need a choice')
    await seen('30 rows have the name and date of birth of exactly one student.')
    await assertAccessible(window, 'all the same, offered')
    await button('For all 30: same child').click()
    assert.match(await page.evaluate<string>('document.activeElement?.textContent ?? ""'), /^“Same child”/)
    await seen(/is chosen for 30 rows/)
    await seen('1 row needs a choice')
    assert.equal(await button('For all 30: same child').count(), 0)
    await assertAccessible(window, 'all the same, chosen')
  })

  it('are not left without a word once something is chosen', async () => {
    const { page } = window
    const today = page.getByRole('link', { name: 'Today', exact: true })
    await Promise.all([page.waitForEvent('dialog'), today.click()])
    await seen('1 row needs a choice')
    assert.equal(asked.length, 1)
  })

  it('can be chosen one by one afterwards, and are sent together', async () => {
    const { page } = window
    await page.getByRole('group', { name: 'Row 2 · Child 0' }).getByLabel('Leave the row out').check()
    await button('Go to the choices').click()
    await page
      .getByRole('group', { name: /Chile 7/ })
      .getByLabel('Another child')
      .check()
    await button('Check again with 31 choices').click()
    await seen('Your choices are in.')
    await page.getByRole('link', { name: /29 changed/ }).waitFor()
    await page.getByRole('link', { name: /1 left out/ }).waitFor()
    // The field is to be made: its key is `house`.
    await page.getByRole('table').getByText('House', { exact: true }).first().waitFor()
  })

  it('show what was chosen for them, and are asked about again by one press', async () => {
    const { page } = window
    const chosen = page.getByRole('region', { name: 'Your choices for rows' })
    await chosen.getByText(/^Row 2 · Child 0: Leave the row out/).waitFor()
    await chosen.getByText(/^Row 3 · Child 1: Same child as .Child 1.?, .?2026-0001.?, .?Class 5/).waitFor()
    await assertAccessible(window, 'what was chosen')
    await chosen.getByRole('button', { name: 'Change: Row 2', exact: true }).click()
    await seen('Your choice is taken back. If the row is asked about, choose anew.')
    await seen('1 row needs a choice')
    await chosen.getByText(/^Row 3 · /).waitFor()
    assert.equal(await chosen.getByText(/^Row 2 · /).count(), 0)
    await page
      .getByRole('group', { name: 'Row 2 · Child 0' })
      .getByLabel(/^Same child as .Child 0/)
      .check()
    await button('Check again with 1 choice').click()
    await page.getByRole('link', { name: /30 changed/ }).waitFor()
    await chosen.getByRole('button', { name: 'Next' }).click()
    await chosen.getByText(/^Row 32 · Chile 7: A new child/).waitFor()
  })

  it('show the field that the import made without a reload', async () => {
    const { page } = window
    await button('Import 31 rows').click()
    await seen('Take back')
    await page.evaluate("location.hash = '#/students/3'")
    await seen('House')
    const { body } = await call(server, 'GET', '/api/students/1', { token })
    assert.deepEqual(Object.values(body.data.fields), ['Red'], 'it is as it was chosen the second time')
    assert.equal(asked.length, 1)
  })

  it('are kept or left out each where two new ones have like numbers', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name;Admission number;Class\nAda One;0042;Class 1\nBo Two;42;Class 1')
    await button('Read the file').click()
    await seen('2 rows need a choice')
    await seen(
      /Row 3 has the same number, but for zeros, hyphens and other marks, or the script of its digits/,
    )
    await assertAccessible(window, 'like numbers')
    for (const row of await rowsToChoose(2)) await row.getByLabel('Keep this row').check()
    await button('Check again with 2 choices').click()
    await button('Import 2 rows').waitFor()
    const chosen = page.getByRole('region', { name: 'Your choices for rows' })
    await chosen.getByText(/^Row 2 · Ada One: A new child/).waitFor()
    await chosen.getByText(/^Row 3 · Bo Two: A new child/).waitFor()
  })

  it('are settled at once where all doubts of each are about one child', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page.getByLabel('Or paste the rows, with their headings').fill(again)
    await button('Read the file').click()
    await seen('28 rows need a choice')
    await page.getByRole('group', { name: /^Row/ }).nth(24).waitFor()
    const first = page.getByRole('group', { name: /^Row 2 / })
    await first.getByText(/^Would change: Class .*Class 5 → Class 6$/).waitFor()
    await first.getByText(/^The number stays .?2026-0001.?\.$/).waitFor()
    await button('The same for all, and their names stay').click()
    await seen('1 row needs a choice')
    assert.ok(await first.getByLabel(/^Same child as .Child 1.?, .*and the name stays/).isChecked())
  })

  it('are saved before all are chosen, without a way down to the last of them', async () => {
    const { page } = window
    assert.ok(await isInSight(button('Save 27 choices')))
    await assertAccessible(window, 'some choices')
    await button('Save 27 choices').click()
    await seen('27 choices are saved.')
    await page.getByRole('link', { name: '27 changed' }).waitFor()
    const before = asked.length
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await heading('Today')
    await page.goBack()
    await seen('1 row needs a choice')
    await page.getByRole('group', { name: /^Row/ }).waitFor()
    assert.equal(asked.length, before)
  })

  it('are no more said to be open once they are chosen', async () => {
    const { page } = window
    await button('Go to the choices').click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    await page.getByLabel(/^Same child as .Child 7/).check()
    await alert.waitFor({ state: 'detached' })
  })

  it('lead to the button that imports, in sight above the rows that are shown', async () => {
    await button('Check again with 1 choice').click()
    await seen('Your choices are in.')
    await window.page.getByLabel('Group equal rows').uncheck()
    await window.page.getByRole('row').nth(25).waitFor()
    assert.ok(await isInSight(button('Import 28 rows')))
  })

  it('are called as the file calls them where they are refused', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name;Admission number;Class\nChild 3;2026-0003;Class 5\nCharlie 3;2026-0003;Class 5')
    await button('Read the file').click()
    await page.getByRole('row', { name: /^Row 2 Child 3 .*row 3/ }).waitFor()
    await page.getByRole('row', { name: /^Row 3 Charlie 3 .*row 2/ }).waitFor()
  })

  it('are of the same child, whose name stays where the file spells it in another way', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name;Admission number;Class\nChilde 12;20260012;Class 7\nChild 13;20260013;Class 7')
    await button('Read the file').click()
    await seen('2 rows need a choice')
    const [spelt, same] = await rowsToChoose(2)
    const stays = spelt!.getByLabel(/^Same child as .Child 12.?, .*and the name stays/)
    await spelt!.getByText(/^Would change: Class .*Class 7$/).waitFor()
    await stays.check()
    assert.equal(await same!.getByRole('radio').count(), 3)
    await same!.getByLabel('Leave the row out').check()
    await assertAccessible(window, 'a name that stays')
    await button('Check again with 2 choices').click()
    const chosen = page.getByRole('region', { name: 'Your choices for rows' })
    await chosen.getByText(/^Row 2 · Childe 12: Same child as .Child 12.?, .*, and the name stays/).waitFor()
    await button('Import 1 row').click()
    await seen('Take back')
    const { body } = await call(server, 'GET', '/api/students?search=2026-0012&columns=name,class', { token })
    assert.deepEqual(body.data, [{ name: 'Child 12', class: 'Class 7' }])
  })

  it('are not needed to see above the rows that a child would be written over', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill(
        'Name;Admission number;Class;Date of birth\nChild 9;2026-0008;Class 5;2015-05-10\nNew One;n-1;Class 5;',
      )
    await button('Read the file').click()
    await seen('Row 2 gives its student another name and another date of birth.')
    const warning = page.getByText('Row 2 gives its student another name')
    assert.equal(await warning.count(), 1)
    assert.ok(await isInSight(warning))
    await page.getByRole('link', { name: '1 changed', exact: false }).first().waitFor()
    assert.match((await page.getByRole('row').allInnerTexts()).join(' '), /Child 8/)
    await assertAccessible(window, 'a child that would be written over')
  })

  it('are not needed to see above the rows that the file has lost letters', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name;Admission number;Class\nHanna Nguy?n;n-2;Class 5')
    await button('Read the file').click()
    await seen('one cell has a question mark in place of a letter.')
    const warning = page.getByText('question mark in place of a letter')
    assert.equal(await warning.count(), 1)
    assert.ok(await isInSight(warning))
  })

  it('say that the number would change where the two are not alike', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill(
        'Name;Admission number;Class;Date of birth;guardian_1_name\nChild 9;other-1;Class 5;2015-05-10;Eva Neun',
      )
    const { body } = await call(server, 'GET', '/api/students?search=2026-0009', { token })
    const guardians = [{ name: 'Ida Neun', relation: 'mother' }]
    await changeAt(server, token, `/api/students/${body.data[0].id}`, { guardians })
    await button('Read the file').click()
    await seen(/^Guardians in the record: .?Ida Neun.?\.$/)
    await seen(/^Would change: Number .?2026-0009.? → .?other-1/)
    assert.equal(await page.getByText('The number stays').count(), 0)
  })

  it('are decided with a change of columns: what was chosen for them is sent along', async () => {
    const { page } = window
    const born = { date_of_birth: '2014-01-02', class_id: 3 }
    await makeAt(server, token, '/api/students', { name: 'Stale One', admission_number: 's-0901', ...born })
    await makeAt(server, token, '/api/students', { name: 'Stale Two', admission_number: 's-0902', ...born })
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill(
        'Name;Admission number;Class;Date of birth\nStale Two;t-1;Class 4;2014-01-02\nStale One;s-901;Class 4;2014-01-02',
      )
    await button('Read the file').click()
    await seen('2 rows need a choice')
    for (const row of await rowsToChoose(2)) await row.getByLabel('Another child').check()
    await page.getByText('What each column means', { exact: true }).click()
    await page.getByLabel('Date of birth', { exact: true }).selectOption('leave_out')
    await button('Check again with these columns').click()
    await seen('Your columns are in.')
    await button('Import 2 rows').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  it('say of names in parts, and of what no choice is made by, what the plan then changes', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Given name;Family name;Class;Date of birth;Notes\nChild;99;Class 5;2015-05-10;Takes the bus')
    await button('Read the file').click()
    await seen('What comes first in the full name of a new student?')
    await page.getByLabel('The given name').check()
    await button('Continue').click()
    await seen(/Which number does the first of them get/)
    await button('Continue').click()
    const child = page.getByRole('group', { name: 'Row 2 · Child 99' })
    const told =
      /^Would change: Given name nothing → Child · Family name nothing → 99 · Notes nothing → Takes the bus$/
    await child.getByText(told).waitFor()
    await child.getByLabel(/^Same child as .Child 9.*Given name/).check()
    await button('Check again with 1 choice').click()
    await page.getByRole('row', { name: /^Row 2 / }).waitFor()
    const planned = await page.getByRole('row', { name: /^Row 2 / }).innerText()
    assert.match(planned, /Given name nothing → Child/)
    assert.match(planned, /Notes nothing → Takes the bus/)
    assert.doesNotMatch(planned, /Child 9 → Child 99/)
  })

  it('are not all that can be left out: so can any row that would be written, until it is taken back', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name;Admission number;Class\nChild 3;2026-0003;Class 7\nNew Row;left-1;Class 7')
    await button('Read the file').click()
    await button('Import 2 rows').waitFor()
    await page.getByRole('link', { name: /1 new/ }).click()
    await button('Row 3: Leave this row out').click()
    await seen('Your choices are in.')
    await page.getByRole('link', { name: /1 changed/ }).click()
    await assertAccessible(window, 'a row that can be left out')
    await button('Row 2: Leave this row out').click()
    await page.getByRole('link', { name: /2 left out/ }).waitFor()
    await button('Change: Row 3').click()
    await seen('Your choice is taken back.')
    await button('Import 1 row').waitFor()
    await page.getByRole('link', { name: /1 new/ }).waitFor()
    await page.getByRole('link', { name: /1 left out/ }).waitFor()
  })

  it('come as a file where they were left out; later imports are named before a take back', async () => {
    const { page } = window
    const paste = async (rows: string) => {
      await page.evaluate("location.hash = '#/imports'")
      await page
        .getByLabel('Or paste the rows, with their headings')
        .fill(`Name;Admission number;Class\n${rows}`)
      await button('Read the file').click()
    }
    await paste('Late One;l-1;Class 1\nTwin A;l-2;Class 1\nTwin B;L-2;Class 1')
    await page
      .getByRole('group', { name: /^Row 3/ })
      .getByLabel('Import this row')
      .check()
    await page
      .getByRole('group', { name: /^Row 4/ })
      .getByLabel('Leave this row out')
      .check()
    await button('Check again with 2 choices').click()
    await button('Import 2 rows').click()
    await seen('1 row left out')
    const link = page.getByRole('link', { name: 'Download the rows that were left out' })
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.equal(file.suggestedFilename(), 'Pasted rows - rows left out.csv')
    assert.match(readFileSync(await file.path(), 'utf8'), /Twin B/)
    await assertAccessible(window, 'left out')
    const first = page.url()
    await paste('Late One;l-1;Class 2')
    await button('Import 1 row').click()
    await button('Take back').waitFor()
    await page.goto(first)
    await Promise.all([page.waitForEvent('dialog'), button('Take back').click()])
    assert.match(
      asked.at(-1)!,
      /Since then, 1 of these students was changed\. What was changed stays: .?Late One.?\./,
    )
    assert.match(asked.at(-1)!, /Later imports changed some of the same students.*: .?Pasted rows \(\d+\)/)
  })

  it('come with a word on who is missing, where the file is the whole class', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page.getByLabel('This is the whole class').check()
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name;Admission number;Class\nNew Row;whole-1;Class 1')
    await button('Read the file').click()
    await seen(/1 student of these classes is not in the file\. Nothing is written about this student\./)
    await assertAccessible(window, 'who is missing')
    await page.getByRole('link', { name: '! not in the file', exact: true }).click()
    await page.getByRole('table').getByRole('link', { name: 'Twin A', exact: true }).waitFor()
  })

  it('break the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})
