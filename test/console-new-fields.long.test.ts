// Runs once, in a browser: the console is the same on each engine. Its server is opened by startServer.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  look as lookAt,
  needsChromium,
  openWindow,
  partsOf,
  signIn,
  type Window,
} from './browser-page.ts'
import { call } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

const rows = [
  'Name;Admission number;Class;Eintrittsdatum;Konfession;Hort',
  'Mia Braun;2026-0100;Class 5;13.09.2024;ev.;ja',
  'Tom Weiß;2026-0101;Class 5;14.09.2024;rk.;nein',
].join('\n')

describe('a column that becomes a field of the school, in the console', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'administrator' }))
    window = await openWindow(server)
    window.page.on('dialog', (dialog) => void dialog.accept())
    await signIn(window, office, password)
  })
  const { seen } = partsOf(() => window)
  const press = (name: string) => window.page.getByRole('button', { name, exact: true }).click()
  const look = (name: string) => lookAt(window, `new-fields-${name}`)
  const kind = () => window.page.getByLabel('Kind', { exact: true })
  const sensitive = () => window.page.getByLabel('Sensitive', { exact: true })
  const becomesField = () =>
    window.page.getByLabel('A new field of the school’s own', { exact: true }).check()

  it('has the kind that its cells are, and is sensitive where one says so', async () => {
    await window.page.goto(`${window.page.url().split('#')[0]}#/imports`)
    await window.page.getByLabel('Or paste the rows, with their headings').fill(rows)
    await press('Read the file')
    await seen(/What does the column .Eintrittsdatum. hold\?/)
    assert.equal(await kind().count(), 0)
    await becomesField()
    assert.equal(await kind().inputValue(), 'date')
    await seen('The kind cannot be changed later.')
    await assertAccessible(window, 'the kind of a new field')
    await look('date')
    await press('Continue')
    await seen(/What does the column .Konfession. hold\?/)
    await becomesField()
    assert.equal(await kind().inputValue(), 'text')
    await sensitive().check()
    await press('Continue')
    await seen(/What does the column .Hort. hold\?/)
    await becomesField()
    assert.equal(await kind().inputValue(), 'yes_no')
    await kind().selectOption('text')
    await press('Back')
    assert.equal(await sensitive().isChecked(), true)
    await press('Continue')
    assert.equal(await kind().inputValue(), 'text')
    await kind().selectOption('yes_no')
    await press('Continue')
  })

  it('is told with its kind by the plan, where both can be changed', async () => {
    await seen('Nothing has been written yet.')
    await seen('A new field of the school’s own · Date')
    await seen('A new field of the school’s own · Sensitive')
    await seen('13 Sept 2024')
    await window.page.getByText('What each column means').click()
    const column = window.page.getByLabel('Hort', { exact: true })
    assert.equal(await column.inputValue(), 'new_field')
    const choice = window.page.locator('.field', { has: column })
    assert.equal(await choice.getByLabel('Kind', { exact: true }).inputValue(), 'yes_no')
    await choice.getByLabel('Sensitive', { exact: true }).check()
    await look('columns')
    await press('Check again with these columns')
    await seen('A new field of the school’s own · Yes or no · Sensitive')
  })

  it('is made so, and its values are those of the kind', async () => {
    await press('Import 2 rows')
    await seen(/2 added, 0 changed/)
    const { body: fields } = await call(server, 'GET', '/api/fields', { token })
    assert.deepEqual(
      fields.data.map(({ label, kind, sensitive }: Record<string, unknown>) => [label, kind, sensitive]),
      [
        ['Eintrittsdatum', 'date', false],
        ['Konfession', 'text', true],
        ['Hort', 'yes_no', true],
      ],
    )
    const { body: student } = await call(server, 'GET', '/api/students/1', { token })
    assert.deepEqual(student.data.fields, { eintrittsdatum: '2024-09-13', konfession: 'ev.', hort: true })
  })
})
