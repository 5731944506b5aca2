// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  chooseLanguage,
  needsChromium,
  openWindow,
  partsOf,
  type Window,
} from './browser-page.ts'
import { call, logInAt } from './calls.ts'
import { type ServerProcess, startServer } from './server.ts'
import { inline, sheetOf, writtenWorkbook } from './workbooks.ts'

const anna = { name: 'Anna Berg', email: 'anna@school.example', password: 'correct horse battery' }

/** A file of 800 children, no two of whom have one date of birth. */
const rows = [
  ['First name', 'Surname', 'Admission number', 'Class', 'Date of birth', 'Mother', "Mother's phone"],
  ['Zoë', 'Müller', '2026-0001', '5A', '2013-03-09', 'Eva Müller', '0171 5550'],
  ['Ali', 'Öz', '2026-0002', '5A', '2013-11-30', '', ''],
  ...Array.from({ length: 798 }, (_, i) => {
    const born = new Date(Date.UTC(2014, 0, 1 + i)).toISOString().slice(0, 10)
    const number = `2026-${String(i + 3).padStart(4, '0')}`
    return ['Child', `Number ${i + 3}`, number, i % 2 === 0 ? '5A' : '5B', born, '', '']
  }),
]

describe('the first start of a server, in the console,', needsChromium, () => {
  let server: ServerProcess
  let window: Window
  before(async () => {
    server = await startServer(undefined, { HOST: 'localhost' })
    window = await openWindow(server, { timezoneId: 'Europe/Berlin' })
  })
  const { heading, notice, button, link, field } = partsOf(() => window)
  const step = (name: string) =>
    window.page.locator('.steps [aria-current=step]').filter({ hasText: name }).waitFor()
  const read = async (path: string) => {
    const token = await logInAt(server, anna.email, anna.password)
    return (await call(server, 'GET', path, { token })).body.data
  }
  const labels = async () =>
    ((await read('/api/classes?per_page=100')) as { label: string }[]).map(({ label }) => label)

  it('makes the administrator, on the machine of the server', async () => {
    const { page } = window
    await heading('Make the first account')
    await field('Your name').fill(anna.name)
    await field('E-mail address').fill(anna.email)
    assert.equal(await page.locator('#field-password-hint').innerText(), 'At least 8 characters.')
    await field('Password').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('1 field needs a look').waitFor()
    await assertAccessible(window, 'first account')
    await field('Password').fill(anna.password)
    await button('Make the account').click()
    await heading('First steps')
  })

  it('asks what the school is called, and proposes the time zone of this machine', async () => {
    const { page } = window
    await step('School')
    await field('Name').waitFor()
    assert.equal(await field('Time zone').inputValue(), 'Europe/Berlin')
    assert.equal(await field('Order of names').count(), 0)
    await assertAccessible(window, 'first steps, school')
    await field('Name').fill('Green Hill School')
    await field('Address').fill('4 Hill Lane')
    await page.keyboard.press('Control+s')
    await step('Classes')
    await page.locator('.school').filter({ hasText: 'Green Hill School' }).waitFor()
    const { name, address, time_zone } = await read('/api/school')
    assert.deepEqual([name, address, time_zone], ['Green Hill School', '4 Hill Lane', 'Europe/Berlin'])
  })

  it('goes on where it stood after a reload, and each step can be skipped and found again', async () => {
    const { page } = window
    await page.reload()
    await step('Classes')
    await page.getByText('12 classes are there:').waitFor()
    await assertAccessible(window, 'first steps, classes')
    await link('Go on').click()
    await step('Students')
    await page.goBack()
    await step('Classes')
    await page.goBack()
    await step('School')
    await button('Skip').click()
    await step('Classes')
    await link('Students').click()
    await heading('Students')
    await link('First steps').click()
    await step('Classes') // the school has its name
  })

  it('renames the classes, and takes that back', async () => {
    const { page } = window
    await field('Rename them').check()
    assert.equal(await page.evaluate('document.activeElement?.id'), 'way-rename', 'a choice moves nobody')
    await field('Class 1').fill('Reception')
    await field('Class 2').fill('class 3')
    await assertAccessible(window, 'first steps, names')
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').filter({ hasText: 'Class 2: Another record has this already.' }).waitFor()
    await assertAccessible(window, 'first steps, a name that is taken')
    await field('Class 2').fill('Class 2')
    await page.keyboard.press('Control+s')
    await step('Students')
    assert.deepEqual((await labels()).slice(0, 3), ['Reception', 'Class 2', 'Class 3'])
    await page.goBack()
    await step('Classes')
    await field('Rename them').check()
    await field('Class 2').fill('Year 2')
    await page.keyboard.press('Control+s')
    await step('Students')
    await notice('1 class is renamed.')
    await button('Undo').click()
    await notice('Undone.')
    assert.deepEqual((await labels()).slice(0, 3), ['Reception', 'Class 2', 'Class 3'])
  })

  it('gives each class the name of the next, and takes that back', async () => {
    const { page } = window
    const before = await labels()
    await page.goBack()
    await step('Classes')
    await field('Rename them').check()
    for (let year = 2; year <= 12; year++) await field(`Class ${year}`).fill(`Class ${year + 1}`)
    await page.keyboard.press('Control+s')
    await step('Students')
    await notice('11 classes are renamed.')
    const after = Array.from({ length: 11 }, (_, i) => `Class ${i + 3}`)
    assert.deepEqual(await labels(), ['Reception', ...after])
    await button('Undo').click()
    await notice('Undone.')
    assert.deepEqual(await labels(), before)
  })

  it('takes a pasted list for all classes, and takes that back', async () => {
    const { page } = window
    await page.goBack()
    await step('Classes')
    await field('Use my own list').check()
    await field('Names of all classes').fill('5A, 5B;Class 12\n')
    await page.getByText(/^2 classes will be made: \W?5A\W*5B\W*11 classes will be removed: \W?\w/).waitFor()
    await assertAccessible(window, 'first steps, own list')
    await button('Make the classes').click()
    await step('Students')
    await notice('2 classes are made. 11 classes are removed.')
    assert.deepEqual(await labels(), ['Class 12', '5A', '5B'])
    await button('Undo').click()
    await notice('Undone.')
    assert.equal((await labels()).length, 12)
    await page.goBack()
    await step('Classes')
    await field('Use my own list').check()
    await field('Names of all classes').fill('5A\n5B')
    await button('Make the classes').click()
    await step('Students')
    assert.deepEqual(await labels(), ['5A', '5B'])
  })

  it('leads to an import, and to the children', async () => {
    const { page } = window
    await assertAccessible(window, 'first steps, students')
    await link('Import a list').click()
    await heading('Import')
    const sheet = sheetOf(rows.map((cells) => cells.map(inline)))
    const buffer = await writtenWorkbook({ sheets: [{ ...sheet, name: '2026' }] })
    await field('File').setInputFiles({ name: 'Pupils.xlsx', mimeType: 'application/zip', buffer })
    await button('Read the file').click()
    await page.getByText('What comes first in the full name of a new student?').waitFor()
    await page.getByRole('radio', { name: /^The given name Zoë Müller Ali Öz/ }).check()
    await button('Continue').click()
    await page.getByText('Nothing has been written yet.').waitFor()
    await assertAccessible(window, 'first import, check')
    await button('Import 800 rows').click()
    await page.getByText('800 added, 0 changed.').waitFor()
    await link('First steps').waitFor({ state: 'detached' })
    await link('To the students').click()
    await notice('800 students')
    await page.getByRole('searchbox').fill('zoe')
    await notice('1 student')
    await link('Müller, Zoë').click()
    await heading('Zoë Müller')
    await page.getByText('9 Mar 2013').waitFor()
    await page.getByText('0171 5550').waitFor()
  })

  it('is the same in Arabic and German, and fits a narrow page', async () => {
    const { page } = window
    await page.setViewportSize({ width: 320, height: 640 })
    for (const language of ['ar', 'de']) {
      await chooseLanguage(page, language)
      for (const one of ['school', 'classes', 'students']) {
        await page.goto(`http://localhost:${server.port}/#/start/${one}`)
        await page.locator('.steps').waitFor()
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
        await assertAccessible(window, `first steps, ${one}, ${language}`)
      }
    }
    assert.deepEqual(window.faults, [])
  })
})
