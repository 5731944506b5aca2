// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  needsChromium,
  openWindow,
  otherHost,
  partsOf,
  signIn,
  type Window,
} from './browser-page.ts'
import { call, createStudentAt } from './calls.ts'
import { addUser, password, startServerWith } from './command.ts'
import { asOldBrowser } from './old-browser.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'
const teacher = 'teacher@school.example'

describe('the console, on a server that is busy,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    await createStudentAt(server, token, '1')
    window = await openWindow(server)
  })
  const { heading, seen, field, button } = partsOf(() => window)
  const busy = { code: 'overloaded', status: 503, detail: 'x', request_id: 'r-9', success: false }
  /** Answers the next requests of a kind in the place of the server. @returns how many were answered so */
  async function refuse(path: string, times: number, retryAfter: number): Promise<() => number> {
    let refused = 0
    await window.page.route(path, (route) => {
      if (refused === times) return route.continue()
      refused++
      const headers = { 'content-type': 'application/problem+json', 'retry-after': String(retryAfter) }
      return route.fulfill({ status: 503, headers, body: JSON.stringify(busy) })
    })
    return () => refused
  }

  it('says how long to wait after too many wrong passwords', async () => {
    const { page } = window
    const again = page.getByText(/Too many attempts.*Again in \d+ seconds?\./)
    const wrong = page.getByText('Wrong e-mail address or password.')
    for (let i = 0; i < 20 && !(await again.isVisible()); i++) {
      await signIn(window, office, `wrong ${i}`)
      await page.locator('form.form button[aria-disabled=false]').waitFor()
      await again.or(wrong).first().waitFor()
    }
    await again.waitFor()
    await assertAccessible(window, 'too many attempts')
    const seconds = Number(/Again in (\d+)/.exec(await again.innerText())?.[1])
    assert.ok(seconds > 5 && seconds < 60, `${seconds}`)
  })

  it('waits a little by itself where the server says how long, and the reader sees nothing of it', async () => {
    const { page } = window
    await addUser(server.databaseUrl, 'second@school.example', 'registrar')
    const refused = await refuse('**/api/students?*', 1, 1)
    await signIn(window, 'second@school.example', password)
    await seen('1 student')
    assert.equal(refused(), 1)
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.unroute('**/api/students?*')
  })

  it('shows a longer wait, and tries again by itself when it is over', async () => {
    const { page } = window
    await page.clock.install()
    const refused = await refuse('**/api/students?*', 1, 30)
    await page.getByRole('searchbox').fill('ada')
    await page.clock.runFor(1_000)
    await seen('The server is busy. Try again shortly. Again in 30 seconds.')
    await seen('Request r-9')
    await assertAccessible(window, 'busy')
    assert.equal(refused(), 1)
    await page.clock.runFor(30_000)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await seen('1 student')
    await page.unroute('**/api/students?*')
  })

  it('keeps what was typed where a save is refused so, and saves it once when one presses again', async () => {
    const { page } = window
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await heading('Ada Lovelace')
    await button('Edit: Child').click()
    await field('Called').fill('Countess')
    const refused = await refuse('**/api/students/1', 1, 60)
    await page.keyboard.press('Control+s')
    await seen(/^This could not be saved\./)
    assert.equal(refused(), 1)
    assert.equal(await field('Called').inputValue(), 'Countess')
    await page.keyboard.press('Control+s')
    await heading('Ada Lovelace “Countess”')
    assert.deepEqual(window.faults, [])
  })
})

describe('the console, in two tabs of a browser,', needsChromium, () => {
  it('is one account in both: who signs in as another drops what the one before typed, and sees none of it', async () => {
    const { server, token } = await startServerWith({ [office]: 'registrar', [teacher]: 'viewer' })
    await createStudentAt(server, token, '1')
    const first = await openWindow(server)
    await signIn(first, office, password)
    const parts = partsOf(() => first)
    await first.page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await parts.heading('Ada Lovelace')
    await parts.button('Edit: Child').click()
    await parts.field('Called').fill('Secret')
    const page = await first.page.context().newPage()
    const second = { page, faults: [] }
    await page.goto(`http://localhost:${server.port}/#/students`)
    await page.getByRole('heading', { name: 'Students', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await parts.heading('Sign in')
    assert.doesNotMatch(await first.page.locator('body').innerText(), /Ada/)
    await signIn(second, teacher, password)
    await page.getByRole('heading', { name: 'Students', level: 1 }).waitFor()
    await parts.heading('Ada Lovelace') // the first tab is the teacher's now
    assert.equal(await parts.field('Called').count(), 0)
    assert.equal(await parts.button('Edit: Child').count(), 0)
    assert.equal(await parts.button('Sign out').count(), 1)
    const { body } = await call(server, 'GET', '/api/students/1', { token })
    assert.equal(body.data.preferred_name, null)
    assert.deepEqual(first.faults, [])
  })
})

describe('the console, in a browser that it cannot trust,', needsChromium, () => {
  let server: ServerProcess
  before(async () => {
    ;({ server } = await startServerWith({ [office]: 'registrar' }))
  })

  it('says what to do where plain HTTP keeps no sign-in', async () => {
    const window = await openWindow(server, {}, otherHost)
    await partsOf(() => window).seen('This page needs HTTPS')
    assert.equal(await window.page.getByLabel('Password').count(), 0)
    await assertAccessible(window, 'needs HTTPS')
  })

  it('says that a browser is too old which does not say which page asks, and shows nothing', async () => {
    const window = await openWindow({ port: await asOldBrowser(server) })
    const { heading, seen } = partsOf(() => window)
    await heading('Sign in')
    await signIn(window, office, password)
    await seen('The sign-in was not kept: this browser is too old, or refuses cookies.')
    await assertAccessible(window, 'too old')
    await window.page.reload()
    await heading('Sign in')
    assert.equal(await window.page.getByRole('navigation').count(), 0)
    assert.deepEqual(window.faults, [])
  })
})
