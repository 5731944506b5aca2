// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { startingPage } from '../src/console/pages.ts'
import { assertAccessible, needsChromium, openWindow, signIn, type Window } from './browser-page.ts'
import { call, changeAt, createStudentAt, makeAt } from './calls.ts'
import { atEnd } from './cleanup.ts'
import { addUser, password, runCommand } from './command.ts'
import { firstAdministrator, type ServerProcess, startServer } from './server.ts'

describe('the console, where it has little to show,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  const people = { office: 'registrar', teacher: 'viewer', nobody: undefined } as const
  const emailOf = (who: string) => `${who}@school.example`
  before(async () => {
    server = await startServer(undefined, { HOST: 'localhost' })
    token = await firstAdministrator(server)
    for (const [who, role] of Object.entries(people)) await addUser(server.databaseUrl, emailOf(who), role)
  })

  /** A window in which somebody has signed in. */
  async function windowOf(who: keyof typeof people, options = {}): Promise<Window> {
    const window = await openWindow(server, options)
    await signIn(window, emailOf(who), password)
    return window
  }
  const seen = ({ page }: Window, text: string | RegExp) => page.getByText(text).first().waitFor()

  it('offers the first student where there is none', async () => {
    const window = await windowOf('office')
    await seen(window, 'There are no students yet.')
    await assertAccessible(window, 'empty')
    await window.page.getByRole('link', { name: 'Add the first student' }).click()
    await window.page.getByRole('heading', { name: 'New student' }).waitFor()
    assert.deepEqual(window.faults, [])
  })

  it('says whom to ask where an account has no role', async () => {
    const window = await windowOf('nobody')
    await seen(window, /no role yet\. Give an administrator your e-mail address: nobody@school\.example/)
    assert.equal(await window.page.getByRole('searchbox').count(), 0)
    await assertAccessible(window, 'no role')
  })

  it('shows a teacher one class, and says the same of what is not there and of what is not allowed', async () => {
    const hidden = await createStudentAt(server, token, 'hidden')
    const granted = await runCommand(
      ['user', 'add', '--email', emailOf('mia'), '--name', 'Mia', '--role', 'viewer', '--class', '2'],
      { databaseUrl: server.databaseUrl, stdin: `${password}\n` },
    )
    assert.equal(granted.status, 0, granted.stderr)
    const body = { name: 'Ada in two', admission_number: 'two', class_id: 2 }
    await call(server, 'POST', '/api/students', { token, body })
    const window = await openWindow(server)
    await signIn(window, emailOf('mia'), password)
    await seen(window, '1 student')
    await seen(window, 'Ada in two')
    assert.equal(await window.page.getByRole('link', { name: 'New student' }).count(), 0)
    for (const id of [hidden.body.data.id, 999_999]) {
      await window.page.goto(`http://localhost:${server.port}/#/students/${id}`)
      await seen(window, 'This is not there, or you may not see it.')
    }
    await assertAccessible(window, 'not there')
    await window.page.getByRole('link', { name: 'Back to the students' }).click()
    await window.page.getByRole('link', { name: 'Ada in two' }).click()
    await window.page.getByRole('heading', { name: 'Ada in two' }).waitFor()
    assert.equal(await window.page.getByRole('button', { name: /Edit/ }).count(), 0)
    assert.equal(await window.page.getByText('Guardians').count(), 0)
  })

  it('keeps what is there when a search fails, with the number of the request, and tries again', async () => {
    const window = await windowOf('office')
    await seen(window, 'Ada in two')
    const problem = { code: 'internal_error', status: 500, detail: 'x', request_id: 'r-1', success: false }
    await window.page.route('**/api/students?*', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await window.page.getByRole('searchbox').fill('two')
    await seen(window, 'This could not be loaded.')
    await seen(window, 'Request r-1')
    await seen(window, 'Ada in two')
    await assertAccessible(window, 'failed')
    await window.page.unroute('**/api/students?*')
    await window.page.getByRole('button', { name: 'Try again' }).click()
    await seen(window, '1 student')
    assert.equal(await window.page.getByRole('alert').count(), 0)
  })

  it('drops the answer to an older search', async () => {
    const window = await windowOf('office')
    await seen(window, '2 students')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    atEnd(() => release()) // else the window waits for it
    await window.page.route('**/api/students?*search=lovelace*', async (route) => {
      await held
      await route.continue().catch(() => {}) // it was given up
    })
    const asked = window.page.waitForRequest(/search=lovelace/)
    await window.page.getByRole('searchbox').fill('lovelace')
    await asked
    await window.page.getByRole('searchbox').fill('two')
    await seen(window, '1 student')
    release()
    await window.page.getByRole('link', { name: 'Ada in two' }).waitFor()
    assert.equal(await window.page.getByText('Ada Lovelace').count(), 0)
  })

  it('says when the connection is gone, and keeps what is there', async () => {
    const window = await windowOf('office')
    await seen(window, 'Ada in two')
    await window.page.context().setOffline(true)
    await window.page.getByRole('searchbox').fill('two')
    await seen(window, /^No connection/)
    await seen(window, 'Ada in two')
    await assertAccessible(window, 'offline')
    await window.page.context().setOffline(false)
    await window.page.getByText(/^No connection/).waitFor({ state: 'detached' })
  })

  it('keeps what was typed when a session ends, for the same person alone', async () => {
    const window = await windowOf('office')
    const { page } = window
    await page.getByRole('link', { name: 'Ada in two' }).click()
    await page.getByRole('button', { name: 'Edit: Child' }).click()
    await page.getByLabel('Called').fill('Countess')
    const { body } = await call(server, 'GET', '/api/users?search=office', { token })
    await call(server, 'DELETE', `/api/users/${body.data[0].id}/sessions`, { token })
    await page.keyboard.press('Control+s')
    await seen(window, /Your session is over/)
    assert.doesNotMatch(await page.locator('body').innerText(), /Ada/)
    await assertAccessible(window, 'session over')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Called').waitFor()
    assert.equal(await page.getByLabel('Called').inputValue(), 'Countess')

    await call(server, 'DELETE', `/api/users/${body.data[0].id}/sessions`, { token })
    await page.keyboard.press('Control+s')
    await signIn(window, emailOf('teacher'), password)
    await page.getByRole('heading', { name: 'Ada in two' }).waitFor()
    assert.equal(await page.getByLabel('Called').count(), 0)
    assert.deepEqual(window.faults, [])
  })

  it('takes a key at once when a form is given up: what was typed is neither asked about again nor there', async () => {
    const window = await windowOf('office')
    const { page } = window
    await page.getByRole('link', { name: 'Ada in two' }).click()
    await page.getByRole('button', { name: 'Edit: Child' }).click()
    /** Gives the form up, and presses a key before the page is painted anew. */
    async function giveUp(key: string): Promise<void> {
      await page.getByLabel('Called').fill('Given up')
      await page.evaluate(`new MutationObserver((_, watch) => {
        if (document.querySelector('[data-cancel]') !== null) return
        watch.disconnect()
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))
      }).observe(document.body, { childList: true, subtree: true })`)
      page.once('dialog', (question) => question.accept())
      await page.keyboard.press('Escape')
    }
    await giveUp('e')
    await page.getByLabel('Called').waitFor()
    assert.equal(await page.getByLabel('Called').inputValue(), '')
    await giveUp('n')
    await page.getByRole('heading', { name: 'New student' }).waitFor()
    assert.deepEqual(window.faults, [])
  })

  it('shows the next person nothing of what the one before had found', async () => {
    const window = await windowOf('office')
    const { page } = window
    await seen(window, 'Ada Lovelace')
    const { body } = await call(server, 'GET', '/api/users?search=office', { token })
    await call(server, 'DELETE', `/api/users/${body.data[0].id}/sessions`, { token })
    await page.keyboard.press('/')
    await page.keyboard.type('ada') // any request tells that it is over
    await seen(window, /Your session is over/)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    atEnd(() => release()) // else the window waits for it
    await page.route('**/api/students?*', async (route) => {
      await held
      await route.continue().catch(() => {}) // it was given up
    })
    const asked = page.waitForRequest(/api.students\?/)
    await signIn(window, emailOf('mia'), password)
    await asked
    await page.getByRole('searchbox').waitFor()
    assert.equal(await page.getByText('Ada Lovelace').count(), 0)
    release()
    await seen(window, 'Ada in two')
    assert.equal(await page.getByText('Ada Lovelace').count(), 0)
  })

  it('shows the next person no class that only the one before may read', async () => {
    const body = { name: 'Reader', permissions: ['students.view'] }
    await makeAt(server, token, '/api/roles', body)
    await addUser(server.databaseUrl, emailOf('reader'), 'Reader')
    const window = await windowOf('office')
    const { page } = window
    await seen(window, 'Ada Lovelace')
    const { body: account } = await call(server, 'GET', '/api/users?search=office', { token })
    await call(server, 'DELETE', `/api/users/${account.data[0].id}/sessions`, { token })
    await page.keyboard.press('/')
    await page.keyboard.type('ada')
    await seen(window, /Your session is over/)
    await signIn(window, emailOf('reader'), password)
    await seen(window, 'Ada Lovelace')
    await page.getByRole('button', { name: '+ Filter' }).click()
    const filters = page.getByRole('combobox', { name: 'Class, field or value' })
    await filters.fill('Class 1')
    const found = page.getByRole('listbox').getByRole('option')
    await found.or(page.getByText('Nothing fits this.')).first().waitFor()
    assert.deepEqual(await found.allInnerTexts(), [])
    assert.deepEqual(window.faults, [])
  })

  it('locks when nobody was there for twenty minutes, and ends the session at the server', async () => {
    const window = await windowOf('office')
    const { page } = window
    await seen(window, 'Ada in two')
    await page.clock.install()
    await page.reload()
    await page.getByRole('link', { name: 'Ada in two' }).click()
    await page.getByRole('button', { name: 'Edit: Child' }).click()
    await page.getByLabel('Called').fill('Countess')
    await page.clock.runFor('19:00')
    await page.keyboard.press('Shift')
    await page.clock.runFor('19:00')
    assert.equal(await page.getByText(/Your session is over/).count(), 0)
    const ended = page.waitForResponse(/\/api\/auth\/logout/)
    await page.clock.runFor('02:00')
    await seen(window, /Your session is over/)
    assert.equal((await ended).status(), 200)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Called').waitFor()
    assert.equal(await page.getByLabel('Called').inputValue(), 'Countess')
  })

  it('asks for another password where an administrator set it', async () => {
    await addUser(server.databaseUrl, emailOf('new'), 'viewer')
    const { body } = await call(server, 'GET', '/api/users?search=new', { token })
    const given = { password: 'given by the office' }
    await changeAt(server, token, `/api/users/${body.data[0].id}/password`, given, 'PUT')
    const window = await openWindow(server)
    await signIn(window, emailOf('new'), 'given by the office')
    await seen(window, 'Choose a password')
    await assertAccessible(window, 'first password')
    await window.page.getByLabel('Password as it is').fill('given by the office')
    await window.page.getByLabel('New password').fill('short')
    await window.page.keyboard.press('Enter')
    await seen(window, '1 field needs a look')
    await window.page.getByLabel('New password').fill('my own long words')
    await window.page.getByRole('button', { name: 'Save password' }).click()
    await window.page.getByRole('heading', { name: 'Students' }).waitFor()
  })

  it('opens a link while the server starts', async () => {
    const window = await windowOf('office')
    const { page } = window
    await seen(window, 'Ada in two')
    let asked = 0
    await page.route(`http://localhost:${server.port}/`, (route) =>
      asked++ === 0
        ? route.fulfill({ status: 503, contentType: 'text/html', body: startingPage })
        : route.continue(),
    )
    await page.goto('about:blank')
    await page.goto(`http://localhost:${server.port}/#/students?search=two`)
    await seen(window, '1 student')
    assert.equal(asked, 2)
  })

  it('is in Arabic from right to left, and in German', async () => {
    const window = await openWindow(server, { locale: 'ar' })
    await window.page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor()
    await assertAccessible(window, 'sign-in in Arabic')
    await window.page.getByLabel('البريد الإلكتروني').fill(emailOf('office'))
    await window.page.getByLabel('كلمة المرور').fill(password)
    await window.page.keyboard.press('Enter')
    await seen(window, 'طالبان')
    assert.equal(await window.page.locator('html').getAttribute('dir'), 'rtl')
    await assertAccessible(window, 'students in Arabic')
    await window.page.getByRole('link', { name: 'Ada in two' }).click()
    await window.page.getByRole('button', { name: 'تعديل: بيانات الطالب' }).click()
    await assertAccessible(window, 'student in Arabic')
    await window.page.goto(`http://localhost:${server.port}/#/students/new`)
    await window.page.getByRole('heading', { name: 'طالب جديد' }).waitFor()
    await assertAccessible(window, 'new student in Arabic')
    await window.page.getByLabel('اللغة').selectOption('de')
    await window.page.getByRole('heading', { name: 'Neu aufnehmen' }).waitFor()
    assert.equal(await window.page.locator('html').getAttribute('dir'), 'ltr')
    await window.page.reload()
    await window.page.getByRole('heading', { name: 'Neu aufnehmen' }).waitFor()
  })

  it('makes one child of a double click, and of a save whose answer was lost', async () => {
    const window = await windowOf('office')
    const { page } = window
    await page.goto(`http://localhost:${server.port}/#/students/new`)
    await page.getByLabel('Name', { exact: true }).first().fill('Once Only')
    await page.getByLabel('Number', { exact: true }).fill('once')
    await page.locator('#field-class_id').fill('class 1')
    await page.getByRole('button', { name: 'Save, and enter the next' }).dblclick()
    await seen(window, /Once Only.* is entered/)
    await page.route('**/api/students?*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch() // it is done, and nobody hears of it
      await route.abort()
    })
    await page.getByLabel('Name', { exact: true }).first().fill('Heard Late')
    await page.getByLabel('Number', { exact: true }).fill('late')
    await page.keyboard.press('Control+s')
    await seen(window, 'Waits for the connection')
    await page.unroute('**/api/students?*')
    await seen(window, /Heard Late.* is entered/)
    for (const name of ['Once+Only', 'Heard+Late']) {
      const { body } = await call(server, 'GET', `/api/students?search=${name}`, { token })
      assert.equal(body.pagination.total, 1, name)
    }
  })

  it('writes to one address alone, whatever signs are in it', async () => {
    const guardians = [{ name: 'Eva', email: 'eva?bcc=spy&cc=x%40y@home.example' }]
    const body = { name: 'Mailed', admission_number: 'mailed', class_id: 1, guardians }
    const { id } = (await call(server, 'POST', '/api/students', { token, body })).body.data
    const window = await openWindow(server, {}, 'localhost', `#/students/${id}`)
    await signIn(window, emailOf('office'), password)
    const written = await window.page.getByRole('link', { name: 'eva' }).getAttribute('href')
    assert.equal(written, 'mailto:eva%3Fbcc%3Dspy%26cc%3Dx%2540y@home.example')
    assert.deepEqual(window.faults, [])
  })

  it('has room for a name of 255 letters without a space, on a narrow screen too', async () => {
    const name = 'ä'.repeat(255)
    const guardians = Array.from({ length: 10 }, (_, i) => ({
      name: `${i}${'g'.repeat(200)}`,
      phone: '0171 5550',
    }))
    const body = { name, admission_number: 'n'.repeat(50), class_id: 1, guardians }
    const { body: made } = await call(server, 'POST', '/api/students', { token, body })
    const window = await windowOf('office', { viewport: { width: 320, height: 640 } })
    const width = 'document.documentElement.scrollWidth'
    await seen(window, name)
    assert.equal(await window.page.evaluate(width), 320)
    await window.page.goto(`http://localhost:${server.port}/#/students/${made.data.id}`)
    await window.page.getByRole('heading', { name }).waitFor()
    assert.equal(await window.page.evaluate(width), 320)
    await window.page.getByRole('button', { name: 'Edit: Guardians' }).click()
    assert.equal(await window.page.evaluate(width), 320)
    await assertAccessible(window, 'a long record')
  })
})
