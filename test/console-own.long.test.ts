// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { logInAt } from './calls.ts'
import { addUser, password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const head = 'head@school.example'
const next = 'another long enough password'

describe('the own account, in the console,', needsChromium, () => {
  let server: ServerProcess
  let window: Window
  before(async () => {
    ;({ server } = await startServerWith({ [head]: 'administrator' }))
    window = await openWindow(server)
    await signIn(window, head, password)
  })
  const { notice, button, field } = partsOf(() => window)
  const sessions = () => window.page.getByRole('table', { name: 'Where you are signed in' }).getByRole('row')

  it('says who one is, and where one is signed in', async () => {
    const { page } = window
    for (let i = 0; i < 2; i++) await logInAt(server, head, password)
    await page.getByRole('link', { name: 'Some One' }).click()
    await page.getByRole('heading', { name: 'Own account', level: 1 }).waitFor()
    await page.getByRole('row', { name: /^Chrome on .* · here/ }).waitFor()
    await page.getByText('Administrator').waitFor()
    assert.equal(await sessions().count(), 4)
    await assertAccessible(window, 'own account')
  })

  it('ends one sign-in, or all others', async () => {
    await button(/^Sign out: /)
      .first()
      .click()
    await notice('1 sign-in is ended.')
    await button(/^Sign out: /)
      .nth(1)
      .waitFor({ state: 'detached' })
    await button('Sign out everywhere else').click()
    await notice('1 sign-in is ended.')
    await button('Sign out everywhere else').waitFor({ state: 'detached' })
    assert.equal(await sessions().count(), 2)
  })

  it('changes the password, and says what is wrong with it', async () => {
    const { page } = window
    await field('Present password').fill('not it')
    await field('New password').fill(next)
    await button('Change the password').click()
    await page.getByRole('alert').filter({ hasText: 'This is not your password.' }).waitFor()
    await assertAccessible(window, 'own account, wrong password')
    await field('Present password').fill(password)
    await page.locator('#field-new_password-hint').filter({ hasText: 'At least 8 characters.' }).waitFor()
    await field('New password').fill('short')
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').filter({ hasText: 'At least' }).waitFor()
    await field('New password').fill(next)
    await page.keyboard.press('Control+s')
    await notice('The password is changed.')
    assert.equal(await field('New password').inputValue(), '')
    await page.getByLabel('Language').selectOption('de')
    await notice('Das Passwort ist geändert.')
    await page.getByLabel('Sprache').selectOption('en')
    await logInAt(server, head, next)
  })

  it('is there for an account without a role too', async () => {
    await addUser(server.databaseUrl, 'nobody@school.example')
    const theirs = await openWindow(server)
    await signIn(theirs, 'nobody@school.example', password)
    await theirs.page.getByRole('link', { name: 'Some One' }).click()
    await theirs.page.getByText('none yet').waitFor()
    assert.deepEqual(theirs.faults, [])
  })

  it('looks the same in Arabic, from right to left', async () => {
    await window.page.getByLabel('Language').selectOption('ar')
    await window.page.getByRole('heading', { name: 'حسابي', level: 1 }).waitFor()
    await assertAccessible(window, 'own account in Arabic')
    assert.deepEqual(window.faults, [])
  })
})
