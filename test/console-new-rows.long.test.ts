// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  look,
  needsChromium,
  openWindow,
  partsOf,
  signIn,
  type Window,
} from './browser-page.ts'
import { password, startServerWith } from './command.ts'

const office = 'office@school.example'

const file = `Name,Admission number,Class,Date of birth,Gender,Address
Zoë Müller,n-1,Class 5,2014-03-09,female,Lindenweg 4
Tom Öz,n-2,Class 6,,,
`

interface PageWithFocus {
  readonly document: {
    readonly activeElement: {
      readonly textContent: string
      getAttribute(name: string): string | null
    }
  }
}

/** Whether one sees what has the focus: nothing is above it. */
const isSeen = `(() => {
  const { x, y, width, height } = document.activeElement.getBoundingClientRect()
  return document.elementFromPoint(x + width / 2, y + height / 2) === document.activeElement
})()`

describe('new children of a file, in the console,', needsChromium, () => {
  let window: Window
  before(async () => {
    const { server, token } = await startServerWith({ [office]: 'registrar' })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
    const sent = await fetch(`${server.url}/api/imports`, { method: 'POST', headers, body: file })
    const { data } = (await sent.json()) as { data: { id: number } }
    window = await openWindow(server)
    await signIn(window, office, password)
    await window.page.goto(`http://localhost:${server.port}/#/imports/${data.id}?show=create`)
  })
  const { seen, button } = partsOf(() => window)

  it('stand in a table, with a column for each thing that one looks down for a slip', async () => {
    const { page } = window
    await seen('Lindenweg 4')
    const told = await page.getByRole('columnheader').allInnerTexts()
    assert.deepEqual(told, ['Row', 'Student', 'Number', 'Class', 'Born', 'Gender', 'More'])
    const cells = async (row: RegExp) =>
      (await page.getByRole('row', { name: row }).getByRole('cell').allInnerTexts()).slice(1, 6)
    assert.deepEqual(await cells(/Row 2/), ['Zoë Müller', 'n-1', 'Class 5', '9 Mar 2014', 'female'])
    assert.deepEqual(await cells(/Row 3/), ['Tom Öz', 'n-2', 'Class 6', '', ''])
    const more = await page.getByRole('row', { name: /Row 2/ }).getByRole('listitem').allInnerTexts()
    assert.deepEqual(more, ['Address Lindenweg 4'])
    await assertAccessible(window, 'new children')
  })

  it('say in a narrow window what each thing is', async () => {
    const { page } = window
    await page.setViewportSize({ width: 320, height: 640 })
    const said = await page.evaluate(
      `getComputedStyle(document.querySelector('td.looked-down'), '::before').content`,
    )
    assert.equal(said, '"Number "')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await assertAccessible(window, 'new children in a narrow window')
  })

  it('are left out where one sees them, and one goes on there with the next', async () => {
    const { page } = window
    await page.setViewportSize({ width: 1366, height: 768 })
    const rows = Array.from({ length: 52 }, (_, i) => `Child ${i},j-${100 + i},Class 5`)
    await page.goto(`${page.url().split('#')[0]}#/imports`)
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill(['Name,Admission number,Class', ...rows].join('\n'))
    await button('Read the file').click()
    const leaveOut = (row: number) => button(`Row ${row}: Leave this row out`).press('Enter')
    const untilFocus = (label: string) =>
      page.waitForFunction((wanted) => {
        const { document } = globalThis as unknown as PageWithFocus
        const { activeElement: at } = document
        return (at.getAttribute('aria-label') ?? at.textContent) === wanted
      }, label)
    await button('Next page').click()
    await leaveOut(45)
    await untilFocus('Row 46: Leave this row out')
    await seen('Page 2 of 3')
    assert.ok(await page.evaluate(isSeen))
    await button('Next page').click()
    await leaveOut(53)
    await untilFocus('Row 52: Leave this row out')
    await seen('Page 2 of 2')

    await page.getByLabel(/^Find a child in this file/).fill('Child 4')
    await button('Find').click()
    await page.getByRole('row', { name: /Child 4 / }).waitFor()
    await page.getByRole('region', { name: 'Rows of such a child' }).first().waitFor()
    await leaveOut(6)
    await untilFocus('left out')
    assert.equal(await button('Row 6: Leave this row out').count(), 0)
    await button('Row 42: Leave this row out').waitFor()
    await look(window, 'found-left-out')
    await button('Import 49 rows').waitFor()
    assert.deepEqual(window.faults, [])
  })
})
