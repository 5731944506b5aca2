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

describe('a family at the office', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }, { CONSOLE_IDLE_MINUTES: '5' }))
    const father = { name: 'Jörg Müller', relation: 'father', phone: '+49 30 901820' }
    const children = [
      { name: 'Zoë Müller', class_id: 5, date_of_birth: '2014-03-09', guardians: [father] },
      { name: 'Mia Müller', class_id: 6, guardians: [{ ...father, phone: '(030) 90 18 20' }] },
      { name: 'Ali Öz', class_id: 5, guardians: [{ name: 'Elif Öz', phone: '030 9018201' }] },
    ]
    for (const [i, child] of children.entries()) {
      const body = { admission_number: `2026-000${i + 1}`, ...child }
      await makeAt(server, token, '/api/students', body)
    }
    window = await openWindow(server)
    await signIn(window, office, password)
    await heading('Students')
  })
  const { heading, notice, button } = partsOf(() => window)
  const field = (name: string) => window.page.getByLabel(name, { exact: true }).first()
  const student = async (id: number) =>
    (await call(server, 'GET', `/api/students/${id}`, { token })).body.data
  const open = async (path: string) => window.page.goto(`http://localhost:${server.port}/#${path}`)

  it('shows beside a guardian whose else they are, by the phone however it is written', async () => {
    const { page } = window
    await open('/students/1')
    await heading('Zoë Müller')
    await page.getByText('also of').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Mia Müller' }).count(), 1)
    assert.equal(await page.getByRole('link', { name: 'Ali Öz' }).count(), 0)
    await assertAccessible(window, 'also of')
  })

  it('offers a change of a shared guardian for the other child, and tells what came of it', async () => {
    const { page } = window
    await button('Edit: Guardians').click()
    await field('Phone').fill('0171 5550')
    await page.keyboard.press('Control+s')
    await page.getByText('Other children have this guardian').waitFor()
    await assertAccessible(window, 'the same change, offered')
    await page.getByLabel('Mia Müller, Class 6').waitFor()
    assert.equal((await student(2)).guardians[0].phone, '(030) 90 18 20')
    await button('Make the same change').click()
    await page.getByText('✓ Saved.').waitFor()
    const [jörg] = (await student(2)).guardians
    assert.deepEqual([jörg.phone, jörg.relation], ['0171 5550', 'father'])
    await button('Close').click()
    await page.getByText('also of').waitFor()
  })

  it('leaves the other child alone where that guardian changed meanwhile', async () => {
    const { page } = window
    await button('Edit: Guardians').click()
    await field('Phone').fill('0171 5551')
    await page.keyboard.press('Control+s')
    await page.getByText('Other children have this guardian').waitFor()
    const guardians = [{ name: 'Jörg Müller', relation: 'father', phone: '0171 7777' }]
    await changeAt(server, token, '/api/students/2', { guardians })
    await button('Make the same change').click()
    await page.getByText('Not saved: what stands there changed meanwhile.').waitFor()
    assert.equal((await student(2)).guardians[0].phone, '0171 7777')
    await button('Not there').click()
  })

  it('moves a child to another class by keyboard, and back', async () => {
    const { page } = window
    await button('Move class').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'To class' }).click()
    await page.getByRole('option').nth(3).waitFor()
    await page.getByRole('button', { name: 'Move', exact: true }).click({ trial: true, timeout: 5_000 })
    await page.keyboard.press('Escape')
    await page.keyboard.type('class 1')
    await page.getByRole('option', { name: 'Class 12' }).waitFor()
    await assertAccessible(window, 'move class')
    await page.keyboard.press('ArrowDown') // Class 10
    await page.keyboard.press('Escape') // closes the choices alone
    assert.equal(await page.getByRole('combobox', { name: 'To class' }).count(), 1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await button('Move class').waitFor() // "Saved." stands there since the test before
    assert.equal((await student(1)).class_id, 1)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await notice('Undone.')
    await page.getByText('Class 5').first().waitFor()
    assert.equal((await student(1)).class_id, 5)
  })

  it('takes the guardians of a sister for a new child', async () => {
    const { page } = window
    await open('/students/new')
    await heading('New student')
    await untilFilled(page, '#field-admission_number', '2026-0004')
    await field('Name').fill('Ben Müller')
    await page.locator('#field-class_id').fill('class 1')
    await button('Guardians as for …').click()
    await page.keyboard.type('zoe')
    await page.getByRole('option', { name: /Zoë Müller/ }).waitFor()
    await assertAccessible(window, 'guardians as for')
    await page.keyboard.press('Enter')
    await untilFilled(page, '#field-guardians-0-phone', '0171 5551')
    await page.keyboard.press('Control+s')
    await notice('Ben Müller⁩ is entered.')
    assert.equal((await student(4)).guardians[0].name, 'Jörg Müller')
  })

  it('opens a child who is there already, and offers what was typed as changes', async () => {
    const { page } = window
    await untilFilled(page, '#field-admission_number', '2026-0005')
    await field('Name').fill('Zoë Müller')
    await field('Born').fill('9/3/2014')
    await page.locator('#field-guardians-0-name').fill('Eva Müller')
    await page.keyboard.press('Control+s')
    await button('This child: open').click()
    await heading('Zoë Müller')
    await page.getByRole('heading', { name: 'What you typed for the new student' }).waitFor()
    assert.ok(await page.getByLabel('New guardian: Eva Müller').isChecked())
    assert.equal(await page.getByRole('row', { name: /^Number/ }).count(), 0)
    await assertAccessible(window, 'typed, offered')
    await button('Save what is chosen').click()
    await notice('Saved.')
    const names = (await student(1)).guardians.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['Jörg Müller', 'Eva Müller'])
    assert.equal((await student(1)).class_id, 5)
  })

  it('keeps over a reload what is not sensitive, and drops it at the sign-out', async () => {
    const { page } = window
    await open('/students/1')
    await heading('Zoë Müller')
    await button('Edit: Child').click()
    await field('Called').fill('Zozo')
    await field('Address').fill('Hidden Street 1')
    const kept = () => page.evaluate<string | null>("sessionStorage.getItem('registrar.typed')")
    await page.waitForFunction(() => sessionStorage.getItem('registrar.typed')?.includes('Zozo'))
    assert.doesNotMatch((await kept())!, /Hidden/)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await untilFilled(page, '#field-preferred_name', 'Zozo')
    assert.equal(await field('Address').inputValue(), '')
    await button('Sign out').click()
    await heading('Sign in')
    assert.equal(await kept(), null)
    await signIn(window, office, password)
    await heading('Zoë Müller')
    assert.equal(await field('Called').count(), 0)
  })

  it('saves when the connection is back, without another key', async () => {
    const { page } = window
    await button('Edit: Child').click()
    await field('Called').fill('Zozo')
    await page.context().setOffline(true)
    await page.keyboard.press('Control+s')
    await button('Waits for the connection').waitFor()
    await page.getByText(/^No connection/).waitFor()
    await assertAccessible(window, 'a save that waits')
    await page.context().setOffline(false)
    await heading('Zoë Müller “Zozo”')
    assert.equal((await student(1)).preferred_name, 'Zozo')
  })

  it('shows nothing of a page that comes back until its session is checked', async () => {
    const { page } = window
    const isShown = () => page.getByRole('heading', { name: /Zoë/ }).isVisible()
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert.equal(await isShown(), false)
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    await heading('Zoë Müller “Zozo”')
  })

  it('lets nobody in again who left the browser alone for longer than is set, not by a reload either', async () => {
    const { page } = window
    const long = 5 * 60_000 + 1
    await page.evaluate(`localStorage.setItem('registrar.used', String(Date.now() - ${long}))`)
    await page.reload()
    await heading('Sign in')
    await signIn(window, office, password)
    await heading('Zoë Müller “Zozo”')
  })

  it('signs out every tab at once', async () => {
    const other = await window.page.context().newPage()
    await other.goto(`http://localhost:${server.port}/#/students/2`)
    await other.getByRole('heading', { name: 'Mia Müller', level: 1 }).waitFor()
    await button('Sign out').click()
    await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    assert.doesNotMatch(await other.locator('body').innerText(), /Mia/)
    await other.close()
    assert.deepEqual(window.faults, [])
  })
})

