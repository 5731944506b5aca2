// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertAccessible, needsChromium, openWindow, partsOf, signIn, type Window } from './browser-page.ts'
import { call, makeAt } from './calls.ts'
import { addUser, password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'
const clerk = 'clerk@school.example'

describe('a school with much of everything, in the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  const make = (path: string, body: object) => makeAt(server, token, path, body)
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    for (let i = 1; i <= 40; i++)
      await make('/api/fields', { label: `Field ${i} ${'f'.repeat(40)}`, kind: 'text', sensitive: i === 40 })
    for (let i = 1; i <= 300; i++) await make('/api/classes', { label: `Group ${i}` })
    for (let i = 1; i <= 101; i++) {
      const name = `Child ${String(i).padStart(3, '0')}`
      await make('/api/students', { name, admission_number: `${i}`, class_id: 5 })
    }
    window = await openWindow(server)
    await signIn(window, office, password)
    await seen('101 students')
  })
  const { heading, notice, button, link, seen } = partsOf(() => window)
  const open = (hash: string) => window.page.goto(`http://localhost:${server.port}/${hash}`)

  it('goes on from a student to the next one where a page of the list ends, and back', async () => {
    const { page } = window
    await link('Child 050').click()
    await heading('Child 050')
    await seen('50 of 101')
    await button('Next').click()
    await heading('Child 051')
    await seen('51 of 101')
    await link('Next').click()
    await heading('Child 052')
    await link('Previous').click()
    await heading('Child 051')
    await assertAccessible(window, 'where a page begins')
    await button('Previous').click()
    await heading('Child 050')
    await button('Next').click()
    await heading('Child 051')
    await link('Back to the students').click()
    await seen('51–100 of 101')
    await button('Next page').click()
    await seen('101–101 of 101')
    await link('Child 101').click()
    await heading('Child 101')
    assert.equal(await page.getByText('Next', { exact: true }).count(), 0)
    await button('Previous').click()
    await heading('Child 100')
  })

  it('says where the way to the next one fails', async () => {
    const { page } = window
    await page.context().setOffline(true)
    await button('Next').click()
    await seen('There is no connection to the server.')
    await page.context().setOffline(false)
    await button('Next').click()
    await heading('Child 101')
  })

  it('shows and edits forty fields of the school’s own, on a narrow screen too', async () => {
    const { page } = window
    await page.setViewportSize({ width: 320, height: 640 })
    await button('Edit: School’s own fields').click()
    await page.getByLabel(/^Field 40 /).fill('x'.repeat(255))
    await page.keyboard.press('Control+s')
    await notice('Saved.')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await assertAccessible(window, 'forty own fields')
    await page.setViewportSize({ width: 1366, height: 768 })
  })

  it('chooses among three hundred classes by a few letters', async () => {
    const { page } = window
    await button('Move class').click()
    await page.getByRole('combobox', { name: 'To class' }).fill('298')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    assert.equal(await page.getByRole('listbox').getByRole('option').count(), 1)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await page.locator('.facts').filter({ hasText: 'Group 298' }).waitFor()
    await button('Undo').click()
    await notice('Undone.')
  })

  it('has room for more than eight lists behind a button, and shows the one that is open beside the others', async () => {
    const { page } = window
    for (let i = 1; i <= 10; i++) await make('/api/lists', { name: `List ${i}`, filters: { class_id: [5] } })
    await open('#/students')
    await page.reload()
    await link('List 8').waitFor()
    assert.equal(await page.locator('.lists nav').getByRole('link').count(), 8)
    await page.getByText('More lists').click()
    await assertAccessible(window, 'more lists')
    await link('List 10').click()
    await page.locator('.lists nav [aria-current]').filter({ hasText: 'List 10' }).waitFor()
    await seen('1–50 of 101')
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByText('More lists').click()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await assertAccessible(window, 'more lists, narrow')
    await page.setViewportSize({ width: 1366, height: 768 })
  })

  it('keeps what the account may not see of a list when it saves the changes of one', async () => {
    await make('/api/roles', {
      name: 'Clerk',
      permissions: ['classes.view', 'lists.manage', 'students.view'],
    })
    await addUser(server.databaseUrl, clerk, 'Clerk')
    const columns = ['guardians', 'name', 'date_of_birth', 'fields.field_40', 'admission_number']
    const { body: fields } = await call(server, 'GET', '/api/fields', { token })
    const { key } = fields.data.at(-1)
    columns[3] = `fields.${key}`
    const id = await make('/api/lists', { name: 'All of it', columns, order: '-date_of_birth' })
    const list = async () => (await call(server, 'GET', `/api/lists/${id}`, { token })).body.data
    const theirs = await openWindow(server)
    const { page } = theirs
    const parts = partsOf(() => theirs)
    await signIn(theirs, clerk, password)
    await parts.link('All of it').click()
    await page.getByRole('columnheader', { name: 'Number' }).waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'Born' }).count(), 0)
    await page.locator('summary').filter({ hasText: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Number', exact: true }).uncheck()
    await page.getByRole('checkbox', { name: 'Called' }).check()
    await page.keyboard.press('Escape')
    await parts.button('Save the changes of \u2068All of it\u2069').click()
    await parts.notice('is saved.')
    const hidden = ['date_of_birth', `fields.${key}`]
    assert.deepEqual((await list()).columns, ['guardians', 'name', ...hidden, 'preferred_name'])
    assert.equal((await list()).order, '-date_of_birth')
    await page.getByText('· changed').waitFor({ state: 'detached' })
    assert.deepEqual(theirs.faults, [])
  })

  it('has the number of rows typed before many are taken back', async () => {
    const { page } = window
    const rows = Array.from({ length: 60 }, (_, i) => `Anna Neu ${i},N-${i},Group 1`)
    await open('#/imports')
    await page.getByLabel('Or paste the rows').fill(['Name,Admission number,Class', ...rows].join('\n'))
    await button('Read the file').click()
    await button('Import 60 rows').click()
    await seen('60 added, 0 changed.')
    await button('Take back').click()
    await seen('This takes 60 rows back')
    await seen(/^Take this import back\? 60 new ones are removed, /)
    await page.getByLabel('Number of rows').fill('61')
    await button('Continue').click()
    await seen('Type 60.')
    await assertAccessible(window, 'a take back of many')
    await button('Cancel').click()
    await page.getByLabel('Number of rows').waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Take back')
    await button('Take back').click()
    const { body } = await call(server, 'GET', '/api/students?search=Neu', { token })
    assert.equal(body.pagination.total, 60)
    await page.getByLabel('Number of rows').fill('٦٠')
    await button('Continue').click()
    await seen('60 removed, 0 as before.')
  })

  it('breaks the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})
