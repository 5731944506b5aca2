// Runs once, in a browser: the console is the same on each engine. Its server is opened by startServer.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  chooseLanguage,
  look,
  needsChromium,
  openWindow,
  partsOf,
  signIn,
  type Window,
} from './browser-page.ts'
import { call, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'
const labels = ['1a', '1b', '2a', '2b', '3a', '3b']
const written = ['Klasse 1a', 'Klasse 1b', '9z', '2 a', 'Klasse 2b', '3aa', 'Klase 3b']

describe('classes that a file writes in another way, in the console', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    for (const label of labels) await makeAt(server, token, '/api/classes', { label })
    window = await openWindow(server)
    await signIn(window, office, password)
    await heading('Students')
  })
  const { button, heading, seen } = partsOf(() => window)
  const pairs = () => window.page.locator('.pairs li').allInnerTexts()
  const takeAll = (count: number) => button(`Use the suggested class for all ${count}`)

  async function paste(classes: readonly string[], prefix: string): Promise<void> {
    const rows = classes.map((label, i) => `Child ${prefix}${i}\t${prefix}${i}\t${label}`)
    await window.page.goto(`http://localhost:${server.port}/#/imports`)
    await window.page
      .getByLabel('Or paste the rows, with their headings')
      .fill(['Name\tAdmission number\tClass', ...rows].join('\n'))
    await button('Read the file').click()
  }

  it('are listed beside the classes that are suggested, and those that differ in more apart', async () => {
    await paste(written, 'a-')
    await seen(/No class that you see is called .Klasse 1a./)
    await seen('For 6 classes of the file, a class is suggested:')
    const spelling = ['Klasse 1a → 1a', 'Klasse 1b → 1b', '2 a → 2a', 'Klasse 2b → 2b']
    assert.deepEqual(await pairs(), [...spelling, '3aa → 3a', 'Klase 3b → 3b'])
    await seen('These differ in more than their spelling. Look twice:')
    await look(window, 'classes-suggested')
  })

  it('have the suggested class as the first answer, and a new class after it', async () => {
    const choices = await window.page.locator('fieldset .choice label').allInnerTexts()
    assert.equal(choices[0], '1a')
    assert.ok(choices.slice(1).some((one) => /^Make the class .Klasse 1a.$/.test(one)))
  })

  it('say so in German and Arabic', async () => {
    await chooseLanguage(window.page, 'de')
    await window.page.getByRole('button', { name: 'Für alle 6 die vorgeschlagene Klasse nehmen' }).waitFor()
    await chooseLanguage(window.page, 'ar')
    await window.page.getByRole('button', { name: 'استخدم الصف المقترح لها كلها (6)' }).waitFor()
    assert.equal((await pairs())[0], 'Klasse 1a ← 1a')
    await look(window, 'classes-suggested-arabic')
    await chooseLanguage(window.page, 'en')
  })

  it('are answered all at once, but for those without a suggestion, and each can be changed on the way back', async () => {
    await takeAll(6).click()
    await seen(/No class that you see is called .9z./)
    assert.equal(await window.page.evaluate('document.activeElement?.id'), 'question')
    assert.equal(await window.page.locator('.pairs').count(), 0)
    await button('Back').click()
    await seen(/No class that you see is called .Klasse 1b./)
    assert.equal(await window.page.getByLabel('1b', { exact: true }).isChecked(), true)
    await window.page.getByLabel('Another class').selectOption({ label: '2b' })
    await button('Continue').click()
    await seen(/No class that you see is called .9z./)
    await window.page.getByLabel('Leave these rows out').check()
    await button('Continue').click()
    await seen('Nothing has been written yet.')
  })

  it('can be changed above the plan too', async () => {
    await button(/^Change: Which class is meant by .3aa.\?$/).click()
    await seen(/No class that you see is called .3aa./)
    assert.equal(await window.page.locator('.pairs').count(), 0, 'one alone is answered by itself')
    await window.page.getByLabel('Another class').selectOption({ label: '3b' })
    await button('Continue').click()
    await seen('Nothing has been written yet.')
    await button('Import 6 rows').click()
    await button('Take back').waitFor()
    const { body } = await call(server, 'GET', '/api/students?search=a-&sort=admission_number', { token })
    const classes = body.data.map((one: { class: string }) => one.class)
    assert.deepEqual(classes, ['1a', '2b', '2a', '2b', '3b', '3b'])
  })

  it('lead to the plan at once where each has a suggestion', async () => {
    await paste(['Kl. 1a', 'Grade 1-B', 'Class 2a'], 'b-')
    await takeAll(3).click()
    await seen('Nothing has been written yet.')
    await button('Import 3 rows').waitFor()
  })

  it('are one new class where the file alone has them, in each of its spellings', async () => {
    await paste(['7x', '7x', '7 x', 'Klasse 7x'], 'c-')
    await seen(/No class that you see is called .7x./)
    await window.page.getByLabel(/^Make the class .7x.$/).check()
    await button('Continue').click()
    await takeAll(2).waitFor()
    assert.deepEqual((await pairs()).map(plain), ['7 x → Make the class 7x', 'Klasse 7x → Make the class 7x'])
    await takeAll(2).click()
    await seen('Nothing has been written yet.')
    await button('Import 4 rows').click()
    await button('Take back').waitFor()
    const { body } = await call(server, 'GET', '/api/students?search=c-', { token })
    assert.deepEqual(new Set(body.data.map((one: { class: string }) => one.class)), new Set(['7x']))
  })
})

/** Without the marks that keep a label apart from the words around it, and quotes. */
const plain = (text: string) => text.replace(/[\u2066-\u2069“”"]/g, '')
