// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
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
import { call, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'
import { inline, sheetOf, type WrittenSheet, writtenWorkbook, zipped } from './workbooks.ts'

const office = 'office@school.example'
const head = ['Name', 'Admission number', 'Class', 'Date of birth', 'House']

/** A sheet of texts. */
const sheet = (name: string, rows: readonly (readonly string[])[], more: Partial<WrittenSheet> = {}) => ({
  ...sheetOf(rows.map((cells) => cells.map(inline))),
  name,
  ...more,
})

/** A workbook as an office has it: a sheet a class, one that is hidden, a title above the headings, notes. */
const workbook = () =>
  writtenWorkbook({
    sheets: [
      sheet('5a', [
        ['Pupils of 5a'],
        head,
        ['Mia Braun', '2026-0100', 'Class 5', '2015-09-13', ''],
        ['Tom Öz', '2026-0101', 'Class 5', '2015-09-14', ''],
        [],
        ['Tom Öz again', '2026-0101', 'Class 5', '2015-01-14', ''],
      ]),
      sheet('5b', [head, [`L${'o'.repeat(300)}ng`, '2026-0102', 'Class 6', '2015-05-04', '']], {
        state: 'hidden',
      }),
      sheet('Notes', [['Ask Anna'], ['about the keys']]),
    ],
  })

describe('files of an office, in the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    await makeAt(server, token, '/api/fields', { label: 'Fee', kind: 'number' })
    window = await openWindow(server, { viewport: { width: 320, height: 640 } })
    await signIn(window, office, password)
  })
  const { heading, button, link, field, seen } = partsOf(() => window)
  const open = (hash: string) => window.page.goto(`http://localhost:${server.port}/${hash}`)
  const width = () => window.page.evaluate('document.documentElement.scrollWidth')
  const choose = (language: string) => chooseLanguage(window.page, language)
  async function fits(what: string): Promise<void> {
    assert.equal(await width(), 320, what)
    await assertAccessible(window, what)
  }

  /** Drops a file on the page, as one does with a mouse. */
  async function drop(name: string, bytes: Uint8Array): Promise<void> {
    const data = await window.page.evaluateHandle(
      ([name, base64]) => {
        // biome-ignore lint/suspicious/noExplicitAny: what runs in the browser has its types there
        const { DataTransfer, File, atob } = globalThis as any
        const transfer = new DataTransfer()
        const bytes = Uint8Array.from(atob(base64), (letter: string) => letter.charCodeAt(0))
        transfer.items.add(new File([bytes], name))
        return transfer
      },
      [name, Buffer.from(bytes).toString('base64')] as const,
    )
    await window.page.dispatchEvent('body', 'dragover', { dataTransfer: data })
    await window.page.dispatchEvent('body', 'drop', { dataTransfer: data })
  }

  it('are dropped on the page: a workbook of several sheets is read as a whole, on a narrow screen', async () => {
    await open('#/imports')
    await heading('Import')
    await fits('file, narrow')
    await drop('Pupils 2026.xlsx', await workbook())
    await seen('Pupils 2026.xlsx')
    await button('Read the file').click()
    await seen(/What does the column .House. hold\?|Nothing has been written yet\./)
    await fits('questions or check, narrow')
  })

  it('say what stands in which sheet, and what one should know of it, in each language', async () => {
    const { page } = window
    await seen('Nothing has been written yet.')
    await seen('What you should know of the file')
    const warnings = page.locator('section').filter({ hasText: 'What you should know' }).getByRole('listitem')
    assert.match((await warnings.allInnerTexts()).join('\n'), /"5b" is hidden/)
    await choose('de')
    await seen('Das Blatt „5b“ ist ausgeblendet und wird eingelesen: 1 Zeile.')
    await seen('Die Überschriften stehen im Blatt „5a“ in Zeile 2; was darüber steht, entfällt.')
    await seen('Das Blatt „Notes“ hat keine oder andere Überschriften und entfällt, mit 2 Zeilen.')
    await seen('Leer und weggelassen: 1 Zeile.')
    await seen('Die Spalte „House“ ist nicht bekannt, hat keinen Wert und entfällt.')
    await page.getByRole('link', { name: /fehlerhaft/ }).click()
    await seen(/Name:.*Höchstens 255 Zeichen\./)
    const table = "document.querySelector('.scroll')"
    const hidden = page.evaluate<number>(`${table}.scrollWidth - ${table}.clientWidth`)
    assert.equal(await hidden, 0, 'no part of the plan stands out of sight')
    await fits('check in German, narrow')
    await page.getByRole('link', { name: /bitte prüfen/ }).click()
    await seen('Zeile 6 von Blatt „5a“ hat dieselbe Nummer. Nur eine von beiden kann sie haben.')
    await choose('ar')
    await seen('الورقة «\u20685b\u2069»: محتوى مخفي يُستورد: سطر واحد.')
    await fits('check in Arabic, narrow')
  })

  it('name the row that has the same, and are not possible where both are to have it', async () => {
    const { page } = window
    await choose('de')
    for (const one of await page.getByRole('radio', { name: 'Diese Zeile mit der Nummer einlesen' }).all())
      await one.check()
    await page.getByRole('button', { name: /neu prüfen/ }).click()
    await page
      .getByText('Ihre Entscheidungen gelten. Prüfen Sie die Zahlen, und lesen Sie die Datei dann ein.')
      .waitFor()
    await page.getByRole('link', { name: /fehlerhaft/ }).click()
    await page.locator('a.refused[aria-current=true]').waitFor()
    const grouped = field('Gleiche Zeilen zusammenfassen')
    if (await grouped.isVisible()) await grouped.uncheck()
    await seen(/Nummer:.*Steht auch in Zeile 6 von Blatt „5a“ der gesendeten Datei\./)
    await fits('refused in German, narrow')
  })

  it('say in the reader’s language that a number may be a thousand, and how to write it', async () => {
    const { page } = window
    await open('#/imports')
    await page.getByRole('heading', { name: 'Einlesen', level: 1 }).waitFor()
    await field('Oder die Zeilen samt Überschriften einfügen').fill(
      'Name\tAdmission number\tClass\tFee\nZoë\t7\tClass 1\t1.234',
    )
    await page.getByRole('button', { name: 'Datei lesen' }).click()
    await page.getByRole('link', { name: /1 fehlerhaft/ }).click()
    await seen(/Fee:.*1\.234.*Schreiben Sie 1234 oder 1,2340\./)
    await choose('ar')
    await seen(/Fee:.*1\.234.*اكتب 1234 أو 1\.2340\./)
    await fits('a number that may be a thousand, in Arabic, narrow')
    await choose('de')
  })

  it('say in the reader’s language why they cannot be read', async () => {
    const { page } = window
    const quotes = 'Die Anführungszeichen passen nicht zueinander. Es ist die Zeile 2.'
    const wide = 'Es ist die Zeile 2. Möglich sind höchstens 400.'
    const files: [name: string, bytes: Uint8Array, said: string][] = [
      [
        'photo.png',
        Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1'),
        'Das ist keine Tabelle, sondern etwa ein PDF',
      ],
      ['old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'Das ist eine Datei von Excel 97 bis 2003.'],
      ['zip.zip', await zipped({ 'a.txt': 'x' }), 'Das ist keine Tabelle, sondern etwa ein PDF'],
      ['letter.csv', Buffer.from('Dear Anna\nplease\n'), 'In den ersten Zeilen steht keine Überschrift'],
      ['none.csv', Buffer.from('Name,Admission number,Class\n'), 'Unter den Überschriften steht nichts.'],
      ['wide.csv', Buffer.from(`Name,Class\nMia${',5'.repeat(500)}\n`), wide],
      ['quotes.csv', Buffer.from('Name,Class\n"Mia,5\n'), quotes],
    ]
    for (const [name, bytes, said] of files) {
      await open('#/imports')
      await page.getByRole('heading', { name: 'Einlesen', level: 1 }).waitFor()
      await drop(name, bytes)
      await seen(name)
      await page.getByRole('button', { name: 'Datei lesen' }).click()
      await seen('Diese Datei kann nicht eingelesen werden.')
      await seen(said)
    }
    await fits('a file that is not read, in German')
    await choose('en')
    await seen('A quotation mark in row 2 is not closed.')
  })

  it('are not sent where they are empty, and are not taken for new ones where they are sent again', async () => {
    const { page } = window
    const choosing = (text: string) =>
      page
        .getByLabel('File', { exact: true })
        .setInputFiles({ name: 'again.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await open('#/imports')
    await choosing('')
    await button('Read the file').click()
    await seen('This file is empty. Choose another.')
    await fits('an empty file')
    const file = 'Name;Admission number;Class\nSent Twice;2026-0777;Class 5'
    await choosing(file)
    await button('Read the file').click()
    await button('Import 1 row').click()
    await seen('1 added, 0 changed.')
    await link('All imports').click()
    await choosing(file)
    await button('Read the file').click()
    await seen('This file was imported already. Nothing was written now.')
    await fits('a file that was imported')
    await link('To that import').click()
    await seen('1 added, 0 changed.')
    const first = await page.evaluate('location.hash')
    await link('All imports').click()
    await choosing(file.replace('Class 5', 'Class 6'))
    await button('Read the file').click()
    await button('Import 1 row').click()
    await seen('0 added, 1 changed.')
    await link('All imports').click()
    await choosing(file)
    await button('Read the file').click()
    await seen(/^This file was imported before, as import \d+\. What was changed since/)
    await fits('a file that was imported before another one')
    await link('To that import').click()
    await page.getByText('1 added, 0 changed.').waitFor()
    assert.equal(await page.evaluate('location.hash'), first)
  })

  it('lead to the student who has the identifier that a row gives', async () => {
    const { page } = window
    const identifiers = [{ system: 'sis', value: 'S-9' }]
    const holder = { name: 'Ida Holder', admission_number: '2026-0888', class_id: 3, identifiers }
    await makeAt(server, token, '/api/students', holder)
    await open('#/imports')
    await page
      .getByLabel('Or paste the rows')
      .fill('Name\tAdmission number\tClass\tidentifiers.sis\nIda Holder\t2027-0001\tClass 4\tS-9')
    await button('Read the file').click()
    await page.getByRole('link', { name: /1 not possible/ }).click()
    const row = page.getByRole('row', { name: /Row 2/ })
    await row.getByText('Another record has this already.').waitFor()
    await fits('a refused row with who has the identifier')
    await row.getByRole('link', { name: 'Ida Holder 2026-0888' }).click()
    await heading('Ida Holder')
  })

  it('show the page that was asked for last, whichever answer comes last', async () => {
    const { page } = window
    const rows = Array.from({ length: 60 }, (_, i) => `Paged ${i}\t2028-${1000 + i}\tClass ${(i % 12) + 1}`)
    await open('#/imports')
    await page.getByLabel('Or paste the rows').fill(['Name\tAdmission number\tClass', ...rows].join('\n'))
    await button('Read the file').click()
    await seen('Page 1 of 3')
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/rows?*page=2&*', async (route) => {
      await isReleased
      await route.continue()
    })
    const late = page.waitForResponse(/rows\?page=2&/)
    await button('Next page').click()
    await page.getByLabel('Page 1 of 3').fill('3')
    await button('Go to page').click()
    await seen('Page 3 of 3')
    release()
    await (await late).finished()
    await page.getByRole('row', { name: /Row 61/ }).waitFor()
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    await seen('Page 3 of 3')
    await page.unroute('**/rows?*page=2&*')
  })

  it('are looked through for a child, whatever comes of its row', async () => {
    const { page } = window
    const sought = page.getByLabel('Find a child in this file, by name or number')
    await sought.fill('PÁGED 5')
    await button('Find').click()
    await page.getByRole('row', { name: /Row 52 Paged 50/ }).waitFor()
    assert.equal(await page.getByRole('row').count(), 12)
    assert.equal(await button('Next page').count(), 0)
    await fits('a child that is looked for')
    await sought.fill('nobody')
    await button('Find').click()
    await seen('No row is of such a child.')
    await page.reload()
    await seen('No row is of such a child.')
    await link('Show all rows').click()
    await seen('Page 1 of 3')
    await sought.fill('2028-1007')
    await button('Find').click()
    const row = page.getByRole('row', { name: /Row 9 Paged 7.*new/ })
    await row.getByRole('link', { name: 'new' }).click()
    await seen('Page 1 of 3')
  })

  it('can be of classes: new ones are made, those that are there stay, and it is taken back', async () => {
    const { page } = window
    page.on('dialog', (dialog) => void dialog.accept())
    const labels = async () =>
      ((await call(server, 'GET', '/api/classes?per_page=100', { token })).body.data as { label: string }[])
        .map(({ label }) => label)
        .slice(12)
    await open('#/classes')
    await link('Import classes').click()
    await heading('Import classes')
    assert.equal(await page.getByText('What is to be done with the students of the file?').count(), 0)
    await fits('a file of classes')
    await page.getByLabel('Or paste the rows').fill('Class\n9A\n9B\nClass 5\n9a')
    await button('Read the file').click()
    await seen('4 rows in the file:')
    await page.getByRole('row', { name: /Row 2 Class 9A/ }).waitFor()
    await page.getByRole('link', { name: /1 not possible/ }).click()
    await seen(/Class:.*It stands in row 2 of the sent file too\./)
    await fits('a file of classes, check')
    await button('Import 2 rows').click()
    await seen('2 added, 0 changed.')
    assert.deepEqual(await labels(), ['9A', '9B'])
    await link('To the classes').click()
    await page.getByRole('row', { name: /^9A/ }).waitFor()
    await page.goBack()
    await button('Take back').click()
    await seen('The import was taken back.')
    assert.deepEqual(await labels(), [])
    await link('All imports').click()
    await heading('Import classes')
    await page.getByRole('row', { name: /Taken back/ }).waitFor()
    assert.equal(await page.getByRole('row', { name: /Pupils 2026/ }).count(), 0)
  })

  it('break the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})