describe('a family, in other languages and on a narrow screen,', needsChromium, () => {
  it('has room, and reads from right to left', async () => {
    const { server, token } = await startServerWith({ [office]: 'registrar' })
    const guardians = [{ name: 'Jörg Müller', phone: '0171 5550' }]
    for (const [i, name] of ['Zoë Müller', 'Mia Müller'].entries()) {
      const body = { name, admission_number: `${i}`, class_id: 5 + i, guardians }
      await makeAt(server, token, '/api/students', body)
    }
    const window = await openWindow(server, { locale: 'ar', viewport: { width: 320, height: 640 } })
    const { page } = window
    await page.getByLabel('البريد الإلكتروني').fill(office)
    await page.getByLabel('كلمة المرور').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Zoë Müller' }).click()
    await page.getByText('أيضًا لدى').waitFor()
    await page.getByRole('button', { name: 'نقل إلى صف' }).click()
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await assertAccessible(window, 'student in Arabic')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'تعديل: أولياء الأمور' }).click()
    await page.getByLabel('الهاتف', { exact: true }).fill('0171 5551')
    await page.keyboard.press('Control+s')
    await page.getByText('لطلاب آخرين').waitFor()
    assert.match(await page.locator('p.change').innerText(), /: 0171 5550 ← 0171 5551$/)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await assertAccessible(window, 'the same change in Arabic')
    assert.deepEqual(window.faults, [])
  })
})
