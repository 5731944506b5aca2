// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { call, changeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const head = 'head@school.example'

describe('what a school says of itself, in the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [head]: 'administrator' }))
    window = await openWindow(server)
    await signIn(window, head, password)
    await window.page.getByRole('link', { name: 'School' }).click()
    await field('Name').waitFor()
  })
  const { notice, field } = partsOf(() => window)
  const school = async () => (await call(server, 'GET', '/api/school', { token })).body.data

  it('is changed in one form, and its name stands at the top at once', async () => {
    const { page } = window
    await field('Name').fill('Green Hill School')
    await field('Address').fill('4 Hill Lane\nGreenton')
    await field('Time zone').fill('Europe/Berlin')
    await field('Order of names').selectOption('family_first')
    await assertAccessible(window, 'school')
    await page.keyboard.press('Control+s')
    await notice('Saved.')
    await page.locator('.school').filter({ hasText: 'Green Hill School' }).waitFor()
    assert.deepEqual(await school(), {
      name: 'Green Hill School',
      address: '4 Hill Lane\nGreenton',
      time_zone: 'Europe/Berlin',
      name_order: 'family_first',
    })
  })

  it('says which field is wrong', async () => {
    const { page } = window
    await field('Time zone').fill('Berlin')
    await page.getByText(/^For example Europe\/Berlin\.$/).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').filter({ hasText: 'Time zone: ' }).waitFor()
    await assertAccessible(window, 'school, with a fault')
  })

  it('overwrites nothing: what somebody else changed meanwhile stands beside', async () => {
    const { page } = window
    await field('Time zone').fill('Europe/Paris')
    await field('Address').fill('')
    await changeAt(server, token, '/api/school', { time_zone: 'Europe/Rome', name: 'Green Hill' })
    await page.keyboard.press('Control+s')
    const row = page.getByRole('row', { name: /^Time zone/ })
    await row.waitFor()
    assert.match(await row.innerText(), /Europe\/Berlin\s+Europe\/Rome\s+Europe\/Paris/)
    await assertAccessible(window, 'school, conflict')
    await page.getByRole('radio', { name: 'Time zone: Keep theirs' }).check()
    await page.keyboard.press('Control+s')
    await page
      .locator('.school')
      .filter({ hasText: /^Green Hill$/ })
      .waitFor()
    const { name, address, time_zone } = await school()
    assert.deepEqual([name, address, time_zone], ['Green Hill', null, 'Europe/Rome'])
  })

  it('asks before what was typed is lost', async () => {
    const { page } = window
    await field('Name').fill('Not saved')
    const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss())
    await page.getByRole('link', { name: 'Classes' }).click()
    await asked
    assert.equal(await field('Name').inputValue(), 'Not saved')
    await field('Name').fill('Green Hill')
  })

  it('looks the same in Arabic, from right to left, and fits a narrow page', async () => {
    const { page } = window
    await page.getByLabel('Language').selectOption('ar')
    await page.getByRole('heading', { name: 'المدرسة', level: 1 }).waitFor()
    await assertAccessible(window, 'school in Arabic')
    await page.getByLabel('اللغة').selectOption('en')
    await page.setViewportSize({ width: 320, height: 600 })
    const shown = {
      Classes: page.getByRole('table', { name: 'Classes' }),
      Accounts: page.getByRole('table', { name: 'Accounts' }),
      School: field('Time zone'),
      'Some One': page.getByRole('table', { name: 'Where you are signed in' }),
    }
    for (const [name, part] of Object.entries(shown)) {
      await page.locator('details.fold > summary').click()
      await page.getByRole('link', { name, exact: true }).first().click()
      await part.waitFor()
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(beyond, 0, name)
      await assertAccessible(window, `${name}, narrow`)
    }
    assert.deepEqual(window.faults, [])
  })
})
