// Runs in a browser.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { changeAt, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'
import { inline, sheetOf, writtenWorkbook } from './workbooks.ts'

const office = 'office@school.example'

const children = [
  { name: 'Zoe Away', admission_number: '1', class_id: 5 },
  { name: 'Ben There', admission_number: '2', class_id: 5 },
  { name: 'Eva Away', admission_number: '3', class_id: 6 },
  { name: 'Tim There', admission_number: '4', class_id: 6 },
  { name: 'Ada Away', admission_number: '5', class_id: 5 },
  { name: 'Una Else', admission_number: '6', class_id: 7 },
]

const file = {
  Children: [
    ['Admission number', 'Name', 'Class', 'Bus line'],
    ['2', 'Ben There', 'Class 5', 'A'],
    ['4', 'Tim There', 'Class 6', 'B'],
    ['7', 'New Child', 'Class 6', 'B'],
  ],
  Nachzügler: [
    ['Number', 'Child'],
    ['8', 'Late One'],
    ['9', 'Late Two'],
  ],
}

describe('a file of whole classes in the console', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  const ids: number[] = []
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'administrator' }))
    for (const body of children) ids.push(await makeAt(server, token, '/api/students', body))
    window = await openWindow(server, {}, 'localhost', '#/imports')
    window.page.setDefaultTimeout(20_000)
    await signIn(window, office, password)
  })
  const { seen, button } = partsOf(() => window)
  const lost = () => window.page.locator('.summary', { hasText: /Nachzügler/ })
  const listed = async () => {
    const rows = await window.page.locator('table tbody tr').all()
    return Promise.all(rows.map(async (row) => (await row.innerText()).split(/\s*\t\s*/)))
  }

  it('tells above the first question which sheet is lost, and how many rows it has', async () => {
    const { page } = window
    const sheets = Object.entries(file).map(([name, rows]) => ({
      name,
      ...sheetOf(rows.map((cells) => cells.map(inline))),
    }))
    await page.getByLabel('This is the whole class').check()
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    await page.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: 'next-year.xlsx', mimeType, buffer: await writtenWorkbook({ sheets }) },
    })
    await button('Read the file').click()
    await seen('Question 1')
    await lost().waitFor()
    assert.match(await lost().innerText(), /another header than the first, or none: its 3 rows are left out/)
    await assertAccessible(window, 'a question below a lost sheet')
    await page.getByLabel('Nothing: leave the column out').check()
    await button('Continue').click()
  })

  it('tells it above the rows too, and notes the classes that were not compared', async () => {
    await seen('Nothing has been written yet.')
    await lost().waitFor()
    await seen('Not compared, since no row names the class: Class 7 (1 student).')
    await seen(/3 students of these classes are not in the file/)
    await assertAccessible(window, 'classes that were not compared')
  })

  it('goes on telling who is missing once it is applied, by class, without who was moved since', async () => {
    const { page } = window
    await page.getByRole('button', { name: /^Import 1 row/ }).click()
    await page.getByRole('heading', { name: '3 students of the file’s classes were not in it' }).waitFor()
    await seen(/Whoever was moved to another class since is not listed/)
    assert.deepEqual(await listed(), [
      ['Class 5', 'Ada Away', '5'],
      ['Class 5', 'Zoe Away', '1'],
      ['Class 6', 'Eva Away', '3'],
    ])
    await assertAccessible(window, 'who was missing')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await button('Print this page').isVisible(), false)
    assert.equal(await page.getByRole('link', { name: 'Eva Away' }).isVisible(), true)
    await page.emulateMedia({ media: 'screen' })
    assert.equal(await button('Print this page').isVisible(), true)

    await changeAt(server, token, `/api/students/${ids[0]}`, { class_id: 8 })
    await changeAt(server, token, `/api/students/${ids[5]}`, { class_id: 5 })
    await page.reload()
    await page.getByRole('heading', { name: '2 students of the file’s classes were not in it' }).waitFor()
    assert.deepEqual(
      (await listed()).map(([, name]) => name),
      ['Ada Away', 'Eva Away'],
    )
    await page.getByRole('link', { name: 'Eva Away' }).click()
    await page.getByRole('heading', { name: 'Eva Away', level: 1 }).waitFor()
    await page.goBack()
  })

  it('says so in German and Arabic, and once all were moved', async () => {
    const { page } = window
    await page.getByRole('heading', { name: '2 students of the file’s classes were not in it' }).waitFor()
    await page.getByLabel('Language').selectOption('de')
    await seen(/2 Kinder aus den Klassen der Datei standen nicht darin/)
    await page.getByLabel('Sprache').selectOption('ar')
    await seen(/طلاب من صفوف الملف لم يكونوا فيه: 2/)
    await assertAccessible(window, 'who was missing, in Arabic')
    for (const i of [2, 4]) await changeAt(server, token, `/api/students/${ids[i]}`, { class_id: 9 })
    await page.getByLabel('اللغة').selectOption('en')
    await page.reload()
    await seen('All students who were not in the file have left their classes since.')
  })

  it('is finished where nothing changes, and who is missing stays listed', async () => {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page.getByLabel('This is the whole class').check()
    await page
      .getByLabel('Or paste the rows, with their headings')
      .fill('Admission number;Name;Class\n2;Ben There;Class 5\n99;No Class;')
    await button('Read the file').click()
    await seen('There is nothing to write.')
    await seen(/1 student of these classes is not in the file/)
    await assertAccessible(window, 'nothing to write, and somebody missing')
    await button('Finish and keep the list').click()
    await page.getByRole('heading', { name: '1 student of the file’s classes was not in it' }).waitFor()
    assert.deepEqual(await listed(), [['Class 5', 'Una Else', '6']])
    await seen('Nothing was changed, so there is nothing to take back.')
    assert.deepEqual(window.faults, [])
  })
})
