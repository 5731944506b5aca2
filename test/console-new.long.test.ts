// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { call, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

describe('a new student in the console', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  const asked: string[] = []
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    const body = {
      name: 'Mia Braun',
      admission_number: '2026-0001',
      class_id: 5,
      date_of_birth: '2015-09-01',
    }
    await makeAt(server, token, '/api/students', body)
    window = await openWindow(server, {}, 'localhost', '#/students/new')
    window.page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await signIn(window, office, password)
    await heading('New student')
  })
  const { heading, notice, button } = partsOf(() => window)
  const field = (name: string) => window.page.getByLabel(name, { exact: true }).first()
  const link = (name: string) => window.page.getByRole('link', { name, exact: true })
  const named = async (name: string) =>
    (await call(server, 'GET', `/api/students?search=${encodeURIComponent(name)}`, { token })).body.data

  it('has a way out that saves as soon as something is typed, and a link that says it does not', async () => {
    await link('Done').waitFor()
    await field('Name').fill('Tom Öz')
    assert.equal(await link('Done').count(), 0)
    await assertAccessible(window, 'three ways on')
    await Promise.all([window.page.waitForEvent('dialog'), link('Leave without saving').click()])
    await heading('New student')
    await field('Class').fill('Class 5')
    await button('Save, and finish').click()
    await heading('Tom Öz')
    await notice('Tom Öz⁩ is entered.')
    assert.deepEqual([asked.length, (await named('Tom Öz')).length], [1, 1])
  })

  it('can be undone where it is shown, and leads to the list then', async () => {
    await window.page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await heading('Students')
    await notice('Undone.')
    assert.equal((await named('Tom Öz')).length, 0)
  })

  it('moves the focus to who may be there already, from the button at the end of the form', async () => {
    const { page } = window
    await page.setViewportSize({ width: 1024, height: 500 })
    await page.goto(`http://localhost:${server.port}/#/students/new`)
    await heading('New student')
    await field('Name').fill('Mia Braun')
    await field('Born').fill('1/9/2015')
    await field('Class').fill('Class 6')
    await button('Save, and finish').click()
    await page.getByText('A student like this is there already.').waitFor()
    assert.match(await page.evaluate<string>('document.activeElement?.textContent ?? ""'), /^\? A student/)
    assert.ok(await page.evaluate<boolean>('document.activeElement.getBoundingClientRect().top >= 0'))
    await assertAccessible(window, 'who may be there')
    await button('Another child: save').click()
    await heading('Mia Braun')
    assert.equal((await named('Mia Braun')).length, 2, 'the last one still, so it is shown')
  })

  it('breaks the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})
