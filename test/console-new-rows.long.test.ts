// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { password, startServerWith } from './command.ts'

const office = 'office@school.example'

const file = `Name,Admission number,Class,Date of birth,Gender,Address
Zoë Müller,n-1,Class 5,2014-03-09,female,Lindenweg 4
Tom Öz,n-2,Class 6,,,
`

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
  const { seen } = partsOf(() => window)

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
})
