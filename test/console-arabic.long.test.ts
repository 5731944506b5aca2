// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { chooseLanguage, look, needsChromium, openWindow, signIn, type Window } from './browser-page.ts'
import { changeAt, makeAt } from './calls.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'

const file = `Name,Admission number,Class,Date of birth
Zoe Adam,0001,Class 6,
ليلى حداد,n-1,Class 5,2014-05-12
`

describe('an import in Arabic', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [office]: 'registrar' }))
    await makeAt(server, token, '/api/students', { name: 'Zoe Adam', admission_number: '0001', class_id: 5 })
    const born = { date_of_birth: '2014-05-12', class_id: 5 }
    await makeAt(server, token, '/api/students', { name: 'ليلى حداد', admission_number: 'A 2-7', ...born })
    window = await openWindow(server)
    await signIn(window, office, password)
    await chooseLanguage(window.page, 'ar')
  })
  async function plan(body: string, query: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
    const sent = await fetch(`${server.url}/api/imports`, { method: 'POST', headers, body })
    const { data } = (await sent.json()) as { data: { id: number } }
    await window.page.goto(`http://localhost:${server.port}/#/imports/${data.id}${query}`)
  }

  it('shows a change with an arrow from the old value to the new one', async () => {
    await plan(file, '?show=change')
    const change = window.page.locator('.told li').first()
    await change.waitFor()
    assert.equal(await change.innerText(), 'الصف Class 5 ← Class 6')
    await look(window, 'arabic-change')
  })

  it('keeps name, number, class and date of birth apart where one decides about a child', async () => {
    await plan(file, '?show=doubtful')
    const same = window.page.getByText(/^الطالب نفسه/).first()
    await window.page.getByText(/2014/).first().waitFor()
    const parts = ['ليلى حداد', 'A 2-7', 'Class 5', '12 مايو 2014'].map((part) => `\u2068${part}\u2069`)
    assert.ok((await same.innerText()).startsWith(`الطالب نفسه: ${parts.join('، ')}\n`))
    await look(window, 'arabic-same')
  })

  it('keeps a phone apart from the name before it', async () => {
    const { page } = window
    const guardians = [{ name: 'سلمى حداد', phone: '+49 30 901820' }]
    await changeAt(server, token, '/api/students/2', { guardians })
    await page.goto(`http://localhost:${server.port}/#/students/2`)
    const come = page.locator('ins').filter({ hasText: 'سلمى' })
    await come.waitFor()
    assert.equal(await come.innerText(), '\u2068سلمى حداد\u2069، \u2068+49 30 901820\u2069')
    await look(window, 'arabic-guardian')
  })

  it('asks for the number of rows, not of classes, before many are taken back', async () => {
    const { page } = window
    const rows = Array.from({ length: 51 }, (_, i) => `Neu ${i},N-${i},Class 1`)
    await plan(['Name,Admission number,Class', ...rows].join('\n'), '')
    await page.getByRole('button', { name: 'استيراد: 51 سطرًا' }).click()
    // Somebody else has sent the file: it is planned anew for who imports it.
    await page.getByText('تغيرت قيود في الأثناء').waitFor()
    await page.getByRole('button', { name: 'استيراد: 51 سطرًا' }).click()
    await page.getByRole('button', { name: 'تراجع', exact: true }).click()
    await page.getByText('عدد الأسطر التي سيُتراجع عنها: 51').waitFor()
    await page.getByLabel('عدد الأسطر').waitFor()
    assert.doesNotMatch(await page.locator('form.check').innerText(), /صفوف/)
  })

  it('breaks the policy nowhere, and no script fails', () => {
    assert.deepEqual(window.faults, [])
  })
})
