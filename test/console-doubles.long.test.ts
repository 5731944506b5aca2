// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  chooseLanguage,
  look,
  needsChromium,
  openWindow,
  signIn,
  type Window,
} from './browser-page.ts'
import { call, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const [office, viewer] = ['office@school.example', 'viewer@school.example']

describe('children who look like one, in the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar', [viewer]: 'viewer' }))
    window = await at(office)
  })
  async function at(email: string): Promise<Window> {
    const window = await openWindow(server, {}, 'localhost', '#/doubles')
    await signIn(window, email, password)
    return window
  }
  let last = 0
  async function make(child: object): Promise<void> {
    const body = { admission_number: `N-${++last}`, class_id: 5, ...child }
    await makeAt(server, token, '/api/students', body)
  }
  const total = async () => (await call(server, 'GET', '/api/doubles', { token })).body.pagination.total
  const pairs = () => window.page.getByRole('region')
  const count = (text: string) =>
    window.page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${text}$`) })
      .waitFor()
  const notice = (text: string | RegExp) =>
    window.page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })

  it('are none at first', async () => {
    await window.page.getByText('No two children look like one.').waitFor()
    await look(window, 'doubles-none')
  })

  it('stand beside each other, with all that one may see and what tells them apart', async () => {
    const { page } = window
    const born = { date_of_birth: '2014-03-09' }
    const guardians = [{ name: 'Jörg Müller', phone: '+49 30 901820' }, { name: 'Eva Müller' }]
    await make({ name: 'Zoë Müller', ...born, guardians, address: 'Lindenweg 4\nBerlin' })
    await make({ name: 'Zoe Mueller', ...born })
    await make({ name: 'Zoe Muller', ...born, class_id: 6 })
    await page.reload()
    await count('3 pairs')
    await pairs().first().waitFor()
    const first = pairs().filter({ hasText: 'N-1' }).filter({ hasText: 'N-3' })
    await first.getByText('The same name and date of birth').waitFor()
    const row = (name: string) => first.getByRole('row', { name: new RegExp(`^${name}`) })
    assert.match(await row('Class').innerText(), /Class 5\s+Class 6/)
    assert.match(await row('Guardians').innerText(), /Jörg Müller.?, .?\+49 30 901820.?\s+.?Eva Müller.?\s+–/)
    assert.equal(await row('Gender').count(), 0)
    await look(window, 'doubles-pairs')
    await first.getByRole('link', { name: 'Zoe Muller' }).click()
    await page.getByRole('heading', { name: 'Zoe Muller', level: 1 }).waitFor()
    await page.goBack()
    await count('3 pairs')
  })

  it('are two when one says so, which can be undone', async () => {
    const { page } = window
    const before = await total()
    const second = await pairs().nth(1).getByRole('heading').innerText()
    // Looks at the focus as the pair goes, before the page is painted anew.
    const focused = page.evaluate<string>(`new Promise((tell) =>
      new MutationObserver(() => tell(document.activeElement.innerText))
        .observe(document.querySelector('.double').parentElement, { childList: true }))`)
    await page.getByRole('button', { name: 'Two children' }).first().click()
    await notice(/are two children\./)
    await count('2 pairs')
    assert.equal(await total(), before - 1)
    assert.equal(await focused, second)
    await look(window, 'doubles-settled')
    await page.getByRole('link', { name: 'Today' }).click()
    const told = page.locator('.history > li').first()
    await told.filter({ hasText: /Zoë Müller.* · .*Zoe Mueller/ }).waitFor()
    await page.goBack()
    await count('2 pairs')
    await page.getByRole('link', { name: 'Today' }).click()
    await told.getByRole('button', { name: 'Undo' }).click()
    await notice('Undone.')
    assert.equal(await total(), before)
    await page.goBack()
    await page.getByRole('button', { name: 'Two children' }).first().click()
    await count('2 pairs')
    await page.getByRole('button', { name: 'Undo' }).click()
    await notice('The pair is shown again.')
    await count('3 pairs')
    assert.equal(await total(), before)
  })

  it('are shown page by page', async () => {
    const { page } = window
    for (const letter of 'abcdefghijklmnopqr')
      for (let twin = 0; twin < 2; twin++) await make({ name: `Child ${letter.repeat(6)}`, class_id: 2 })
    await page.reload()
    await count('21 pairs')
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Page 2 of 3').waitFor()
    await page.getByRole('link', { name: 'Child hhhhhh' }).first().waitFor()
    assert.match(page.url(), /#\/doubles\?page=2$/)
    const wanted = page.getByLabel('Page 2 of 3')
    for (const none of ['4', '', '1.5']) {
      await wanted.fill(none)
      await wanted.press('Enter')
      assert.match(page.url(), /#\/doubles\?page=2$/, 'the browser says what can be typed')
    }
    await wanted.fill('3')
    await page.getByRole('button', { name: 'Go to page' }).click()
    await page.getByRole('link', { name: 'Child rrrrrr' }).first().waitFor()
    assert.equal(await pairs().count(), 1)
    assert.match(page.url(), /#\/doubles\?page=3$/)
    await page.getByRole('button', { name: 'Two children' }).click()
    await count('20 pairs')
    await page.getByRole('link', { name: 'Child qqqqqq' }).first().waitFor()
    assert.match(page.url(), /#\/doubles\?page=2$/)
  })

  it('are told apart by those alone who may change both', async () => {
    const theirs = await at(viewer)
    await theirs.page.getByRole('link', { name: 'Child aaaaaa' }).first().waitFor()
    assert.equal(await theirs.page.getByText('Zoë Müller').count(), 0)
    assert.equal(await theirs.page.getByRole('button', { name: 'Two children' }).count(), 0)
    await assertAccessible(theirs, 'doubles of a viewer')
  })

  it('say what failed, and stay', async () => {
    const { page } = window
    const problem = { code: 'internal_error', status: 500, detail: 'x', request_id: 'r-1', success: false }
    await page.route('**/api/doubles/*/*', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await page.getByRole('button', { name: 'Two children' }).first().click()
    await page.getByRole('alert').filter({ hasText: 'This could not be saved.' }).waitFor()
    await page.getByText('Request r-1').waitFor()
    await look(window, 'doubles-failed')
    assert.equal(await pairs().count(), 10)
    await page.unroute('**/api/doubles/*/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  it('are the same in Arabic and German, and fit a narrow page', async () => {
    const { page } = window
    await chooseLanguage(page, 'ar')
    await page.getByRole('button', { name: 'طالبان مختلفان' }).first().waitFor()
    await look(window, 'doubles-arabic')
    await page.setViewportSize({ width: 320, height: 640 })
    for (const language of ['ar', 'de']) {
      await chooseLanguage(page, language)
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(beyond, 0, language)
      await look(window, `doubles-narrow-${language}`)
    }
    assert.deepEqual(window.faults, [])
  })
})
