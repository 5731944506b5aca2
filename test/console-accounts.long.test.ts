// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isForThisMachine } from '../console/accounts/own-machine.ts'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { call, changeAt } from './calls.ts'
import { addUser, password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const head = 'head@school.example'

/** What is looked at in the page, whose types the tests have not. */
interface PageWithBox {
  readonly document: { querySelector(selector: '.scroll'): { readonly scrollLeft: number } }
}

describe('the accounts of a school, in the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [head]: 'administrator' }))
    window = await openWindow(server)
    await signIn(window, head, password)
    await window.page.getByRole('link', { name: 'Accounts' }).click()
    await heading('Accounts')
  })
  const { heading, notice, button, field } = partsOf(() => window)
  const shownPassword = () => window.page.locator('.slip code').innerText()
  /** An account, from the API. */
  const account = async (search: string) =>
    (await call(server, 'GET', `/api/users?search=${search}`, { token })).body.data[0]

  it('are listed, and found by name and state', async () => {
    const { page } = window
    await page.getByRole('row', { name: /first@school\.example/ }).waitFor()
    await assertAccessible(window, 'accounts')
    await field('Search by name or e-mail address').fill('nobody')
    await page.getByText('No account fits this.').waitFor()
    assert.match(page.url(), /#\/accounts\?search=nobody$/)
    await field('Search by name or e-mail address').fill('head')
    await notice('1 account')
  })

  it('are made with their roles and classes in one form; the first password is shown once', async () => {
    const { page } = window
    await page.getByRole('link', { name: 'New account' }).click()
    await heading('New account')
    await page.getByText('Sees no birth dates, addresses or guardians, and changes nothing.').waitFor()
    await page.getByRole('link', { name: 'a role for class teachers' }).click()
    await heading('New role')
    assert.equal(await field('Name of the role').inputValue(), 'Class teacher')
    await button('Make the role').click()
    await heading('Roles')
    await page.goto(`http://localhost:${server.port}/#/accounts/new`)
    await page
      .getByText('May: see students; see birth dates, addresses and guardians; see classes.')
      .waitFor()
    assert.equal(await page.getByRole('link', { name: 'a role for class teachers' }).count(), 0)
    await field('Name').fill('Mia Teacher')
    await field('E-mail address').fill(head)
    await field('Viewer').check()
    const all = field('For all classes')
    assert.deepEqual([await all.isChecked(), await field('For these classes').isChecked()], [false, false])
    await button('Make the account').click()
    const missing = 'Say whether it is for all classes, or for which.'
    assert.equal(await page.locator('.grant .fault').innerText(), `× ${missing}`)
    await page.getByRole('link', { name: `Viewer: ${missing}` }).click()
    assert.equal(await page.evaluate('document.activeElement.type'), 'radio')
    await assertAccessible(window, 'new account, not said for which classes')
    await field('For these classes').check()
    await button('Make the account').click()
    await page.getByRole('alert').filter({ hasText: 'Viewer: Choose one class at least.' }).waitFor()
    assert.equal(await page.locator('.grant .fault').innerText(), '× Choose one class at least.')
    await field('Class 5').check()
    await assertAccessible(window, 'new account')
    await button('Make the account').click()
    await page.getByRole('alert').filter({ hasText: 'Another account has this e-mail address.' }).waitFor()
    await field('E-mail address').fill('mia@school.example')
    await page.keyboard.press('Control+s')
    await heading('Mia Teacher')
    const first = await shownPassword()
    await page.getByText('Write on the line the address at which the school opens this page.').waitFor()
    const ownNames = ['localhost', 'a.localhost', '127.0.0.1', '[::1]', 'school.example', '10.0.0.1']
    assert.deepEqual(ownNames.map(isForThisMachine), [true, true, true, true, false, false])
    assert.match(first, /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
    await assertAccessible(window, 'account, with its first password')
    assert.deepEqual((await account('mia')).roles[0].class_ids, [5])
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('.slip').isVisible(), true)
    assert.doesNotMatch(await page.locator('.slip').innerText(), /localhost|This machine/)
    assert.equal(await page.locator('.slip .by-hand').isVisible(), true)
    assert.equal(await field('Name').isVisible(), false)
    await page.emulateMedia({ media: 'screen' })
    const theirs = await openWindow(server)
    await signIn(theirs, 'mia@school.example', first)
    await theirs.page.getByRole('heading', { name: 'Choose a password' }).waitFor()
    await page.getByRole('link', { name: 'Back to the accounts' }).click()
    await page.getByRole('row', { name: /Viewer: Class 5/ }).waitFor()
    await page.getByRole('link', { name: 'Mia Teacher' }).click()
    await heading('Mia Teacher')
    assert.equal(await page.locator('.slip').count(), 0)
  })

  it('are half made where the roles cannot be saved, and continued', async () => {
    const { page } = window
    await page.goto(`http://localhost:${server.port}/#/accounts/new`)
    await heading('New account')
    await field('Name').fill('Half Made')
    await field('E-mail address').fill('half@school.example')
    await field('Registrar').check()
    await field('For all classes').check()
    await page.route('**/roles', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await page.keyboard.press('Control+s')
    await page.getByText('its roles are not saved yet').waitFor()
    await assertAccessible(window, 'account, half made')
    await page.unroute('**/roles')
    assert.equal(await field('Registrar').isChecked(), true)
    await button('Save').click()
    await notice('Saved.')
    assert.equal((await account('half')).roles[0].role, 'registrar')
    assert.match(await shownPassword(), /-/)
  })

  it('are changed; what somebody else saved meanwhile stands beside, with the classes by name', async () => {
    const { page } = window
    const { id } = await account('mia')
    await page.goto(`http://localhost:${server.port}/#/accounts/${id}`)
    await heading('Mia Teacher')
    await field('Name').fill('Mia Braun')
    await field('Class 6').check()
    const { role_id } = (await account('mia')).roles[0]
    await changeAt(server, token, `/api/users/${id}/roles`, { roles: [{ role_id, class_ids: [7] }] }, 'PUT')
    await page.keyboard.press('Control+s')
    await page.getByText('Somebody else changed this').waitFor()
    const row = page.getByRole('row', { name: /^Viewer/ })
    assert.match(await row.innerText(), /Class 5\s+Class 7\s+Class 5, Class 6/)
    await assertAccessible(window, 'account, conflict')
    await button('Save').click()
    await notice('Saved.')
    await heading('Mia Braun')
    assert.deepEqual((await account('mia')).roles[0].class_ids, [5, 6])
  })

  it('are blocked and allowed again, signed out everywhere, and given a new first password', async () => {
    const { page } = window
    await field('Name').fill('Mia not saved')
    await button('Block sign-in').click()
    await notice('can no longer sign in.')
    assert.equal(await field('Name').inputValue(), 'Mia not saved', 'what was typed stays')
    await field('Name').fill('Mia Braun')
    await page.getByText('× Blocked').waitFor()
    await assertAccessible(window, 'account, blocked')
    assert.equal((await account('mia')).disabled, true)
    await button('Undo').click()
    await notice('can sign in again.')
    await button('Sign out everywhere').click()
    await notice('0 sign-ins are ended.')
    await button('New first password').click()
    await assertAccessible(window, 'account, new password')
    await button('Set a new first password').click()
    const next = await shownPassword()
    const theirs = await openWindow(server)
    await signIn(theirs, 'mia@school.example', next)
    await theirs.page.getByRole('heading', { name: 'Choose a password' }).waitFor()
    await button('Done').click()
    assert.equal(await page.locator('.slip').count(), 0)
  })

  it('are removed where they never held a role', async () => {
    const { page } = window
    await addUser(server.databaseUrl, 'gone@school.example')
    const { id } = await account('gone')
    await page.goto(`http://localhost:${server.port}/#/accounts/${id}`)
    await page.getByText('? No role yet').waitFor()
    await button('Remove').click()
    await notice('is removed.')
    await heading('Accounts')
    assert.equal(await account('gone'), undefined)
    await page.goto(`http://localhost:${server.port}/#/accounts/${id}`)
    await heading('This account is not there, or you may not see it.')
    await assertAccessible(window, 'no such account')
  })

  it('are not in the menu of who may not see them', async () => {
    await addUser(server.databaseUrl, 'office@school.example', 'registrar')
    const theirs = await openWindow(server)
    await signIn(theirs, 'office@school.example', password)
    await theirs.page.getByRole('link', { name: 'Classes' }).waitFor()
    assert.equal(await theirs.page.getByRole('link', { name: 'Accounts' }).count(), 0)
    await theirs.page.goto(`http://localhost:${server.port}/#/accounts`)
    await theirs.page.getByRole('heading', { name: 'This is not there, or you may not see it.' }).waitFor()
    assert.deepEqual(theirs.faults, [])
  })

  it('look the same in Arabic, from right to left', async () => {
    const { page } = window
    await page.goto(`http://localhost:${server.port}/#/accounts`)
    await page.getByLabel('Language').selectOption('ar')
    await heading('الحسابات')
    await assertAccessible(window, 'accounts in Arabic')
    const box = page.getByRole('region', { name: 'الحسابات' })
    await box.waitFor({ state: 'detached' }) // nothing is to be scrolled
    await page.setViewportSize({ width: 320, height: 640 })
    await box.focus() // by the keyboard, since the table is wider than the page
    await page.keyboard.press('ArrowLeft')
    await page.waitForFunction(() => {
      const { document } = globalThis as unknown as PageWithBox
      return document.querySelector('.scroll').scrollLeft < 0
    })
    await assertAccessible(window, 'accounts in Arabic, narrow')
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.getByRole('link', { name: 'Mia Braun' }).click()
    await page.getByRole('heading', { name: 'Mia Braun' }).waitFor()
    await assertAccessible(window, 'account in Arabic')
    assert.deepEqual(window.faults, [])
  })
})
