// Runs in a browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { look as lookAt, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { call, changeAt, makeAt, newestImportAt } from './calls.ts'
import { addUser, password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

const file = [
  'Name;Admission number;Class;Date of birth;Bus line',
  'Mia Braun;2026-0100;Class 5;13.9.2015;A',
  'Tom Öz;2026-0101;5 blue;14.9.2015;B',
  'Ali Öz;2026-0002;Class 6;;B',
  'Anna Weiß;2026-0102;Class 5;4.5.2015;A',
  'No Day;2026-0103;Class 5;99.99.2015;A',
].join('\n')

interface FieldOfForm {
  value: string
  dispatchEvent(event: Event): void
  readonly form: { requestSubmit(): void }
}

describe('an import in the console', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    await addUser(server.databaseUrl, 'teacher@school.example', 'viewer')
    for (const body of [
      { name: 'Ali Öz', admission_number: '2026-0002', class_id: 5 },
      { name: 'Anne Weiß', admission_number: '2026-0003', class_id: 5, date_of_birth: '2015-05-04' },
    ])
      await makeAt(server, token, '/api/students', body)
    window = await openWindow(server)
    window.page.on('dialog', (dialog) => void dialog.accept())
  })
  const { seen } = partsOf(() => window)
  const press = (name: string | RegExp) => window.page.getByRole('button', { name }).click()
  const look = (name: string) => lookAt(window, `imports-${name}`)

  it('begins with the file, and asks for one', async () => {
    await signIn(window, office, password)
    await window.page.getByRole('link', { name: 'Import', exact: true }).click()
    await seen('No imports yet.')
    await look('file')
    await press('Read the file')
    await seen('Choose a file, or paste rows.')
    const [template] = await Promise.all([
      window.page.waitForEvent('download'),
      window.page.getByRole('link', { name: 'A file to fill in' }).click(),
    ])
    assert.match(template.suggestedFilename(), /\.xlsx$/)
    const buffer = Buffer.from(file)
    await window.page.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: '\u200fPupils August.csv', mimeType: 'text/csv', buffer },
    })
    await press('Read the file')
  })

  it('asks one question a page, with cells of the file', async () => {
    await seen('Question 1')
    await seen(/What does the column .Bus line. hold\?/)
    await press('Continue')
    await seen('Choose one.')
    assert.equal(await window.page.evaluate('document.activeElement?.id'), 'answer-0')
    await look('question')
    await window.page.getByLabel('Nothing: leave the column out').check()
    await press('Continue')
    await seen(/No class that you see is called .5 blue./)
    await seen(/In 1 row:.*Tom Öz/)
    await look('question-class')
    await press('Back')
    assert.equal(await window.page.getByLabel('Nothing: leave the column out').isChecked(), true)
    await press('Continue')
    await window.page.getByLabel('Another class').selectOption({ label: 'Class 5' })
    await press('Continue')
  })

  it('shows what would be written, and leads to the rows that need a choice', async () => {
    await seen('Nothing has been written yet.')
    await seen('5 rows in the file:')
    await seen('Same date of birth, and the names differ in one letter, or in spellings such as ae for ä.')
    await seen(/Same child as .*Anne Weiß.?, .?2026-0003.?, .?Class 5/)
    await seen(/Would change: Name Anne Weiß → Anna Weiß/)
    await look('check')
    assert.equal(await window.page.getByLabel('Bus line', { exact: true }).count(), 0)
    await window.page.getByText('What each column means (1 left out)').click()
    assert.equal(await window.page.getByLabel('Date of birth', { exact: true }).inputValue(), 'date_of_birth')
    assert.equal(await window.page.getByLabel('Bus line', { exact: true }).inputValue(), 'leave_out')
    await look('check-columns')
    await window.page.getByLabel('Bus line', { exact: true }).selectOption('notes')
    await press('Check again with these columns')
    await seen('Your columns are in.')
    await window.page.getByText('What each column means', { exact: true }).click()
    assert.equal(await window.page.getByLabel('Bus line', { exact: true }).inputValue(), 'notes')
    await window.page.getByLabel('Bus line', { exact: true }).selectOption('leave_out')
    await press('Check again with these columns')
    await window.page.getByText('What each column means (1 left out)').waitFor()
    await seen('1 row needs a choice')
    assert.equal(await window.page.getByRole('button', { name: /^Import/ }).count(), 0)
    await press('Go to the choices')
    await look('check-missed')
    await window.page.getByRole('alert').getByRole('link').click()
    assert.equal(await window.page.evaluate('document.activeElement?.name'), 'row--5')
    await window.page.getByLabel('Another child').check()
    await press('Check again with 1 choice')
    await seen('Your choices are in.')
    assert.equal(
      await window.page
        .locator('.counts [aria-current]')
        .innerText()
        .then((text) => text.trim()),
      '~ 1 changed',
    )
    await window.page.getByRole('link', { name: /1 changed/ }).click()
    await seen('Ali Öz')
    assert.match(await window.page.getByRole('row').nth(1).innerText(), /Class\s*Class 5\s*→\s*Class 6/)
    await look('check-changed')
    await window.page.getByRole('link', { name: /1 not possible/ }).click()
    await seen(/Born:.*99\.99\.2015.*There is no such day\./)
    await window.page.getByRole('row', { name: /Row 6 No Day Born/ }).waitFor()
    await look('check-refused')
    const [refused] = await Promise.all([
      window.page.waitForEvent('download'),
      window.page.getByRole('link', { name: 'Download the rows that are not possible' }).click(),
    ])
    assert.equal(refused.suggestedFilename(), 'Pupils August - rows that are not possible.csv')
    assert.match(readFileSync(await refused.path(), 'utf8'), /\r\nDate of birth: There is no such day\./)
    await window.page
      .getByLabel('Leave out the 1 row that is not possible; I download and correct it')
      .uncheck()
    await press('Import 4 rows')
    await seen(/Some rows are not possible/)
    await window.page
      .getByLabel('Leave out the 1 row that is not possible; I download and correct it')
      .check()
  })

  it('looks again where a record changed meanwhile, and writes then', async () => {
    await changeAt(server, token, '/api/students/1', { preferred_name: 'Al' })
    await press('Import 4 rows')
    await seen('Records changed meanwhile.')
    await look('check-outdated')
    await press('Import 4 rows')
    await seen('3 added, 1 changed.')
    await look('done')
    await window.page.getByRole('link', { name: '1 row not possible' }).click()
    await seen(/Born:.*99\.99\.2015.*There is no such day\./)
    await look('done-refused')
    const { body: list } = await call(server, 'GET', '/api/students', { token })
    assert.equal(list.pagination.total, 5)
  })

  it('is taken back, and says what stays', async () => {
    const { body: list } = await call(server, 'GET', '/api/students?search=Mia', { token })
    await changeAt(server, token, `/api/students/${list.data[0].id}`, { preferred_name: 'Mi' })
    await changeAt(server, token, '/api/students/1', { class_id: 7 })
    await press('Take back')
    await seen('The import was taken back.')
    assert.equal(await window.page.locator('.steps [aria-current=step]').innerText(), '4 Taken back')
    await seen('2 removed, 0 as before, 2 need your look.')
    await seen('This stays, since it was changed afterwards: 2 rows')
    const { page } = window
    await page.getByRole('row', { name: /Mia Braun.*All of it\. Changed since: / }).waitFor()
    await page.getByRole('row', { name: /Ali Öz.*Class Class 7 Before the import: .?Class 5/ }).waitFor()
    await page.getByRole('link', { name: /^Ali Öz/ }).waitFor()
    await page.getByRole('link', { name: /^Mia Braun/ }).waitFor()
    await look('undone')
    await window.page.getByRole('link', { name: 'All imports' }).click()
    await window.page.getByRole('row', { name: /Pupils August\.csv.*Taken back/ }).waitFor()
    await look('past')
  })

  it('is one line on Today and in the log, with the way to it and no undo that is refused', async () => {
    const { page } = window
    const line = page.locator('.history > li').filter({ hasText: 'Import 1 · taken back' }).first()
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await line.getByRole('link', { name: 'Import 1' }).waitFor()
    const made = page.locator('.history > li').filter({ hasText: 'Import 1 · taken back' }).nth(1)
    assert.match(await made.innerText(), /\d\d:\d\d Some One · Import 1 · taken back/)
    assert.equal(await page.locator('.record-change').filter({ hasText: 'removed' }).count(), 0)
    assert.equal(await line.getByRole('button').count(), 0)
    await look('today')
    await page.getByRole('link', { name: 'More in the log' }).click()
    await line.locator('.record-change').first().waitFor()
    assert.equal(await line.getByRole('button', { name: /^Undo/ }).count(), 0)
    await page.goto(`http://localhost:${server.port}/#/students/1`)
    await page.getByText(/Some One · Import 1, row \d/).waitFor()
    const ofImport = page.locator('.history > li').filter({ hasText: 'Import 1' })
    assert.equal(await ofImport.getByRole('button', { name: /^Undo/ }).count(), 0)
    const { body: kept } = await call(server, 'GET', '/api/students?search=Mia', { token })
    await page.goto(`http://localhost:${server.port}/#/students/${kept.data[0].id}`)
    await page.getByText(/Import 1, row 2 \(.?Pupils August\.csv\) · kept when it was taken back/).waitFor()
    await page.getByRole('link', { name: 'Import 1, row 2' }).click()
    await page.getByRole('heading', { name: 'Pupils August.csv', level: 1 }).waitFor()
    await page.goto(`http://localhost:${server.port}/#/imports`)
  })

  it('wants the number repeated where many are changed, and can be discarded', async () => {
    const { page } = window
    const numbers = Array.from({ length: 60 }, (_, i) => `2027-${String(i).padStart(4, '0')}`)
    for (const admission_number of numbers) {
      const body = { name: `Child ${admission_number}`, admission_number, class_id: 5 }
      await makeAt(server, token, '/api/students', body)
    }
    const rows = numbers.map((number, i) => `${number}\tClass ${i < 5 ? 7 : 6}`)
    await page.getByLabel('Only change known').check()
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill(['Admission number\tClass', ...rows].join('\n'))
    await press('Read the file')
    await seen('60 rows')
    await look('check-grouped')
    await page
      .getByRole('row', { name: /^5 rows/ })
      .getByRole('link', { name: 'Show' })
      .click()
    await page.getByRole('row', { name: /^Row 6/ }).waitFor()
    assert.equal(await page.getByRole('row', { name: /^Row \d/ }).count(), 5)
    await page.getByLabel('Group equal rows').check()
    await page
      .getByRole('row', { name: /^55 rows/ })
      .getByRole('link', { name: 'Show' })
      .click()
    await seen('Page 1 of 3')
    await press('Import 60 rows')
    await seen('This changes 60 students')
    await page.getByLabel('Number of changed students').fill('6')
    await press('Continue')
    await seen('Type 60.')
    await look('confirm')
    await page.keyboard.press('Escape')
    await page.locator('.in-sight .primary:focus', { hasText: 'Import 60 rows' }).press('Enter')
    await page.getByLabel('Number of changed students').fill('60')
    await press('Continue')
    await seen('0 added, 60 changed.')
    await page.getByRole('link', { name: 'All imports' }).click()
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name\tAdmission number\tClass\nZoë\t7\tClass 1')
    await press('Read the file')
    await press('Discard')
    await seen('The import was discarded. Nothing was written, and the file is not kept.')
    await look('discarded')
  })

  it('offers to make a class and to leave rows out beside many like classes, and promises nothing where nothing is written', async () => {
    const { page } = window
    await page.goto(`http://localhost:${server.port}/#/imports`)
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name\tAdmission number\tClass\nZoë\t7\tClass 99')
    await press('Read the file')
    await page.getByRole('radio', { name: /^Make the class .Class 99.$/ }).waitFor()
    await page.getByRole('radio', { name: 'Leave these rows out' }).check()
    await look('question-many-classes')
    await press('Continue')
    await seen('There is nothing to write.')
    await page.getByRole('link', { name: /1 left out/ }).click()
    await page
      .getByRole('row', { name: /Row 2 Zoë Class: .Class 99.: rows of this class are left out\./ })
      .waitFor()
    await look('check-left-out')
    assert.equal(await page.getByText(/can be taken back/i).count(), 0)
    // A program may apply it all the same.
    const path = `/api/imports/${page
      .url()
      .split(/[/?]/)
      .find((part) => /^\d+$/.test(part))}`
    const login = await call(server, 'POST', '/api/auth/login', { body: { email: office, password } })
    const { token } = login.body.data
    const { headers } = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    const match = headers.get('etag')!
    assert.equal((await call(server, 'POST', `${path}/apply`, { token, body: {}, match })).status, 202)
    await page.reload()
    await seen('Nothing was changed, so there is nothing to take back.')
    assert.equal(await page.getByRole('button', { name: 'Take back' }).count(), 0)
    await look('done-nothing')
  })

  it('warns of zeros that a spreadsheet took, and leaves their column out', async () => {
    const { page } = window
    const guardians = [{ name: 'Jo Null', phone: '01712345678' }]
    const body = { name: 'Nina Null', admission_number: '2028-1', class_id: 5, guardians }
    await makeAt(server, token, '/api/students', body)
    await page.goto(`http://localhost:${server.port}/#/imports`)
    await page.getByLabel('Only change known').check()
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Admission number\tguardian_1_phone\n2028-1\t1712345678')
    await press('Read the file')
    await page.locator('.summary', { hasText: /lacks the zeros, or the \+, at the beginning/ }).waitFor()
    await look('zeros')
    await press('Leave the column out: guardian_1_phone')
    await page.getByText(/lacks the zeros/).waitFor({ state: 'detached' })
    await press('Discard')
    await seen('The import was discarded. Nothing was written, and the file is not kept.')
  })

  it('asks what a new guardian is called whose name is missing', async () => {
    const { page } = window
    await page.goto(`http://localhost:${server.port}/#/imports`)
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill("Name\tAdmission number\tClass\tMother's phone\nNew Phone\tg-1\tClass 5\t030 1")
    await press('Read the file')
    await seen('In 1 row a guardian has no name. What are new guardians called? Others keep their names.')
    await page.getByLabel('None: the guardian is not added. Phone and e-mail are left out.').waitFor()
    await look('guardian-name')
    await page.getByLabel(/^What the guardian is to the student\s*Mother/).check()
    await press('Continue')
    await seen('Nothing has been written yet.')
    await page.getByText(/Guardian 1: Name/).waitFor()
    await press('Discard')
    await seen('The import was discarded. Nothing was written, and the file is not kept.')
  })

  it('says why a column is asked about again: another one was answered to hold the same', async () => {
    const { page } = window
    await page.goto(`http://localhost:${server.port}/#/imports`)
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name\tAdmission number\tClass\tOne\tTwo\nSam E\ts-1\tClass 5\ta\tb')
    await press('Read the file')
    for (const heading of ['One', 'Two']) {
      await seen(new RegExp(`What does the column .${heading}. hold`))
      assert.equal(await page.getByText(/Only one column/).count(), 0)
      await page.getByLabel('Something else').selectOption({ label: 'Notes' })
      await press('Continue')
    }
    const said = page.getByRole('heading', { name: /column .One. hold/ })
    await said.and(page.locator('[aria-describedby=asked-again]')).waitFor()
    await seen(/“Notes” is chosen for .Two. as well\. Only one column can hold it\./)
    await look('asked-again')
    await page.getByLabel('Language').selectOption('de')
    await seen(/„Notizen“ ist auch für .Two. gewählt\./)
    await page.getByLabel('Sprache').selectOption('ar')
    await seen(/مختار أيضًا في: .Two./)
    await page.getByLabel('اللغة').selectOption('en')
    await page.getByLabel('Notes').check()
    await press('Continue')
    await seen(/“Notes” is chosen for .One. as well/)
    await page.getByLabel('Nothing: leave the column out').check()
    await press('Continue')
    await seen('Nothing has been written yet.')
    await press('Discard')
    await seen('The import was discarded. Nothing was written, and the file is not kept.')
  })

  it('tells that it goes on by itself, that a file is not possible, and what failed', async () => {
    const { page } = window
    await page.getByRole('link', { name: 'All imports' }).click()
    await page.getByLabel('Or paste the rows, with their headings').fill('Name\tAdmission number\tClass')
    await press('Read the file')
    await seen('This file cannot be imported.')
    await look('refused')
    const refused = await newestImportAt(server, token, 'refused')
    for (const [state, progress, said] of [
      ['applying', { done: 300, total: 800 }, 'You may close this page'],
      ['failed', null, 'Nothing of it was kept.'],
    ] as const) {
      const data = { ...refused, id: 77, state, progress, emptied: false }
      await page.route('**/api/imports/77', (route) => route.fulfill({ json: { success: true, data } }))
      await page.goto(`http://localhost:${server.port}/#/imports`)
      await page.goto(`http://localhost:${server.port}/#/imports/77`)
      await seen(said)
      await look(state)
      await page.unroute('**/api/imports/77')
    }
    await page.goto(`http://localhost:${server.port}/#/imports/999`)
    await seen('This is not there, or you may not see it.')
  })

  it('lists what stays of one that could not be finished', async () => {
    const { page } = window
    const undone = await newestImportAt(server, token, 'undone')
    const failure = { code: 'row_not_applied', detail: 'Row 9 would change what somebody else changed.' }
    const counts = { ...undone.counts, kept_create: 1 }
    const data = { ...undone, id: 77, state: 'failed', failure, counts }
    const rows = [{ row: 2, outcome: 'create', id: 1, cells: [], outdated: false, kept: ['address'] }]
    const pagination = { page: 1, per_page: 25, total: 1, total_pages: 1 }
    await page.route('**/api/imports/77', (route) => route.fulfill({ json: { success: true, data } }))
    await page.route('**/api/imports/77/rows?*kept=true*', (route) =>
      route.fulfill({ json: { success: true, data: rows, pagination } }),
    )
    await page.goto(`http://localhost:${server.port}/#/imports`)
    await page.goto(`http://localhost:${server.port}/#/imports/77`)
    await seen('It was not finished.')
    await seen('This stays, since it was changed afterwards: 1 row')
    await seen('All of it. Changed since: Address')
    await look('failed-kept')
    await page.unroute('**/api/imports/77')
    await page.unroute('**/api/imports/77/rows?*kept=true*')
  })

  it('asks for the first number as people write it, and says what follows', async () => {
    const { page } = window
    await page.goto(`http://localhost:${server.port}/#/imports`)
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Name\tClass\nLea Ohne\tClass 5\nBen Ohne\tClass 5\n\tClass 5')
    await press('Read the file')
    const first = page.getByLabel(/^No student in this file has a number\. Which number does the first/)
    assert.match(await first.inputValue(), /^[^*]*\d$/)
    await first.fill('N-')
    await press('Continue')
    await page.getByRole('alert').filter({ hasText: 'End the number with digits' }).waitFor()
    await first.fill('N-009')
    await seen(/Then .N-010., .N-011. …/)
    await look('numbers')
    // Enter that follows the last digit before the page is painted anew.
    await first.evaluate(async (field: FieldOfForm) => {
      field.value = 'N-098'
      field.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise<void>(queueMicrotask)
      field.form.requestSubmit()
    })
    await page.getByRole('link', { name: /1 not possible/ }).click()
    await seen('Name: This is missing in the file.')
    assert.equal(await page.getByLabel('Group equal rows').count(), 0)
    await page.getByRole('link', { name: /2 new/ }).click()
    await page.getByRole('row', { name: /Ben Ohne.*N-099/ }).waitFor()
    await press('Discard')
    await seen('The import was discarded. Nothing was written, and the file is not kept.')
  })

  it('shows cells of the file under encodings and orders of names, counts its questions on, and asks of equal rows', async () => {
    const { page } = window
    await page.goto(`http://localhost:${server.port}/#/imports`)
    const head = 'First name;Surname;Admission number;Class;Date of birth'
    const rows = ['R-1', 'R-2'].map((number) => `Renée;Müller;${number};Class 5;13.9.2015`)
    const buffer = Buffer.from([head, ...rows].join('\n'), 'latin1')
    await page.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: 'old.csv', mimeType: 'text/csv', buffer },
    })
    await press('Read the file')
    await page.getByRole('radio', { name: /^Western European \(Windows-1252\) Renée/ }).check()
    await look('encoding')
    await press('Continue')
    await seen('Question 2 of 2 so far')
    await page.getByRole('radio', { name: /^The family name Müller Renée/ }).check()
    await look('name-order')
    await press('Continue')
    await seen('Nothing has been written yet.')
    await page.getByText('Western European (Windows-1252)').waitFor()
    await seen('Row 3 has the same name and date of birth.')
    await look('twins')
    await page
      .getByText(/^The two rows may be one child/)
      .first()
      .waitFor()
    await page.getByLabel('Keep this row').first().check()
    await page.getByLabel('Leave this row out').last().check()
    await press('Check again with 2 choices')
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
    await press('Discard')
    await seen('The import was discarded. Nothing was written, and the file is not kept.')
  })

  it('is in Arabic, and in German', async () => {
    const { page } = window
    await page.getByLabel('Language').selectOption('ar')
    await page.goto(`http://localhost:${server.port}/#/imports`)
    await page.getByRole('heading', { name: 'استيراد', level: 1 }).waitFor()
    await look('arabic')
    await page
      .getByLabel('أو الصق الأسطر مع عناوين الأعمدة')
      .fill('Name\tAdmission number\tClass\nZoë Ö\t8\tClass 1')
    await press('قراءة الملف')
    await seen('لم يُكتب شيء بعد.')
    await look('check-arabic')
    await page.getByLabel('اللغة').selectOption('de')
    await seen('Noch ist nichts geschrieben.')
    await press('1 Zeile einlesen')
    await seen('1 neu, 0 geändert.')
    await press('Zurücknehmen')
    await seen('Alles ist zurückgenommen.')
  })

  it('is not there for who may not import', async () => {
    const other = await openWindow(server)
    await signIn(other, 'teacher@school.example', password)
    await other.page.getByRole('heading', { name: 'Students' }).waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'Import', exact: true }).count(), 0)
    await other.page.goto(`http://localhost:${server.port}/#/imports`)
    await other.page.getByText('This is not there, or you may not see it.').waitFor()
    await other.page.goto(`http://localhost:${server.port}/#/students/1`)
    await other.page.getByText(/Import 1, row \d/).waitFor()
    assert.equal(await other.page.getByRole('link', { name: /^Import/ }).count(), 0)
  })

  it('breaks the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})
