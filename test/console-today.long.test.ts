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
import { call, changeAt, logInAt, makeAt } from './calls.ts'
import { addUser, password, runCommand, runWell, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'
const teacher = 'teacher@school.example'

/** A window where somebody has signed in, at what opens then. */
async function begin(server: ServerProcess, email: string, options = {}): Promise<Window> {
  const window = await openWindow(server, options, 'localhost', '')
  await signIn(window, email, password)
  return window
}

async function addTeacher({ databaseUrl }: ServerProcess, classId: number): Promise<void> {
  const { status, stderr } = await runCommand(
    ['user', 'add', '--email', teacher, '--name', 'Mia', '--role', 'viewer', '--class', `${classId}`],
    { databaseUrl, stdin: `${password}\n` },
  )
  assert.equal(status, 0, stderr)
}

describe('Today, in the console,', needsChromium, () => {
  let server: ServerProcess
  let first: string
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token: first } = await startServerWith({ [office]: 'registrar' }))
    await addTeacher(server, 5)
    token = await logInAt(server, office)
    const born = { date_of_birth: '2014-03-09' }
    const phone = [{ name: 'Jörg Müller', phone: '+49 30 901820' }]
    for (const [i, child] of [
      { name: 'Zoë Müller', class_id: 5, ...born, guardians: phone },
      { name: 'Ali Öz', class_id: 5, guardians: [] },
      { name: 'Mia Braun', class_id: 6, date_of_birth: '2015-01-20', guardians: [{ name: 'Eva Braun' }] },
      { name: 'Zoe Muller', class_id: 6, ...born, guardians: phone },
    ].entries()) {
      const body = { admission_number: `N-${i + 1}`, ...child }
      await makeAt(server, token, '/api/students', body)
    }
    window = await begin(server, office)
  })
  const heading = (name: string) => window.page.getByRole('heading', { name, level: 1 }).waitFor()
  const link = (name: string | RegExp) => window.page.getByRole('link', { name, exact: true })
  const back = async () => {
    await link('Today').click()
    await heading('Today')
  }

  it('opens after the sign-in, first in the menu, and tells how many students there are', async () => {
    const { page } = window
    await heading('Today')
    assert.match(await page.title(), /^Today · /)
    await page.getByRole('status').filter({ hasText: '4 students' }).waitFor()
    const menu = await page.getByRole('navigation').getByRole('link').allInnerTexts()
    assert.deepEqual(menu, ['Today', 'Students', 'New student', 'Classes', 'Import', 'Log'])
    await link('Possible doubles 1').waitFor()
    await link('Zoe Muller').waitFor()
    await look(window, 'today-light')
  })

  for (const [name, said] of [
    ['Without a date of birth 1', 'Born: empty'],
    ['Without a guardian’s phone number 2', 'Guardian’s phone: empty'],
  ] as const)
    it(`counts “${name}”, and leads to just these`, async () => {
      const { page } = window
      await back()
      await link(name).click()
      await heading('Students')
      await page.getByText(said).waitFor()
      const count = name.at(-1) === '1' ? '1 student' : '2 students'
      await page.getByRole('status').filter({ hasText: count }).waitFor()
    })

  it('shows how many each class has, and leads to its students', async () => {
    const { page } = window
    await back()
    const row = page.getByRole('table', { name: 'Students by class' }).getByRole('row', { name: /^Class 6/ })
    assert.match(await row.innerText(), /Class 6\s+2/)
    assert.equal(await row.locator('rect').getAttribute('width'), '100%')
    await row.getByRole('link').click()
    await page.getByRole('status').filter({ hasText: '2 students' }).waitFor()
    assert.match(page.url(), /#\/students\?class=6$/)
  })

  it('leads to the children who look like one, and back', async () => {
    await back()
    await link('Possible doubles 1').click()
    await heading('Possible doubles')
    await window.page.goBack()
    await heading('Today')
  })

  it('shows what one changed last, with its undo, and counts anew', async () => {
    const { page } = window
    await changeAt(server, token, '/api/students/2', { date_of_birth: '2014-05-01' })
    await link('Students').click()
    await back()
    const newest = page.locator('.history > li').first()
    await newest.getByRole('link', { name: 'Ali Öz' }).waitFor()
    assert.equal(await link(/^Without a date of birth/).count(), 0)
    await newest.getByRole('button', { name: /^Undo.*Ali Öz/ }).click()
    await page.getByRole('status').filter({ hasText: 'Undone.' }).waitFor()
    await link('Without a date of birth 1').waitFor()
    await newest.getByRole('button', { name: /^Undo the undo.*Ali Öz/ }).waitFor()
    await look(window, 'today-undone')
    const { body } = await call(server, 'GET', '/api/students/2', { token })
    assert.equal(body.data.date_of_birth, null)
    await link('More in the log').click()
    await heading('What you changed')
  })

  it('tells of an import that waits, and leads to it', async () => {
    const { page } = window
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
    const body = 'Name;Admission number;Class\nTom Öz;N-9;Class 5\n'
    const sent = await fetch(`${server.url}/api/imports?file_name=new.csv`, { method: 'POST', headers, body })
    assert.equal(sent.status, 202)
    await back()
    await link('Unfinished imports 1').click()
    await page.getByRole('heading', { name: 'Unfinished imports' }).waitFor()
    await link('new.csv').waitFor()
    await assertAccessible(window, 'unfinished imports')
    await call(server, 'POST', '/api/imports/1/cancel', { token })
    await back()
    await page.getByText('Unfinished imports 0').waitFor()
    assert.equal(await page.getByText('Unfinished imports of classes').count(), 0)
    const labels = { method: 'POST', headers, body: 'label\nClass 13\n' }
    assert.equal((await fetch(`${server.url}/api/imports?kind=classes`, labels)).status, 202)
    await link('Students').click()
    await back()
    await link('Unfinished imports of classes 1').click()
    await link('Import 2').waitFor()
    await link('All imports').click()
    await page.getByRole('heading', { name: 'Past imports' }).waitFor()
    assert.match(page.url(), /kind=classes$/)
    await call(server, 'POST', '/api/imports/2/cancel', { token })
  })

  it('shows what came before a large import too, with few requests', async () => {
    const { page } = window
    const rows = Array.from({ length: 120 }, (_, i) => {
      const born = new Date(Date.UTC(2012, 0, 1 + 9 * i)).toISOString().slice(0, 10)
      return `Pupil ${i};P-${i};Class 7;${born};Parent ${i};0171 ${1000 + i}`
    })
    const head = 'Name;Admission number;Class;Date of birth;guardian_1_name;guardian_1_phone'
    await link('Import').click()
    await page.getByText('What is to be done with the students of the file?').waitFor()
    await page.getByLabel('Or paste the rows').fill([head, ...rows].join('\n'))
    await page.getByRole('button', { name: 'Read the file' }).click()
    await page.getByRole('button', { name: 'Import 120 rows' }).click()
    await page.getByText('120 added, 0 changed.').waitFor()
    let asked = 0
    page.on('request', (request) => (asked += request.url().includes('/api/audit') ? 1 : 0))
    await back()
    const changes = page.locator('.history > li')
    await changes.nth(4).waitFor()
    await changes.nth(0).getByText('Import 3').first().waitFor()
    await changes.nth(1).getByText('Ali Öz').first().waitFor() // names come after
    assert.equal(await changes.count(), 5)
    assert.equal(asked, 2)
  })

  it('says what could not be counted, and tries again', async () => {
    const { page } = window
    const problem = { code: 'internal_error', status: 500, detail: 'x', request_id: 'r-1', success: false }
    await page.route('**/api/doubles?*', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await back()
    await link('Students').click()
    await back()
    const alert = page.getByRole('alert').filter({ hasText: 'Possible doubles: This could not be loaded.' })
    await alert.getByText('Request r-1').waitFor()
    await link('Without a date of birth 1').waitFor()
    await look(window, 'today-failed')
    await page.unroute('**/api/doubles?*')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await link('Possible doubles 1').waitFor()
  })

  it('shows a teacher their class alone, and nothing that they may not see', async () => {
    const theirs = await begin(server, teacher)
    const { page } = theirs
    await page.getByRole('status').filter({ hasText: '2 students' }).waitFor()
    await page.getByText('You have changed nothing yet.').waitFor()
    await page.getByRole('link', { name: 'Log' }).click()
    await page.getByText('What you change will stand here').waitFor()
    await look(theirs, 'log-teacher')
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await page.getByText('Possible doubles 0').waitFor()
    const table = page.getByRole('table', { name: 'Students by class' })
    assert.equal(await table.getByRole('row').count(), 2)
    await page.getByRole('link', { name: 'Print the class' }).waitFor()
    for (const text of ['Without', 'Unfinished', 'Class 6'])
      assert.equal(await page.getByText(text).count(), 0, text)
    await look(theirs, 'today-teacher')
    assert.deepEqual(theirs.faults, [])
  })

  it('counts what is missing in the classes alone whose students one sees whole', async () => {
    const counsel = 'counsel@school.example'
    await addUser(server.databaseUrl, counsel, 'viewer')
    const body = { name: 'Counsel', permissions: ['students.sensitive'] }
    assert.equal((await call(server, 'POST', '/api/roles', { token: first, body })).status, 201)
    const grant = ['user', 'grant', counsel, 'Counsel', '--class', '6', '--yes']
    await runWell(grant, { databaseUrl: server.databaseUrl })
    const theirs = await begin(server, counsel)
    const { page } = theirs
    await page.getByText('Without a date of birth 0').waitFor()
    await page.getByRole('link', { name: 'Without a guardian’s phone number 1' }).click()
    await page.getByRole('status').filter({ hasText: '1 student' }).waitFor()
    assert.match(page.url(), /#\/students\?class=6&guardian_phone\.empty=true$/)
    assert.deepEqual(theirs.faults, [])
  })

  it('shows thirty classes, and all when one asks for them', async () => {
    const { page } = window
    for (let i = 1; i <= 20; i++)
      await call(server, 'POST', '/api/classes', { token, body: { label: `Later ${i}` } })
    await link('Students').click()
    await back()
    const rows = page.getByRole('table', { name: 'Students by class' }).getByRole('row')
    await rows.nth(30).waitFor()
    assert.equal(await rows.count(), 31)
    await page.getByRole('button', { name: 'Show all 32 classes' }).click()
    await rows.nth(32).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Show all/ }).count(), 0)
  })

  it('is the same in Arabic and German, and fits a narrow page', async () => {
    const { page } = window
    await page.evaluate('scrollTo(0, 0)') // else the head of the page lies over a row
    await chooseLanguage(page, 'ar')
    await page.getByRole('heading', { name: 'اليوم', level: 1 }).waitFor()
    await look(window, 'today-arabic')
    await page.setViewportSize({ width: 320, height: 640 })
    for (const language of ['ar', 'de']) {
      await chooseLanguage(page, language)
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(beyond, 0, language)
      await look(window, `today-narrow-${language}`)
    }
    assert.deepEqual(window.faults, [])
  })
})

describe('Today, where the register is empty,', needsChromium, () => {
  it('says how the first students come in', async () => {
    const { server } = await startServerWith({ [office]: 'registrar' })
    await addTeacher(server, 5)
    const window = await begin(server, office)
    const { page } = window
    await page.getByText('There are no students yet.').waitFor()
    assert.equal(await page.getByRole('table').count(), 0)
    await look(window, 'today-empty')
    await page.getByRole('link', { name: 'Add the first student' }).waitFor()
    await page.getByRole('link', { name: 'Import a list' }).click()
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
    const theirs = await begin(server, teacher)
    await theirs.page.getByText('There are no students yet.').waitFor()
    assert.equal(await theirs.page.getByRole('link', { name: /^(Add|Import)/ }).count(), 0)
  })
})
