// Runs once, in a browser: the console is the same on each engine. Its server is opened by startServer.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  look,
  needsChromium,
  openWindow,
  partsOf,
  signIn,
  type Window,
} from './browser-page.ts'
import { call, changeAt, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

describe('answers that are kept for the next file, in the console', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    window = await openWindow(server)
    window.page.on('dialog', (dialog) => void dialog.accept())
    await signIn(window, office, password)
  })
  const { seen } = partsOf(() => window)
  const press = (name: string) => window.page.getByRole('button', { name, exact: true }).click()
  const name = () => window.page.getByLabel('Keep these answers under the name')
  const kept = () => window.page.getByRole('row', { name: /Old system/ })

  async function paste(rows: string): Promise<void> {
    await window.page.goto(`${window.page.url().split('#')[0]}#/imports`)
    await window.page.getByLabel('Or paste the rows, with their headings').fill(rows)
    await press('Read the file')
  }

  async function list(): Promise<void> {
    await window.page.goto(`${window.page.url().split('#')[0]}#/imports`)
    await window.page.getByText('Answers that are kept for the next file').click()
  }

  async function removeKept(): Promise<void> {
    await kept().getByRole('button', { name: 'Delete' }).click()
    await seen(/Delete the answers .*Old system/)
    await kept().getByRole('button', { name: 'Delete' }).last().click()
  }

  async function leaveOut(): Promise<void> {
    await window.page.getByLabel('Nothing: leave the column out').check()
    await press('Continue')
    await seen('Nothing has been written yet.')
  }

  it('get a name, and the next file with these headings is not asked about', async () => {
    await paste('Name\tAdmission number\tClass\tColour\nMia\tn-1\tClass 5\tred')
    await leaveOut()
    await press('Keep')
    await seen('Enter this.')
    await name().fill('Old system')
    await look(window, 'answers-name')
    await press('Keep')
    await seen('Your answers are kept.')
    assert.equal(await name().inputValue(), 'Old system')
    await paste('Name\tAdmission number\tClass\tColour\nBo\tn-2\tClass 5\tblue')
    await seen('Nothing has been written yet.')
    await seen(/Left out, as was answered for an earlier file: .Colour.\./)
    assert.equal(await name().inputValue(), 'Old system')
  })

  it('have a name of their own', async () => {
    await paste('Name\tAdmission number\tClass\tShoe\nCy\tn-3\tClass 5\t40')
    await leaveOut()
    await name().fill('old SYSTEM')
    await press('Keep')
    await seen('Answers for other headings have this name. Choose another.')
    assert.equal(await name().getAttribute('aria-invalid'), 'true')
  })

  it('are listed, and deleted by hand: the next file is asked about anew', async () => {
    await list()
    await kept().getByText('name · admission number · class · colour').waitFor()
    await look(window, 'answers-kept')
    await removeKept()
    await kept().waitFor({ state: 'detached' })
    await paste('Name\tAdmission number\tClass\tColour\nDi\tn-4\tClass 5\tblue')
    await seen(/What does the column .Colour. hold\?/)
  })

  it('that somebody else has deleted meanwhile go from the list, and it says so', async () => {
    await leaveOut()
    await name().fill('Old system')
    await press('Keep')
    await seen('Your answers are kept.')
    await list()
    const { body } = await call(server, 'GET', '/api/import-mappings', { token })
    for (const { id } of body.data) await call(server, 'DELETE', `/api/import-mappings/${id}`, { token })
    await removeKept()
    await seen('This could not be saved.')
    await kept().waitFor({ state: 'detached' })
  })
  it('may be a word of the office for guardians without a name', async () => {
    const { page } = window
    await paste('Name\tAdmission number\tClass\tGuardian phone\nEm\tn-5\tClass 5\t030 1')
    await seen('In 1 row a guardian has no name. What are new guardians called? Others keep their names.')
    await page.getByRole('radio', { name: 'The same word for all' }).check()
    const word = page.getByRole('textbox', { name: 'The same word for all' })
    assert.equal(await word.inputValue(), 'Guardian')
    await word.fill('')
    await press('Continue')
    await seen('Choose one.')
    await word.fill('Parent or carer')
    await assertAccessible(window, 'a word for guardians')
    await press('Continue')
    await seen('Nothing has been written yet.')
    await page.getByText(/Guardian 1: Name/).waitFor()
    await page.getByRole('cell', { name: /Parent or carer/ }).waitFor()
    await press('Discard')
  })
  it('that are but blanks are none, and the field says what it wants', async () => {
    const { page } = window
    await paste('Name\tAdmission number\tClass\nFay Fine\tn-6\tClass 5')
    await page.getByRole('link', { name: /^Answer: Does the file use a sign/ }).click()
    const sign = page.getByRole('textbox', { name: /^Does the file use a sign/ })
    await sign.fill('   ')
    await press('Continue')
    await page.getByRole('alert').filter({ hasText: 'Blanks are no sign: nobody sees them.' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Choose one.' }).waitFor()
    assert.equal(await page.getByText('This could not be saved.').count(), 0)
    await assertAccessible(window, 'blanks for a sign')
    await sign.fill('-')
    await press('Continue')
    await seen('Nothing has been written yet.')
    await press('Discard')
  })
  it('on guardians hold as they stand on the screen, though one column more moves the others', async () => {
    const { page } = window
    await paste(
      "Name\tAdmission number\tClass\tMother's name\tGuardian e-mail\nGil\tn-7\tClass 5\tIda Gil\ti@x.example",
    )
    await page.getByRole('radio', { name: 'The same word for all' }).check()
    await press('Continue')
    await seen('Nothing has been written yet.')
    await page.locator('summary').filter({ hasText: 'What each column means' }).click()
    const mother = page.getByLabel("Mother's name", { exact: true })
    const chosen = await mother.inputValue()
    assert.equal(chosen, 'guardian_2_name')
    await page.getByLabel('Guardian e-mail', { exact: true }).selectOption('guardian_2_email')
    await press('Check again with these columns')
    await seen('Your columns are in.')
    const rows = page.getByRole('row', { name: /Gil/ })
    assert.match(await rows.innerText(), /Guardian 1: Name\s+Ida Gil[\s\S]*Guardian 1: E-mail\s+i@x\.example/)
    assert.doesNotMatch(await rows.innerText(), /Guardian 2/)
    await press('Discard')
  })
  it('of guardians stand beside what stays of a take back: what was there before the import', async () => {
    const { page } = window
    const guardians = [{ name: 'Eva Before', phone: '030 1' }]
    const child = { name: 'Fay', admission_number: 'n-6', class_id: 5, guardians }
    const id = await makeAt(server, token, '/api/students', child)
    await paste('Admission number\tGuardian 1 name\tGuardian 1 phone\nn-6\tEva Before\t030 2')
    await page.getByLabel('None: known students stay in their classes').check()
    await press('Continue')
    await press('Import 1 row')
    await page.getByRole('button', { name: 'Take back' }).waitFor()
    const later = { guardians: [{ name: 'Eva Before', phone: '030 3' }] }
    await changeAt(server, token, `/api/students/${id}`, later)
    await press('Take back')
    await page.getByText(/Guardian 1: Phone\s+Before the import: .030 1/).waitFor()
    await assertAccessible(window, 'a guardian that stays')
  })
})
