// Runs in a browser.
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  needsChromium,
  openContext,
  openPageIn,
  partsOf,
  signIn,
  type Window,
} from './browser-page.ts'
import { call, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

const children = [...Array(6).keys()].map((i) => ({
  name: `Child ${i}`,
  admission_number: `2026-000${i}`,
  class_id: 5,
  date_of_birth: `2015-05-0${i + 1}`,
}))

/** Rows that may be of children who are there: their numbers lack the hyphen. */
const rowsOf = (file: string, from = 0) =>
  [
    `Name;Admission number;Class;${file}`,
    ...children
      .slice(from, from + 4)
      .map(({ name }, i) => `${name};2026000${from + i};Class 5;0${i + 1}.01.2010`),
  ].join('\n')

describe('what somebody chose in an import, and has not saved, in the console', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  let other: Window
  const asked: string[] = []
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'administrator' }))
    for (const body of children) await makeAt(server, token, '/api/students', body)
    const context = await openContext()
    window = await openPageIn(context, server, { place: '#/imports' })
    await signIn(window, office, password)
    await seen('Read the file')
    other = await openPageIn(context, server, { place: '#/imports' })
    for (const { page } of [window, other]) {
      page.on('dialog', (dialog) => {
        asked.push(dialog.message())
        void dialog.dismiss()
      })
    }
  })
  beforeEach(() => void asked.splice(0))
  const { seen, button } = partsOf(() => window)

  async function paste(file: string): Promise<void> {
    const { page } = window
    await page.evaluate("location.hash = '#/imports'")
    await page.getByLabel('Or paste the rows, with their headings').fill(file)
    await button('Read the file').click()
  }
  const leaveColumnOut = async () => {
    await window.page.getByLabel('Nothing: leave the column out').check()
    await button('Continue').click()
  }
  const row = ({ page }: { page: Page }, number: number) =>
    page.getByRole('group', { name: new RegExp(`^Row ${number} `) })
  const leaveOut = (where: Window, number: number) =>
    row(where, number).getByLabel('Leave the row out').check()
  const same = (where: Window, number: number) =>
    row(where, number)
      .getByLabel(/^Same child as/)
      .first()
  const changeColumn = async ({ page }: Window, heading: string) => {
    await page.locator('summary').filter({ hasText: 'What each column means' }).click()
    await page.getByLabel(heading, { exact: true }).selectOption('date_of_birth')
    await page.getByRole('button', { name: 'Check again with these columns' }).click()
  }
  const outcomes = async () => {
    const id = /imports\/(\d+)/.exec(window.page.url())![1]
    const { body } = await call(server, 'GET', `/api/imports/${id}/rows`, { token })
    return body.data.map((one: { outcome: string; decision?: string }) => one.decision ?? one.outcome)
  }

  it('goes where somebody else has decided the row meanwhile, and it says so', async () => {
    await paste(rowsOf('Shoe'))
    await leaveColumnOut()
    await seen('4 rows need a choice')
    await same(window, 2).check()
    await same(window, 3).check()
    await other.page.goto(window.page.url())
    await leaveOut(other, 2)
    await other.page.getByRole('button', { name: 'Save 1 choice' }).click()
    await other.page.getByText('1 choice is saved.').waitFor()
    await button('Save 2 choices').click()
    await button('Try again').click()
    await seen('Your choice for 1 row was not saved: somebody else decided about it meanwhile')
    await seen('2 rows need a choice')
    await assertAccessible(window, 'a choice that went')
    assert.ok(await same(window, 3).isChecked())
    await button('Save 1 choice').click()
    await seen('1 choice is saved.')
    assert.deepEqual(await outcomes(), ['leave_out', 'same', 'doubtful', 'doubtful'])
    assert.equal(await window.page.getByText('was not saved').count(), 0)
  })

  it('is saved with a change of columns, whatever the new plan asks', async () => {
    const { page } = window
    await paste(rowsOf('Day', 1))
    await leaveColumnOut()
    await seen('4 rows need a choice')
    await leaveOut(window, 3)
    await changeColumn(window, 'Day')
    await seen(/How are the dates in/)
    await page.getByLabel('The day first').check()
    await button('Continue').click()
    await seen('3 rows need a choice')
    assert.deepEqual(await outcomes(), ['doubtful', 'leave_out', 'doubtful', 'doubtful'])
  })

  it('stays where somebody else has changed a column, and a question comes of it', async () => {
    const { page } = window
    await paste(rowsOf('Date', 2))
    await leaveColumnOut()
    await seen('4 rows need a choice')
    await leaveOut(window, 4)
    await other.page.goto(page.url())
    await other.page.getByText('4 rows need a choice').waitFor() // it showed another import before
    await changeColumn(other, 'Date')
    await other.page.getByText(/How are the dates in/).waitFor()
    await button('Save 1 choice').click()
    await button('Try again').click()
    await seen(/How are the dates in/)
    await Promise.all([page.waitForEvent('dialog'), page.getByRole('link', { name: 'Classes' }).click()])
    await page.getByLabel('The day first').check()
    await button('Continue').click()
    await seen('3 rows need a choice')
    await button('Save 1 choice').click()
    await seen('1 choice is saved.')
    assert.deepEqual(await outcomes(), ['doubtful', 'doubtful', 'leave_out', 'doubtful'])
  })

  it('is asked about before answers to questions are left: by a link, Back or a reload', async () => {
    const { page } = window
    await paste('Name;Class;Colour;Shoe\nNew One;Class 5;red;40')
    await seen(/What does the column .Colour. hold/)
    await page.getByRole('link', { name: 'Classes' }).click()
    await page.getByRole('heading', { name: 'Classes', level: 1 }).waitFor()
    assert.equal(asked.length, 0)
    await page.goBack()
    await leaveColumnOut()
    await seen(/What does the column .Shoe. hold/)
    const leave = [
      () => page.getByRole('link', { name: 'Classes' }).click(),
      () => page.goBack({ timeout: 1_000 }).catch(() => null),
      () => page.reload({ timeout: 1_000 }).catch(() => null),
    ]
    for (const by of leave) {
      await Promise.all([page.waitForEvent('dialog'), by()])
      await seen(/What does the column .Shoe. hold/)
    }
    assert.equal(asked.length, leave.length)
  })

  it('is not asked about where a first number is only proposed', async () => {
    const { page } = window
    await leaveColumnOut()
    await page.getByLabel(/Which number does the first of them get/).waitFor()
    await page.getByRole('link', { name: 'Classes' }).click()
    await page.getByRole('heading', { name: 'Classes', level: 1 }).waitFor()
    assert.equal(asked.length, 0)
    await page.goBack()
    await page.getByLabel(/Which number does the first of them get/).fill('N-0100')
    await Promise.all([page.waitForEvent('dialog'), page.getByRole('link', { name: 'Classes' }).click()])
    await button('Continue').click()
    await button('Import 1 row').waitFor()
    await page.getByRole('link', { name: 'Classes' }).click()
    await page.getByRole('heading', { name: 'Classes', level: 1 }).waitFor()
  })

  it('breaks the policy nowhere, and no script fails', () => {
    assert.deepEqual([...window.faults, ...other.faults], [])
  })
})
