// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertAccessible,
  needsChromium,
  openWindow,
  partsOf,
  signIn,
  untilFilled,
  type Window,
} from './browser-page.ts'
import { call, changeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

describe('the name of a new student', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    window = await openWindow(server)
    await signIn(window, office, password)
  })
  const { heading, notice, button } = partsOf(() => window)
  const field = (name: string) => window.page.getByLabel(name, { exact: true }).first()
  const openForm = async () => {
    await window.page.goto(`http://localhost:${server.port}/#/students/new`)
    await heading('New student')
  }
  const student = async (id: number) =>
    (await call(server, 'GET', `/api/students/${id}`, { token })).body.data
  const next = (number: string) => untilFilled(window.page, '#field-admission_number', number)

  it('is one field where no student has a family name, and two where one wants so', async () => {
    const { page } = window
    await openForm()
    await field('Number').fill('2026-0001')
    await field('Name').fill('Zoë Marie')
    await button('Given and family name apart').click()
    assert.equal(
      await field('Given name').inputValue(),
      'Zoë Marie',
      'what was typed stands in the first part',
    )
    await field('Family name').fill('Müller')
    await field('Class').fill('Class 5')
    await assertAccessible(window, 'a name in parts')
    await page.keyboard.press('Control+s')
    await notice('Zoë Marie Müller⁩ is entered.')
    const { name, given_name, family_name } = await student(1)
    assert.deepEqual([name, given_name, family_name], ['Zoë Marie Müller', 'Zoë Marie', 'Müller'])
  })

  it('is two fields from then on, and one part is enough', async () => {
    const { page } = window
    await page.reload()
    await openForm()
    await next('2026-0002')
    assert.equal(await field('Given name').inputValue(), '')
    await field('Class').fill('Class 5')
    await page.keyboard.press('Control+s')
    await page.getByRole('link', { name: 'Given name' }).waitFor()
    await field('Given name').fill('Suharto')
    await page.keyboard.press('Control+s')
    await notice('Suharto⁩ is entered.')
    assert.deepEqual((await student(2)).family_name, null)
  })

  it('is typed in the order of the school, and whole where one wants so', async () => {
    const { page } = window
    await changeAt(server, token, '/api/school', { name_order: 'family_first' })
    await page.reload()
    await openForm()
    await next('2026-0003')
    const labels = await page.locator('form.form label').allInnerTexts()
    assert.deepEqual(labels.slice(0, 2), ['Family name', 'Given name'])
    await field('Family name').fill('Nguyễn')
    await field('Given name').fill('An')
    await button('One field for the whole name').click()
    assert.equal(await field('Name').inputValue(), 'Nguyễn An')
    await field('Class').fill('Class 5')
    await page.keyboard.press('Control+s')
    await notice('Nguyễn An⁩ is entered.')
    const { name, given_name } = await student(3)
    assert.deepEqual([name, given_name], ['Nguyễn An', null])
  })

  it('says at its first part that the whole is too long', async () => {
    const { page } = window
    await next('2026-0004')
    await button('Given and family name apart').click()
    await field('Family name').fill('x'.repeat(200))
    await field('Given name').fill('y'.repeat(200))
    await field('Class').fill('Class 5')
    await page.keyboard.press('Control+s')
    await page.getByRole('link', { name: 'Family name' }).waitFor()
  })
})
