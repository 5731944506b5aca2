// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDatabase } from '../src/db/open.ts'
import { assertAccessible, needsChromium, openWindow, signIn, type Window } from './browser-page.ts'
import { call, makeAt } from './calls.ts'
import { addUser, password, startServerWith } from './command.ts'
import { migratedDatabaseUrl } from './engine.ts'
import { insertStudents } from './many-students.ts'
import { type PrintedPage, printedPages } from './printed-pages.ts'
import { firstAdministrator, type ServerProcess, startServer } from './server.ts'

const office = 'office@school.example'
const teacher = 'teacher@school.example'

/** In points, 72 to an inch; Chromium rounds to a pixel. */
const papers = { A4: [595, 842], Letter: [612, 792] } as const
type Paper = keyof typeof papers

interface PageOfButtons {
  readonly document: { querySelector(selector: string): object | null }
}

const inClass = { 5: 28, 6: 27 } as const
const manyStudents = 1100
const longest = 10_000

describe('what an office prints, from the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar', [teacher]: undefined }))
    const address = 'Hill Road 4\n12345 Hill'
    const school = { name: 'Green Hill School', address, time_zone: 'Europe/Berlin' }
    await send('PATCH', '/api/school', school)
    await make('/api/fields', { label: 'Bus', kind: 'yes_no' })
    await make('/api/students', {
      ...{ name: 'Zoë Müller', given_name: 'Zoë', family_name: 'Müller', preferred_name: 'Zozo' },
      ...{ admission_number: '0042', class_id: 5, date_of_birth: '2014-03-09', fields: { bus: true } },
      guardians: [
        { name: 'Jörg Müller', phone: '+49 30 901820' },
        { name: 'Änne Müller', phone: '0171 2' },
      ],
    })
    await make('/api/students', { name: 'Ali Öz', admission_number: '0107', class_id: 6 })
    await students(inClass[5] - 1, 5)
    await students(inClass[6] - 1, 6)
    window = await openWindow(server)
    await signIn(window, office, password)
    await seen('55 students')
  })

  const make = (path: string, body: object) => makeAt(server, token, path, body)
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': '*' }
    const answer = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 200)
  }
  let number = 1000
  async function students(count: number, class_id: number): Promise<void> {
    const all = Array.from({ length: count }, () => ++number)
    while (all.length > 0)
      await Promise.all(
        all
          .splice(0, 25)
          .map((n) => make('/api/students', { name: `Child C${n}`, admission_number: `${n}`, class_id })),
      )
  }
  const seen = (text: string | RegExp) => window.page.getByText(text).first().waitFor({ state: 'attached' })
  const open = (path: string) => window.page.goto(`http://localhost:${server.port}/#${path}`)
  const printButton = () => window.page.getByRole('button', { name: 'Print', exact: true })
  const ready = () => window.page.locator('button.primary[aria-disabled=false]').waitFor()
  const menu = async (choice: string) => {
    await window.page.locator('summary').filter({ hasText: 'Print' }).click()
    await window.page.getByRole('link', { name: choice, exact: true }).click()
    await ready()
  }
  const heads = async () =>
    (await window.page.locator('.sheet').first().locator('th').allInnerTexts()).map((one) => one.trim())

  /** What comes out of the printer. */
  async function print(paper: Paper): Promise<PrintedPage[]> {
    return printedPages(await window.page.pdf({ format: paper, preferCSSPageSize: true }))
  }
  /** Prints on both papers, and asserts of each page what it always has. @returns the pages of A4 */
  async function printsOnBoth(always: readonly string[], lies: 'upright' | 'sideways' = 'upright') {
    const printed = new Map<Paper, PrintedPage[]>()
    for (const paper of ['A4', 'Letter'] as const) {
      const pages = await print(paper)
      const [short, long] = papers[paper]
      for (const [i, { width, height, text }] of pages.entries()) {
        const off = lies === 'upright' ? [width - short, height - long] : [width - long, height - short]
        assert.ok(Math.hypot(...off) < 2, `${paper}: ${width} by ${height}`)
        for (const one of ['Green Hill School', today(), ...always])
          assert.ok(text.includes(one.replaceAll(/\s/g, '')), `${paper}, page ${i + 1}: ${one} in ${text}`)
        assert.ok(text.includes(`${i + 1}/${pages.length}`), text)
        assert.doesNotMatch(text, /Signout|Back/)
      }
      printed.set(paper, pages)
    }
    return printed.get('A4')!
  }
  const today = () =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Berlin' }).format(new Date())
  const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '')

  it('is the list that one sees, with its filters, columns and order', async () => {
    const { page } = window
    await open('/students?class=5&sort=-admission_number&columns=admission_number,name,guardians,fields.bus')
    await seen('28 students')
    await menu('This list')
    assert.match(await page.title(), /^Print · /)
    assert.deepEqual(await heads(), ['No.', 'Number', 'Name', 'Guardians', 'Bus'])
    const rows = await page.locator('.sheet tbody tr').allInnerTexts()
    assert.equal(rows.length, 28)
    assert.match(rows[0]!, /^1\s+1027\s+Child C1027/)
    assert.match(
      rows[27]!,
      /^28\s+0042\s+Zoë Müller “Zozo”\s+Jörg Müller \+49 30 901820\s+Änne Müller 0171 2\s+Yes/,
    )
    await assertAccessible(window, 'a list to print')
    const pages = await printsOnBoth(['Class 5', '28 students', 'Number', 'Guardians', 'Bus'])
    assert.ok(pages.length <= 2)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Students', level: 1 }).waitFor()
    assert.match(page.url(), /#\/students\?class=5&sort=-admission_number&columns=/)
  })

  it('has boxes to tick and empty columns with heads, up to five of each, upright or sideways', async () => {
    const { page } = window
    await menu('With boxes to tick')
    assert.equal(await page.locator('.sheet tbody tr').first().locator('.box').count(), 1)
    await page.getByLabel('Boxes to tick').selectOption('5')
    await page.getByLabel('Empty columns').selectOption('2')
    await page.getByLabel('Their heads').fill('Mon, Tue, Wed, Thu, Fri, Trip')
    await page.getByLabel('Paper').selectOption('sideways')
    await page.getByLabel('Students on a page').fill('10')
    await page.getByLabel('Title').fill('Swim')
    // Keys that follow Enter before the page is painted anew stay.
    await page.evaluate(`new Promise((painted) => {
      document.activeElement.dispatchEvent(new Event('change', { bubbles: true }))
      queueMicrotask(() => document.execCommand('insertText', false, 'ming'))
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted)))
    })`)
    await page.keyboard.press('Tab')
    await page.getByRole('table', { name: 'Swimming' }).waitFor()
    assert.deepEqual((await heads()).slice(-7), ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Trip', ''])
    await assertAccessible(window, 'a list with boxes')
    const pages = await printsOnBoth(['Swimming', '28 students', 'Mon', 'Trip'], 'sideways')
    assert.equal(pages.length, 3)
    const address = decodeURIComponent(page.url())
    assert.match(address, /ticks=5/)
    await page.reload()
    await page.getByRole('table', { name: 'Swimming' }).waitFor()
    assert.deepEqual((await heads()).slice(-7), ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Trip', ''])
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Students', level: 1 }).waitFor()
  })

  it('is one page a class, two clicks from Today', async () => {
    const { page } = window
    await page.getByRole('link', { name: 'Classes', exact: true }).click()
    await page.getByRole('link', { name: 'Print: Class 6' }).click()
    await page.getByRole('table', { name: 'Class 6' }).waitFor()
    assert.equal(await page.locator('.sheet').count(), 1)
    const toColumns = page.locator('.hint.unprinted a')
    assert.match((await toColumns.getAttribute('href'))!, /^#\/students\?.*class=/)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Classes', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await page.getByRole('link', { name: 'Print all classes' }).click()
    await ready()
    await page.evaluate("addEventListener('beforeprint', () => (window.printed = true))")
    await printButton().click()
    assert.equal(await page.evaluate('window.printed'), true)
    assert.deepEqual(await heads(), ['No.', 'Family name', 'Given name', 'Number', 'Born'])
    await assertAccessible(window, 'all classes')
    const named = await page.locator('.sheet').nth(1).locator('tbody tr').allInnerTexts()
    assert.match(named.find((row) => row.includes('0107'))!, /^\d+\s+Ali Öz\s+–\s+0107/)
    const pages = await printsOnBoth(['No.', 'Family name', 'Number', 'Born'])
    assert.equal(pages.length, 2)
    for (const [i, of] of ([5, 6] as const).entries()) {
      assert.ok(pages[i]!.text.includes(withoutBlanks(`Class ${of}`)))
      assert.ok(pages[i]!.text.includes(`${inClass[of]}students`))
      assert.ok(!pages[i]!.text.includes(withoutBlanks(`Class ${11 - of}`)))
    }
    assert.ok(pages[0]!.text.includes('9Mar2014'))
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  })

  it('is a list for the photographer: a page a class, with a box and a column for notes', async () => {
    await open('/print?as=photo')
    await ready()
    assert.deepEqual(await heads(), ['No.', 'Family name', 'Given name', 'Number', 'Photo', 'Note'])
    const pages = await printsOnBoth(['Photo day', 'Photo', 'Note'])
    assert.equal(pages.length, 2)
    await assertAccessible(window, 'photo day')
    await open('/print?as=list&blanks=1') // room for what is written
    await window.page.getByRole('columnheader', { name: 'Class' }).waitFor()
    assert.deepEqual(await heads(), ['No.', 'Family name', 'Given name', 'Number', 'Class', ''])
  })

  it('keeps its layout with a named list, for everyone', async () => {
    const { page } = window
    await make('/api/lists', {
      name: 'Fire drill',
      filters: { class_id: [6] },
      order: 'name',
      columns: ['name'],
    })
    await open('/students')
    await page.getByRole('link', { name: 'Fire drill' }).click()
    await seen('27 students')
    await menu('This list')
    await page.getByRole('table', { name: 'Fire drill' }).waitFor()
    await page.getByLabel('Students on a page').fill('9')
    await page.getByLabel('Title').fill('Assembly point')
    await page.keyboard.press('Tab')
    const keep = page.getByRole('button', { name: 'Keep this layout with \u2068Fire drill\u2069' })
    await keep.click()
    await seen('The layout is kept with')
    await keep.waitFor({ state: 'detached' })
    const print = async () => (await call(server, 'GET', '/api/lists', { token })).body.data[0].print
    assert.deepEqual(await print(), { title: 'Assembly point', orientation: 'portrait', rows_per_page: 9 })
    assert.equal((await printsOnBoth(['Assembly point', '27 students', 'Name'])).length, 3)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('table', { name: 'Fire drill' }).waitFor()
    assert.deepEqual(await print(), { title: null, orientation: 'portrait', rows_per_page: null })
  })

  it('fits on the paper where names are long and have no blank', async () => {
    const { page } = window
    const name = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(7)
    const body = { name, family_name: name, given_name: 'A', admission_number: 'N'.repeat(40), class_id: 8 }
    await make('/api/students', { ...body, notes: name })
    await open('/print?as=list&class=8&columns=family_name,given_name,name,admission_number,class,notes')
    await page.getByRole('columnheader', { name: 'Notes' }).waitFor()
    await ready()
    const { width } = page.viewportSize()!
    await page.setViewportSize({ width: 700, height: 1000 }) // an upright sheet without its margins, in pixels
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 700)
    await page.emulateMedia({ media: null })
    await page.setViewportSize({ width: 320, height: 640 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await assertAccessible(window, 'long names, 320 pixels wide')
    await page.setViewportSize({ width, height: 768 })
    await printsOnBoth(['Class 8', '1 student', 'Notes'])
  })

  it('is one record, and a confirmation of enrolment to be signed', async () => {
    const { page } = window
    await open('/students/1')
    await page.getByRole('heading', { name: 'Zoë Müller', level: 1 }).waitFor()
    await menu('Record')
    assert.doesNotMatch(await page.title(), /Zo/)
    await assertAccessible(window, 'a record')
    const [record] = await printsOnBoth([
      'Record',
      'Zoë Müller',
      '0042',
      'Jörg Müller',
      '+49 30 901820',
      'Bus',
    ])
    assert.ok(!record!.text.includes('History'))
    await page.getByLabel('What').selectOption('Confirmation of enrolment')
    await seen('We confirm')
    await assertAccessible(window, 'a confirmation')
    const pages = await printsOnBoth(['Confirmation of enrolment', 'Hill Road 4', '12345 Hill'])
    assert.equal(pages.length, 1)
    for (const text of ['Zoë Müller', '9 Mar 2014', 'Class 5', '0042', 'Stamp of the school', 'signature'])
      assert.ok(pages[0]!.text.includes(withoutBlanks(text)), text)
    assert.ok(!pages[0]!.text.includes('Jörg'))
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Zoë Müller', level: 1 }).waitFor()
  })

  it('is all of more than a thousand, also where the list changes while it is read', async () => {
    const { page } = window
    await students(manyStudents - 56, 7)
    let reads = 0
    await page.route(/per_page=1000/, async (route) => {
      if (++reads === 2)
        await make('/api/students', { name: 'Aaa First', admission_number: 'first', class_id: 7 })
      await route.continue()
    })
    await open('/print?as=list&sort=name&columns=name,admission_number,class')
    await ready()
    assert.equal(reads, 4)
    assert.equal(await page.locator('.sheet tbody tr').count(), manyStudents + 1)
    const numbers = await page.locator('.sheet tbody td:nth-child(3)').allInnerTexts()
    assert.equal(new Set(numbers).size, manyStudents + 1)
    const pages = await printsOnBoth(['Students', '1,101 students', 'No.', 'Name', 'Number', 'Class'])
    assert.ok(pages.length >= 25, `${pages.length}`)
    const drawn = pages.map(({ text }) => text).join('')
    for (const number of numbers) assert.ok(drawn.includes(number))
  })

  it('waits where the connection breaks half-way: nothing is printed before all are there', async () => {
    const { page } = window
    await page.unroute(/per_page=1000/)
    await page.route(/page=2&per_page=1000/, (route) => route.abort())
    await open('/print?as=list&columns=name')
    await page.getByRole('alert').filter({ hasText: 'This could not be loaded.' }).waitFor()
    await seen('1,000 of 1,101 are read.')
    assert.equal(await printButton().getAttribute('aria-disabled'), 'true')
    await assertAccessible(window, 'half a list')
    const [half, ...others] = await print('A4')
    assert.ok(half!.text.includes('sonothingisprinted'))
    assert.doesNotMatch(half!.text, /ChildC/)
    assert.equal(others.length, 0)
    await page.unroute(/page=2&per_page=1000/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await ready()
    assert.equal(await page.locator('.sheet tbody tr').count(), manyStudents + 1)
  })

  it('lies from right to left in Arabic, with the names as they are', async () => {
    const { page } = window
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
    await open('/print?as=classes&class=5')
    await page.locator('.sheet[class*=portrait]').waitFor()
    await ready()
    assert.equal(await page.locator('.sheet').evaluate((sheet) => sheet.matches(':dir(rtl)')), true)
    assert.equal((await heads())[0], 'م')
    await assertAccessible(window, 'Arabic')
    const pages = await print('A4')
    assert.equal(pages.length, 1)
    for (const text of ['GreenHillSchool', 'Class5', '28', 'Müller', '1/1'])
      assert.ok(pages[0]!.text.includes(text), text)
    await page.locator('select').first().selectOption('en')
  })

  it('is only what the account may see: a teacher prints one class, without what is sensitive', async () => {
    const { body } = await call(server, 'GET', '/api/users?per_page=100', { token })
    const { id } = body.data.find(({ email }: { email: string }) => email === teacher)
    const { body: roles } = await call(server, 'GET', '/api/roles?per_page=100', { token })
    const role = roles.data.find(({ name }: { name: string }) => name === 'viewer')
    await send('PUT', `/api/users/${id}/roles`, { roles: [{ role_id: role.id, class_ids: [5] }] })
    const own = await openWindow(server)
    const before = window
    window = own
    await signIn(own, teacher, password)
    await seen('28 students')
    await open('/print?as=classes')
    await ready()
    assert.deepEqual(await heads(), ['No.', 'Family name', 'Given name', 'Number'])
    const pages = await printsOnBoth(['Class 5', '28 students'])
    assert.equal(pages.length, 1)
    assert.doesNotMatch(pages.map(({ text }) => text).join(''), /Öz|Class6|2014/)
    await open('/print?as=confirmation&student=1')
    await seen('We confirm')
    assert.doesNotMatch(await own.page.locator('.sheet').innerText(), /Born|2014|Jörg/)
    await open('/print?as=record&student=2')
    await seen('This is not there, or you may not see it.')
    assert.deepEqual(own.faults, [])
    window = before
  })

  it('is one page for a class of forty, and says what takes more, and which columns are left out', async () => {
    await students(40, 9)
    await students(65, 10)
    await students(34, 11)
    await open('/print?as=classes&class=9')
    await ready()
    await seen(
      'Not printed: Guardians. To print them too, choose them under “Columns” in the list of students.',
    )
    assert.equal(await window.page.getByText('Too long for one page').count(), 0)
    await assertAccessible(window, 'a class of forty')
    for (const paper of ['A4', 'Letter'] as const) {
      const pages = await print(paper)
      assert.deepEqual(
        pages.map(({ text }) => text.includes('40students')),
        [true],
        paper,
      )
    }
    await open('/print?as=classes&class=10')
    await ready()
    await seen(/Too long for one page: .Class 10. \(65 students, about 2 pages\)/)
    for (const paper of ['A4', 'Letter'] as const) assert.equal((await print(paper)).length, 2, paper)
    for (const query of ['as=classes&class=11', 'as=classes&class=5&paper=landscape']) {
      await open(`/print?${query}`)
      await window.page
        .locator(query.includes('landscape') ? '.sheet.landscape' : '.sheet.portrait')
        .waitFor()
      await ready()
      for (const paper of ['A4', 'Letter'] as const) assert.equal((await print(paper)).length, 1, query)
    }
    await open('/print?as=photo&class=9')
    await window.page.getByRole('columnheader', { name: 'Photo' }).waitFor()
    await ready()
    assert.equal((await print('Letter')).length, 1)
  })

  it('breaks the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})

describe('the longest list that is printed at once', needsChromium, () => {
  it('has 10,000 students; of a longer one it is said that it is to be filtered', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const db = await openDatabase(databaseUrl)
    const names = Array.from({ length: longest }, (_, i) => `Child ${i}`)
    await insertStudents(db, names)
    await db.destroy()
    const server = await startServer(databaseUrl, { HOST: 'localhost' })
    const token = await firstAdministrator(server)
    const body = { name: 'One More', admission_number: 'more', class_id: 2 }
    await makeAt(server, token, '/api/students', body)
    await addUser(server.databaseUrl, office, 'registrar')
    const window = await openWindow(server)
    const { page } = window
    await signIn(window, office, password)
    await page.getByText('10,001 students').waitFor()
    await page.goto(`http://localhost:${server.port}/#/print?as=list`)
    await page.getByRole('alert').filter({ hasText: 'More than 10,000 students' }).waitFor()
    await assertAccessible(window, 'too long a list')
    await page.goto(`http://localhost:${server.port}/#/print?as=list&class=1`)
    // By the page itself: locators walk through all cells each time they look.
    await page.waitForFunction(() => {
      const { document } = globalThis as unknown as PageOfButtons
      return document.querySelector('button.primary[aria-disabled=false]') !== null
    })
    assert.equal(await page.evaluate("document.querySelectorAll('.sheet tbody tr').length"), longest)
    assert.deepEqual(window.faults, [])
  })
})
