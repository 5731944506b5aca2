// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'

const office = 'office@school.example'

/** Where a narrow screen's own part begins at the latest, in pixels: a quarter of its height. */
const mostAbove = 160

describe('the console in a narrow window', needsChromium, () => {
  let window: Window
  before(async () => {
    const { server, token } = await startServerWith({ [office]: 'registrar' })
    await makeAt(server, token, '/api/students', { name: 'Zoë Müller', admission_number: '1', class_id: 5 })
    window = await openWindow(server)
    await signIn(window, office, password)
    await window.page.setViewportSize({ width: 320, height: 640 })
  })
  const { heading } = partsOf(() => window)
  const menu = () => window.page.getByRole('group').filter({ hasText: 'Menu' })
  const isOpen = () => window.page.locator('details.fold').evaluate((one) => one.hasAttribute('open'))

  it('folds the menu, so that each screen begins near its top', async () => {
    const { page } = window
    for (const screen of ['Students', 'New student', 'Classes', 'Import', 'Today']) {
      await page.getByText('Menu', { exact: true }).click()
      await menu().getByRole('link', { name: screen, exact: true }).click()
      await heading(screen)
      const title = await page.getByRole('heading', { level: 1 }).boundingBox()
      assert.ok(title!.y <= mostAbove, `${screen}: ${title!.y}`)
      assert.equal(await isOpen(), false, 'it closes behind who goes')
    }
  })

  it('opens, leads on and closes by keyboard, and has keys, language and the way out', async () => {
    const { page } = window
    await page.getByText('Menu', { exact: true }).focus()
    await page.keyboard.press('Enter')
    await menu().getByRole('button', { name: 'Sign out' }).waitFor()
    await menu().getByRole('combobox', { name: 'Language' }).waitFor()
    assert.equal(await menu().getByRole('link', { name: 'Today' }).getAttribute('aria-current'), 'page')
    await assertAccessible(window, 'the menu, folded out')
    await page.keyboard.press('Escape')
    assert.equal(await isOpen(), false)
    assert.equal(await page.locator(':focus').innerText(), 'Menu')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await heading('Students')
    assert.equal(await isOpen(), false)
    await page.keyboard.press('?')
    await page.getByText('Move among the names').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Move among the names').waitFor({ state: 'hidden' })
  })

  it('has the menu beside the screen again where there is room', async () => {
    await window.page.setViewportSize({ width: 1024, height: 640 })
    await window.page.locator('details.fold').waitFor({ state: 'detached' })
    await window.page.getByRole('link', { name: 'Classes', exact: true }).click()
    await heading('Classes')
    assert.deepEqual(window.faults, [])
  })
})
