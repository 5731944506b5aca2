// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  chooseLanguage,
  needsChromium,
  openWindow,
  partsOf,
  signIn,
  type Window,
} from './browser-page.ts'
import { call, changeAt, makeAt } from './calls.ts'
import { addUser, password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

describe('the lists of an office, in the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    const make = (path: string, body: object) => makeAt(server, token, path, body)
    await make('/api/fields', { label: 'House', kind: 'one_of', options: ['Blue', 'Red'] })
    await make('/api/fields', { label: 'Bus', kind: 'yes_no' })
    await make('/api/fields', { label: 'Shoes', kind: 'text' })
    await make('/api/students', {
      ...{ name: 'Zoë Müller', given_name: 'Zoë', family_name: 'Müller', preferred_name: 'Zozo' },
      ...{ admission_number: '0042', class_id: 5, date_of_birth: '2014-03-09', gender: 'f' },
      fields: { house: 'Red', bus: true },
      guardians: [{ name: 'Jörg Müller', phone: '+49 30 901820', email: 'joerg@home.example' }],
    })
    await make('/api/students', { name: 'Ali Öz', admission_number: '0107', class_id: 5 })
    await make('/api/students', {
      ...{ name: 'Mia Abel', given_name: 'Mia', family_name: 'Abel', admission_number: '0009' },
      ...{ class_id: 6, date_of_birth: '2015-01-20', fields: { bus: false } },
    })
    window = await openWindow(server)
    await signIn(window, office, password)
    await count('3 students')
  })
  const count = (text: string) => status(text).waitFor()
  const status = (text: string) =>
    window.page.getByRole('status').filter({ hasText: new RegExp(`^${text}$`) })
  const { notice, button } = partsOf(() => window)
  const menu = (name: string) => window.page.locator('summary').filter({ hasText: name })
  const names = async () => (await window.page.locator('td .name').allInnerTexts()).map((one) => one.trim())
  const heads = () => window.page.locator('th').allInnerTexts()
  const untilNames = (expected: string) =>
    window.page
      .locator('tbody')
      .filter({ hasText: new RegExp(expected, 's') })
      .waitFor()
  const combobox = () => window.page.getByRole('combobox', { name: 'Class, field or value' })
  async function filter(typed: string): Promise<void> {
    if (!(await combobox().isVisible())) await button('+ Filter').click()
    await combobox().fill(typed)
    await window.page.getByRole('listbox').getByRole('option').first().waitFor()
    await window.page.keyboard.press('Enter')
  }
  const leave = () => window.page.keyboard.press('Escape')
  const clear = async () => {
    await window.page.goto(`http://localhost:${server.port}/#/students`)
    await count('3 students')
  }

  it('begin with family names, and the whole name where there is none', async () => {
    assert.deepEqual(
      (await heads()).map((one) => one.replace(/\s▲$/, '')),
      ['Family name', 'Given name', 'Number', 'Class', 'Born', 'Guardians'],
    )
    assert.deepEqual(await names(), ['Abel', 'Müller', 'Ali Öz'])
    await window.page.getByRole('link', { name: 'Müller, Zoë' }).waitFor()
    await window.page.getByText('“Zozo”').waitFor()
    await assertAccessible(window, 'students')
  })

  it('are ordered by the heads of the table', async () => {
    const { page } = window
    const sorted = (order: string) =>
      page.locator(`th[aria-sort=${order}]`).filter({ hasText: 'Number' }).waitFor()
    await button('Number').click()
    await sorted('ascending') // the names stand in the order that they had before
    await untilNames('Abel.*Müller.*Öz')
    await page.keyboard.press('Enter') // the focus stays
    await untilNames('Öz.*Müller.*Abel')
    await sorted('descending')
    assert.match(page.url(), /sort=-admission_number/)
    assert.equal(await button('Class').count(), 0)
    await clear()
  })

  it('show the columns that one chooses, in the order that one puts them in', async () => {
    const { page } = window
    await menu('Columns').click()
    await page.getByRole('checkbox', { name: 'House' }).check()
    await page.getByRole('checkbox', { name: 'Guardians' }).uncheck()
    await assertAccessible(window, 'columns')
    await button('Up: Number').click()
    await page.keyboard.press('Enter')
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Up: Number')
    await page.getByRole('columnheader', { name: 'House' }).waitFor()
    await page.keyboard.press('Escape')
    const { pathname, hash } = new URL(page.url())
    assert.equal(pathname, '/')
    assert.match(
      decodeURIComponent(hash),
      /columns=admission_number,family_name,given_name,class,date_of_birth,fields\.house/,
    )
    await page.reload()
    await page.getByRole('cell', { name: 'Red' }).waitFor()
    assert.match((await heads())[0]!, /^Number/)
    await menu('Columns').click()
    await button('The usual columns').click()
    await page.locator('#column-guardians:checked').waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'House' }).isChecked(), false)
    await page.getByRole('columnheader', { name: 'House' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  })

  it('are filtered by classes, own fields and what is missing, in words that one can take away', async () => {
    const { page } = window
    await button('+ Filter').click()
    await assertAccessible(window, 'filter')
    await filter('class 5')
    await count('2 students')
    await filter('class 6')
    await count('3 students')
    await filter('bus yes')
    await count('1 student')
    await filter('shoes empty')
    await leave()
    assert.equal(await page.locator(':focus').innerText(), '+ Filter')
    assert.deepEqual(await page.locator('.chip bdi').allInnerTexts(), [
      'Class 5',
      'Class 6',
      'Bus: Yes',
      'Shoes: empty',
    ])
    await assertAccessible(window, 'filtered')
    await filter('born not empty')
    await leave()
    await filter('e-mail not empty')
    await page.getByText('No student fits this.').waitFor()
    await page
      .locator('.nothing')
      .filter({ hasText: 'Class 5 · Class 6 · Bus: Yes · Shoes: empty · Born: not empty' })
      .waitFor()
    await leave()
    await assertAccessible(window, 'no hits')
    await button('Remove the filter: E-mail: not empty').click()
    await count('1 student')
    await button('Remove the filter: Bus: Yes').click()
    await count('2 students')
    await clear()
  })

  it('are filtered by days, gender and guardian; what cannot be asked is said at the field', async () => {
    const { page } = window
    await filter('born from')
    await page.getByLabel('Born from …').fill('32/1/2014')
    await page.keyboard.press('Enter')
    await page.getByText('This cannot be read.').waitFor()
    await assertAccessible(window, 'filter by day')
    await page.getByText('For example 25/03/2015').waitFor()
    await page.getByLabel('Born from …').fill('1/1/2015')
    await page.keyboard.press('Enter')
    await count('1 student')
    await filter('born until')
    await page.getByLabel('Born until …').fill('1/1/2014')
    await page.keyboard.press('Enter')
    await page.getByText('The day “until” is before the day “from”.').waitFor()
    await leave()
    await button('Remove the filter: Born: from 1 Jan 2015').click()
    await count('3 students')
    await filter('gender …')
    await page.locator('datalist option[value=f]').waitFor({ state: 'attached' })
    await page.getByLabel('Gender …').fill('f')
    await page.keyboard.press('Enter')
    await count('1 student')
    await clear()
    await filter('guardian …')
    await page.getByLabel('Guardian …').fill('901')
    await page.keyboard.press('Enter')
    await page.getByText('At least four digits, or letters.').waitFor()
    await page.getByLabel('Guardian …').fill('joerg@home')
    await page.keyboard.press('Enter')
    await count('1 student')
    await button('Remove the filter: Guardians: joerg@home').click()
    await count('3 students')
  })

  it('are kept under a name for everyone, changed, renamed and deleted, and back', async () => {
    const { page } = window
    await filter('class 5')
    await leave()
    await button('Number').click()
    await count('2 students')
    await button('Save this list').click()
    await page.getByLabel('Name of the list').fill('')
    await page.keyboard.press('Control+s')
    await page.locator('.fault').waitFor()
    await assertAccessible(window, 'a list without a name')
    await page.getByLabel('Name of the list').fill('Fire drill')
    // Looks at the focus as the form goes, before the page is painted anew.
    const focused = page.evaluate<string>(`new Promise((tell) => new MutationObserver(() => {
      if (document.querySelector('.lists form') === null) tell(document.activeElement.innerText)
    }).observe(document.querySelector('.lists'), { childList: true, subtree: true }))`)
    await page.keyboard.press('Control+s')
    await notice('Fire drill⁩ is saved.')
    assert.equal(await focused, 'Fire drill')
    const link = page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Fire drill' })
    await link.waitFor()
    await page.locator('.lists [aria-current]:focus').waitFor()
    const { body } = await call(server, 'GET', '/api/lists', { token })
    const { id, filters, columns, order } = body.data[0]
    assert.deepEqual([filters, order, columns[0]], [{ class_id: [5] }, 'admission_number', 'family_name'])
    await filter('bus yes')
    await leave()
    await page.getByText('· changed').waitFor()
    await assertAccessible(window, 'a changed list')
    await button('Save the changes of \u2068Fire drill\u2069').click()
    await notice('is saved.')
    await page.getByText('· changed').waitFor({ state: 'detached' })
    await button('Undo').click()
    await notice('Undone.')
    await page.getByText('· changed').waitFor()
    await link.click()
    await count('2 students')
    await button('Rename').click()
    await page.getByLabel('Name of the list').fill('Photo day')
    await page.keyboard.press('Control+s')
    await page.getByRole('link', { name: 'Photo day' }).and(page.locator(':focus')).waitFor()

    const other = await openWindow(server)
    await signIn(other, office, password)
    await other.page.getByRole('link', { name: 'Photo day' }).click()
    await other.page.getByText('1–2 of 2').waitFor()
    assert.equal(new URL(other.page.url()).hash, new URL(page.url()).hash)
    await other.page.getByRole('button', { name: 'Delete', exact: true }).click()
    await other.page.getByRole('link', { name: 'Photo day' }).waitFor({ state: 'detached' })
    await other.page
      .getByRole('button', { name: 'Save this list' })
      .and(other.page.locator(':focus'))
      .waitFor()
    assert.equal((await call(server, 'GET', `/api/lists/${id}`, { token })).status, 404)
    await other.page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await other.page.getByRole('link', { name: 'Photo day' }).waitFor()
    assert.deepEqual(other.faults, [])
    await clear()
  })

  it('are exported as they are shown, by script and by link', async () => {
    const { page } = window
    const { hash } = new URL(page.url())
    await page.goto(`http://localhost:${server.port}/#/students?class=5&columns=name,fields.house&sort=-name`)
    await count('2 students')
    await menu('Export').click()
    await assertAccessible(window, 'export')
    const offered = await page.locator('.files a').allTextContents()
    assert.deepEqual(offered, ['Excel (XLSX)', 'CSV'], 'what people take first comes first')
    const read = async (begin: () => Promise<unknown>) => {
      const [download] = await Promise.all([page.waitForEvent('download'), begin()])
      return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
    }
    const byScript = await read(() => page.getByRole('link', { name: 'CSV' }).click())
    assert.match(byScript.name, /^Students \d{4}-\d\d-\d\d\.csv$/)
    assert.equal(byScript.text, '\ufeffFull name,fields.house\r\nZoë Müller,Red\r\nAli Öz,\r\n')
    const byLink = await read(() =>
      page.evaluate(() => {
        const { document } = globalThis as unknown as {
          document: { querySelector(is: string): { cloneNode(): { click(): void } } }
        }
        document.querySelector('a[href^="/api/students.csv"]').cloneNode().click()
      }),
    )
    assert.match(byLink.name, /^students-\d{4}-\d\d-\d\d\.csv$/)
    assert.equal(byLink.text, byScript.text)
    const sheet = await read(() => page.getByRole('link', { name: 'Excel (XLSX)' }).click())
    assert.match(sheet.text, /^PK/)
    await page.getByLabel('With all fields').check()
    const whole = await read(() => page.getByRole('link', { name: 'CSV' }).click())
    assert.match(whole.text, /Full name,.*Class,.*Email,.*Address,.*Notes,/)
    await leave()
    await page.goto(`http://localhost:${server.port}/#/students?class=5&columns=family_name,class`)
    await page.getByRole('columnheader', { name: 'Family name' }).waitFor()
    await menu('Export').click()
    const inParts = await read(() => page.getByRole('link', { name: 'CSV' }).click())
    assert.match(
      inParts.text,
      /^\ufeffFull name,Family name,Class\r\n(.*\r\n)?Ali Öz,,/,
      'nobody loses a name',
    )
    await leave()
    await page.goto(`http://localhost:${server.port}/${hash}`)
    await clear()
  })

  it('say what failed with the file, and what is wrong with a filter', async () => {
    const { page } = window
    const problem = { code: 'overloaded', status: 503, detail: 'x', request_id: 'r-7', success: false }
    await page.route('**/api/students.xlsx?*', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await menu('Export').click()
    await page.getByRole('link', { name: 'Excel (XLSX)' }).click()
    await page.getByRole('alert').filter({ hasText: 'Request r-7' }).waitFor()
    await assertAccessible(window, 'export failed')
    await leave()
    await page.goto(`http://localhost:${server.port}/#/students?guardian=12`)
    await page.getByRole('alert').filter({ hasText: 'Guardians: At least 4 characters.' }).waitFor()
    await button('Remove the filter: Guardians: 12').click()
    await count('3 students')
  })

  it('go on without a column whose field somebody archives meanwhile', async () => {
    const { page } = window
    const id = await makeAt(server, token, '/api/fields', { label: 'Locker', kind: 'text' })
    const archive = (archived: boolean) => changeAt(server, token, `/api/fields/${id}`, { archived })
    const gone = page.getByRole('alert').filter({ hasText: 'One of the columns is there no more. Try again' })
    const openLockers = async () => {
      await page.goto(`http://localhost:${server.port}/#/students?columns=name,fields.locker`)
      await page.reload()
      await page.getByRole('columnheader', { name: 'Locker' }).waitFor()
    }
    await openLockers()
    await menu('Export').click()
    await archive(true)
    await page.getByRole('link', { name: 'CSV' }).click()
    await gone.waitFor()
    await assertAccessible(window, 'a column that is gone')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ])
    assert.equal(readFileSync(await file.path(), 'utf8').split('\r\n')[0], '\ufeffFull name')
    await leave()
    await archive(false)
    await openLockers()
    await archive(true)
    await page.getByRole('columnheader').getByRole('button').first().click()
    await gone.waitFor()
    await button('Try again').click()
    await page.getByRole('columnheader', { name: 'Locker' }).waitFor({ state: 'detached' })
    await gone.waitFor({ state: 'detached' })
    await clear()
  })

  it('are used without a mouse', async () => {
    const { page } = window
    await page.keyboard.press('Escape')
    await button('+ Filter').focus()
    await page.keyboard.press('Enter')
    await combobox().waitFor()
    await page.keyboard.type('class 6')
    await page.keyboard.press('Enter')
    await count('1 student')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mia Abel' }).waitFor()
    await page.goBack()
    await count('1 student')
    await clear()
  })

  it('take every key that follows the press on “+ Filter”, and choose nothing before the choices are there', async () => {
    const quick = await openWindow(server)
    const { page } = quick
    await signIn(quick, office, password)
    await page.getByText('1–3 of 3').waitFor()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/*.js', (route) => released.then(() => route.continue()))
    const tools = await page.context().newCDPSession(page)
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.keyboard.type('class 5')
    await page.keyboard.press('Enter')
    const typed = page.getByRole('combobox', { name: 'Class, field or value' })
    assert.equal(await typed.inputValue(), 'class 5')
    assert.doesNotMatch(page.url(), /class=/)
    await page.keyboard.press('Escape')
    release()
    await page.getByText('1–2 of 2').waitFor()
    await typed.waitFor({ state: 'detached' })
    assert.match(page.url(), /class=5$/)
    assert.deepEqual(quick.faults, [])
  })

  it('show a teacher what a teacher may see', async () => {
    await addUser(server.databaseUrl, 'teacher@school.example', 'viewer')
    const theirs = await openWindow(server)
    const { page } = theirs
    await signIn(theirs, 'teacher@school.example', password)
    await page.getByRole('link', { name: 'Photo day' }).click()
    await page.getByText('1–2 of 2').waitFor()
    assert.equal(await page.getByRole('button', { name: /Save|Rename|Delete/ }).count(), 0)
    assert.equal(await page.locator('summary').filter({ hasText: 'Export' }).count(), 0)
    assert.equal(await page.getByRole('columnheader', { name: 'Born' }).count(), 0)
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByRole('option', { name: 'Class 7' }).waitFor()
    assert.equal(await page.getByRole('option', { name: /Born|Gender|Guardian/ }).count(), 0)
    assert.deepEqual(theirs.faults, [])
  })

  it('go on with three hundred classes and long names, on a narrow screen and in Arabic', async () => {
    for (let i = 1; i <= 300; i++)
      await call(server, 'POST', '/api/classes', { token, body: { label: `${i} ${'w'.repeat(40)}` } })
    const made = { name: 'n'.repeat(100), filters: { class_id: [5] } }
    assert.equal((await call(server, 'POST', '/api/lists', { token, body: made })).status, 201)
    const narrow = await openWindow(server, { viewport: { width: 320, height: 640 } })
    const { page } = narrow
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    await signIn(narrow, office, password)
    await page.getByRole('link', { name: 'n'.repeat(100) }).waitFor()
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByRole('combobox', { name: 'Class, field or value' }).fill('298')
    await page.getByRole('option', { name: '298' }).waitFor()
    assert.equal(await page.getByRole('listbox').getByRole('option').count(), 1)
    await page.keyboard.press('Enter')
    await page.getByText('No student fits this.').waitFor()
    assert.equal(await width(), 320)
    await assertAccessible(narrow, 'narrow, filter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Search all classes' }).click()
    await page.getByText('1–3 of 3').waitFor()
    await page.locator('summary').filter({ hasText: 'Columns' }).click()
    await page.getByRole('button', { name: 'The usual columns' }).waitFor()
    assert.equal(await width(), 320)
    await assertAccessible(narrow, 'narrow, columns')
    await page.keyboard.press('Escape')
    await chooseLanguage(page, 'ar')
    await page.getByRole('button', { name: '+ تصفية' }).click()
    await page.getByRole('combobox', { name: 'صف أو حقل أو قيمة' }).waitFor()
    await assertAccessible(narrow, 'filter in Arabic')
    assert.equal(await width(), 320)
    await page.keyboard.press('Escape')
    await page.locator('summary').filter({ hasText: 'الأعمدة' }).click()
    await assertAccessible(narrow, 'columns in Arabic')
    assert.deepEqual(narrow.faults, [])
  })

  it('take the whole search that one types on another screen, and Enter opens the only hit', async () => {
    const { page } = window
    const found = (search: string) => page.waitForURL((url) => url.hash === `#/students?search=${search}`)
    await page.goto(`http://localhost:${server.port}/#/imports`)
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
    await page.keyboard.press('/')
    for (const [typed, search] of [
      ['a', 'a'],
      ['bel ', 'abel'], // the space stays for the word that follows
      ['mia', 'abel+mia'],
    ] as const) {
      await page.keyboard.type(typed)
      await found(search)
      await page.getByRole('heading', { name: 'Students', level: 1 }).waitFor()
    }
    await count('1 student')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'abel mia')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mia Abel' }).waitFor()
    assert.equal(await page.locator('h1:focus').count(), 1)
    await clear()
  })

  it('break the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})
