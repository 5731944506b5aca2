// Runs in a browser.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  needsChromium,
  openWindow,
  partsOf,
  signIn,
  untilFilled,
  type Window,
} from './browser-page.ts'
import { call, changeAt, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

/** A school with some students, and a registrar. */
async function openOffice(): Promise<{ server: ServerProcess; token: string }> {
  const { server, token } = await startServerWith({ [office]: 'registrar' })
  await changeAt(server, token, '/api/school', { name: 'Green Hill School' })
  await call(server, 'POST', '/api/fields', {
    token,
    body: { label: 'House', kind: 'one_of', options: ['Blue', 'Red'] },
  })
  const guardians = [{ name: 'Jörg Müller', relation: 'father', phone: '+49 30 901820' }]
  const children = [
    { name: 'Zoë Müller', preferred_name: 'Zozo', date_of_birth: '2014-03-09', class_id: 5, guardians },
    { name: 'Ali Öz', class_id: 5 },
    { name: 'فاطمة الخطيب', class_id: 6 },
  ]
  for (const [i, child] of children.entries()) {
    const body = { admission_number: `2026-000${i + 1}`, ...child }
    await makeAt(server, token, '/api/students', body)
  }
  return { server, token }
}

describe('a day at the office', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await openOffice())
    window = await openWindow(server, {}, 'localhost', '')
  })
  const { heading, notice } = partsOf(() => window)

  it('begins with a sign-in, which says when the password is wrong', async () => {
    await heading('Sign in')
    await assertAccessible(window, 'sign-in')
    await signIn(window, office, 'not the password')
    await window.page.getByRole('alert').filter({ hasText: 'Wrong e-mail address or password' }).waitFor()
    await signIn(window, office, password)
    await heading('Today')
    await window.page.getByText('Green Hill School').waitFor()
    assert.match(await window.page.title(), /^Today · /)
    await window.page.getByRole('row', { name: /^Class 5/ }).waitFor()
    await assertAccessible(window, 'today')
  })

  it('finds a child while one types, also by a guardian, and opens the only hit with Enter', async () => {
    const { page } = window
    await page.keyboard.press('/')
    await page.keyboard.type('901820')
    await notice('1 student by a guardian’s phone')
    await page.keyboard.press('/') // which is text here
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByText('No student fits this.').waitFor()
    await assertAccessible(window, 'no hits')
    await page.getByRole('searchbox').fill('zoe')
    await notice('1 student')
    assert.match(page.url(), /#\/students\?search=zoe$/)
    await page.keyboard.press('Enter')
    await heading('Zoë Müller “Zozo”')
    assert.doesNotMatch(await page.title(), /Zo/)
    const marked = page.getByRole('navigation').locator('[aria-current=true]')
    assert.deepEqual(await marked.allInnerTexts(), ['Students'])
    await page.getByText('9 Mar 2014').waitFor()
    await assertAccessible(window, 'student')
  })

  it('changes a field by keyboard, and takes it back', async () => {
    const { page } = window
    await page.keyboard.press('e')
    await page.getByLabel('Called').fill('Zo')
    await assertAccessible(window, 'student, edited')
    await page.keyboard.press('Control+s')
    await notice('Saved.')
    await heading('Zoë Müller “Zo”')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await notice('Undone.')
    await heading('Zoë Müller “Zozo”')
  })

  it('overwrites nothing: what somebody else changed meanwhile stands beside', async () => {
    const { page } = window
    await page.getByRole('button', { name: 'Edit: Child' }).click()
    await page.getByLabel('Called').fill('Mine')
    await page.getByLabel('Gender').fill('f')
    await changeAt(server, token, '/api/students/1', { preferred_name: 'Theirs', given_name: 'Zoë' })
    await page.keyboard.press('Control+s')
    await page.getByText('Somebody else changed this').waitFor()
    const row = page.getByRole('row', { name: /^Called/ })
    assert.match(await row.innerText(), /Zozo\s+Theirs\s+Mine/)
    assert.equal(await page.getByRole('row').filter({ hasText: 'Given name' }).count(), 0)
    await assertAccessible(window, 'conflict')
    await page.getByRole('radio', { name: 'Called: Keep theirs' }).check()
    await page.keyboard.press('Control+s')
    await notice('Saved.')
    const { body } = await call(server, 'GET', '/api/students/1', {
      token,
    })
    assert.equal(body.data.preferred_name, 'Theirs')
    assert.equal(body.data.given_name, 'Zoë')
    assert.equal(body.data.gender, 'f')
  })

  it('keeps what two people changed of the guardians', async () => {
    const { page } = window
    const guardian = { name: 'Jörg Müller', relation: 'father', phone: '+49 30 901820' }
    // "Saved." stands there since the test before.
    const isClosed = () => page.getByRole('button', { name: 'Edit: Guardians' }).waitFor()
    const guardiansOf = async () =>
      (await call(server, 'GET', '/api/students/1', { token })).body.data.guardians.map(
        ({ name, relation, phone }: typeof guardian) => [name, relation, phone],
      )
    await page.getByRole('button', { name: 'Edit: Guardians' }).click()
    await page.getByLabel('Phone', { exact: true }).fill('0171 2')
    await changeAt(server, token, '/api/students/1', { guardians: [{ ...guardian, relation: 'stepfather' }] })
    await page.keyboard.press('Control+s')
    await page.getByText('did not touch the same fields').waitFor()
    await page.keyboard.press('Control+s')
    await isClosed()
    assert.deepEqual(await guardiansOf(), [['Jörg Müller', 'stepfather', '0171 2']])

    await page.getByRole('button', { name: 'Edit: Guardians' }).click()
    await page.getByLabel('Phone', { exact: true }).fill('0171 3')
    const added = [{ ...guardian, relation: 'stepfather', phone: '0171 2' }, { name: 'Änne Müller' }]
    await changeAt(server, token, '/api/students/1', { guardians: added })
    await page.keyboard.press('Control+s')
    await page.getByRole('radio', { name: 'Guardian 2, Name: Keep theirs' }).check()
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Edit: Guardians' }).waitFor()
    assert.deepEqual(await guardiansOf(), [
      ['Jörg Müller', 'stepfather', '0171 3'],
      ['Änne Müller', null, null],
    ])
  })

  it("fills in one of the school's own fields", async () => {
    const { page } = window
    await page.getByRole('button', { name: 'Edit: School’s own fields' }).click()
    await page.getByLabel('House').selectOption('Red')
    await page.keyboard.press('Control+s')
    await notice('Saved.')
    await page.getByText(/^House:\s+Red$/).waitFor() // in the history
    const { body } = await call(server, 'GET', '/api/students/1', { token })
    assert.deepEqual(body.data.fields, { house: 'Red' })
  })

  it('says on the return to the tab that somebody else changed what is shown', async () => {
    const { page } = window
    await changeAt(server, token, '/api/students/1', { preferred_name: 'Changed' })
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText(/^\u2068First\u2069 changed this: \d\d:\d\d\./).waitFor()
    await assertAccessible(window, 'changed elsewhere')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await heading('Zoë Müller “Changed”')
  })

  it('says what is wrong with a form, and leads to the field', async () => {
    const { page } = window
    await page.getByRole('button', { name: 'Edit: Child' }).click()
    await page.getByLabel('Born').fill('31/2/2014')
    await page.getByLabel('Number', { exact: true }).fill('')
    await page.keyboard.press('Control+s')
    const summary = page.getByRole('alert')
    await summary.filter({ hasText: '1 field needs a look' }).waitFor()
    await page.getByLabel('Number', { exact: true }).fill('2026-0002')
    await page.keyboard.press('Control+s')
    await summary.filter({ hasText: 'Born' }).waitFor()
    await assertAccessible(window, 'student, with faults')
    await summary.getByRole('link').first().click()
    assert.equal(await page.evaluate('document.activeElement?.id'), 'field-date_of_birth')
    await page.keyboard.press('Escape') // what was typed stays: the question is answered with no
    assert.equal(await page.getByLabel('Born').inputValue(), '31/2/2014')
    page.once('dialog', (question) => question.accept())
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit: Child' }).waitFor()
  })

  it('enters one child after another, without a mouse', async () => {
    const { page } = window
    await page.keyboard.press('n')
    await heading('New student')
    await untilFilled(page, '#field-admission_number', '2026-0004')
    await assertAccessible(window, 'new student')
    let keys = 0
    const press = async (key: string) => {
      keys++
      await page.keyboard.press(key)
    }
    await page.keyboard.type('Mia Braun')
    await press('Tab')
    await page.keyboard.type('1/9/2015')
    for (let i = 0; i < 2; i++) await press('Tab') // the number, the class
    assert.equal(await page.locator('#field-class_id').inputValue(), '', 'no class is presumed')
    await page.keyboard.type('class 1')
    await press('Tab')
    await page.keyboard.type('Eva Braun')
    for (let i = 0; i < 2; i++) await press('Tab')
    await page.keyboard.type('0171 5550')
    await press('Control+s')
    assert.ok(keys <= 12, `${keys}`)
    await notice('Mia Braun⁩ is entered.')
    await untilFilled(page, '#field-admission_number', '2026-0005')
    assert.equal(await page.getByLabel('Name', { exact: true }).first().inputValue(), '')
  })

  it('asks before it makes a child who may be there already', async () => {
    const { page } = window
    await page.getByLabel('Name', { exact: true }).first().fill('Mia Braun')
    await page.getByLabel('Born').fill('1/9/2015')
    await page.keyboard.press('Control+s')
    await page.getByText('A student like this is there already.').waitFor()
    await page.getByText('2026-0004 · Class 1 · 1 Sept 2015').waitFor()
    await assertAccessible(window, 'double')
    await page.getByRole('button', { name: 'This child: open' }).click()
    await heading('Mia Braun')
  })

  it('filters by class, in the address too, and keeps the filter on the way back', async () => {
    const { page } = window
    await page.getByRole('link', { name: 'Students', exact: true }).click()
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByRole('combobox', { name: 'Class, field or value' }).fill('class 5')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await notice('2 students')
    assert.match(page.url(), /class=5/)
    await page.getByRole('link', { name: 'Ali Öz' }).click()
    await heading('Ali Öz')
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('link', { name: 'Back to the students' }).click()
    await notice('2 students')
  })

  it('shows its keys, and lets single letters be turned off', async () => {
    const { page } = window
    await page.keyboard.press('?')
    await page.getByText('Move among the names').waitFor()
    await assertAccessible(window, 'keys')
    await page.getByLabel('Single letters work as keys').uncheck()
    await page.keyboard.press('Escape')
    await page.getByText('Move among the names').waitFor({ state: 'hidden' })
    await page.keyboard.press('n')
    assert.match(page.url(), /class=5/)
    await page.getByText('Keys', { exact: true }).click()
    await page.getByLabel('Single letters work as keys').check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    assert.match(await page.locator(':focus').innerText(), /Ali Öz/)
  })

  it('asks before what was typed is left behind', async () => {
    const { page } = window
    await page.getByRole('link', { name: 'Ali Öz' }).click()
    await page.getByRole('button', { name: 'Edit: Child' }).click()
    await page.getByLabel('Called').fill('Al')
    await page.getByRole('link', { name: 'Students', exact: true }).click() // answered with no
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading('Ali Öz')
    assert.equal(await page.getByLabel('Called').inputValue(), 'Al')
    assert.match(page.url(), /students\/2$/)
    page.once('dialog', (question) => question.accept())
    await page.getByRole('link', { name: 'Students', exact: true }).click()
    await heading('Students')
  })

  it('ends with a sign-out, after which nothing is shown', async () => {
    const { page } = window
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading('Sign in')
    assert.doesNotMatch(await page.locator('body').innerText(), /Ali|Müller/)
    await page.goBack()
    await heading('Sign in')
  })

  it('breaks the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})
