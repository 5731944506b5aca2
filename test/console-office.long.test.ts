// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { call, changeAt, makeAt } from './calls.ts'
import { addUser, password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const head = 'head@school.example'

describe('the classes of a school, in the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [head]: 'registrar' }))
    const body = { name: 'Zoë Müller', admission_number: '1', class_id: 5 }
    await makeAt(server, token, '/api/students', body)
    window = await openWindow(server)
    await signIn(window, head, password)
    await window.page.getByRole('link', { name: 'Classes' }).click()
    await window.page.getByRole('heading', { name: 'Classes', level: 1 }).waitFor()
  })
  const { notice, button } = partsOf(() => window)
  /** The names in a table, from the API, in their order. */
  const labels = async () => {
    const { body } = await call(server, 'GET', '/api/classes?per_page=100', { token })
    return body.data.map((one: { label: string }) => one.label) as string[]
  }

  it('are listed in their order, and each leads to its students', async () => {
    const { page } = window
    await page.getByRole('row', { name: /^Class 5/ }).waitFor()
    const cut =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll'))"
    assert.equal(await page.evaluate(cut), 0, 'all of each row is seen')
    await assertAccessible(window, 'classes')
    await page.getByRole('link', { name: 'Students of Class 5: 1' }).click()
    await notice('1 student')
    await page.goBack()
    await page.getByRole('heading', { name: 'Classes', level: 1 }).waitFor()
  })

  it('are made several at once; what cannot be made stays in the field, with the reason', async () => {
    const { page } = window
    await button('New classes').click()
    await page.getByLabel('Names of the new classes').fill('5A\n5B\n\nclass 5\n10C')
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').filter({ hasText: 'Another record has this already.' }).waitFor()
    assert.equal(await page.getByLabel('Names of the new classes').inputValue(), 'class 5')
    await assertAccessible(window, 'new classes, one refused')
    await notice('3 classes are made.')
    await page.getByRole('row', { name: /^10C/ }).waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.keyboard.press('Escape')
    await button('Undo').click()
    await notice('Undone.')
    assert.ok(!(await labels()).includes('5A'))
    await button('New classes').click()
    await page.getByLabel('Names of the new classes').fill('5B,5A\n10C')
    await page.getByText(/^3 classes will be made: \W?5B\W*5A\W*10C\W*$/).waitFor()
    await button('Make the classes').click()
    await button('New classes').waitFor()
    assert.deepEqual((await labels()).slice(-3), ['5B', '5A', '10C'])
  })

  it('are renamed; what somebody else called it meanwhile stands beside', async () => {
    const { page } = window
    await button('Rename: 5B').click()
    await assertAccessible(window, 'class, changed')
    await page.getByLabel('Name of the class').fill('Class 5')
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').filter({ hasText: 'Another record has this already.' }).waitFor()
    const { body } = await call(server, 'GET', '/api/classes?search=5B', { token })
    await changeAt(server, token, `/api/classes/${body.data[0].id}`, { label: '5 Birch' })
    await page.getByLabel('Name of the class').fill('5 Beech')
    await page.keyboard.press('Control+s')
    await page.getByText('Somebody else changed this').waitFor()
    await assertAccessible(window, 'class, conflict')
    await page.getByRole('radio', { name: 'Name of the class: Keep yours' }).check()
    await page.keyboard.press('Control+s')
    await notice('Saved.')
    assert.ok((await labels()).includes('5 Beech'))
    await button('Undo').click()
    await page.getByRole('row', { name: /^5 Birch/ }).waitFor()
  })

  it('are put in order, one by one or by name, and back', async () => {
    const { page } = window
    const before = await labels()
    await button('Order').click()
    await page.getByRole('heading', { name: 'Classes' }).waitFor()
    await button('Order by name').click()
    await button('Up: 10C').click()
    await assertAccessible(window, 'order of the classes')
    await page.keyboard.press('Control+s')
    await notice('The order is saved.')
    const after = await labels()
    assert.deepEqual(after.slice(0, 3), ['5 Birch', '10C', '5A'])
    await button('Undo').click()
    await notice('Undone.')
    assert.deepEqual(await labels(), before)
  })

  it('are archived and restored, and removed where nobody ever was in one', async () => {
    const { page } = window
    await button('Archive: Class 5').click()
    await notice('is archived.')
    await page.getByRole('table', { name: 'Archived classes' }).getByText('Class 5').waitFor()
    await assertAccessible(window, 'archived classes')
    await button('Restore: Class 5').click()
    await notice('is restored.')
    await button('Remove: 5A').click()
    await notice('is removed.')
    assert.ok(!(await labels()).includes('5A'))
    await button('Undo').click()
    await page.getByRole('row', { name: /^5A/ }).waitFor()
    assert.equal(await button('Remove: Class 5').count(), 0)
  })

  it('are read alone by who may not change them', async () => {
    await addUser(server.databaseUrl, 'teacher@school.example', 'viewer')
    const theirs = await openWindow(server)
    await signIn(theirs, 'teacher@school.example', password)
    await theirs.page.getByRole('link', { name: 'Classes' }).click()
    await theirs.page.getByRole('row', { name: /^Class 5/ }).waitFor()
    assert.equal(await theirs.page.getByRole('button', { name: /Rename|Archive|Order|New/ }).count(), 0)
    assert.deepEqual(theirs.faults, [])
  })

  it('look the same in Arabic, from right to left', async () => {
    const { page } = window
    await page.getByLabel('Language').selectOption('ar')
    await page.getByRole('heading', { name: 'الصفوف', level: 1 }).waitFor()
    await assertAccessible(window, 'classes in Arabic')
    await page.getByRole('button', { name: 'صفوف جديدة' }).click()
    await assertAccessible(window, 'new classes in Arabic')
    assert.deepEqual(window.faults, [])
  })
})
