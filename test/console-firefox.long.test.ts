// Runs once, in a browser: what it shows does not depend on the engine. The school is opened by openSchool.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { atEnd, temporaryFile } from './cleanup.ts'
import { august } from './console-screens/pupils.ts'
import { openSchoolNamed, people } from './console-screens/schools.ts'
import { FirefoxTab, keys, needsFirefox } from './firefox.ts'
import { printedPages } from './printed-pages.ts'
import { password } from './school.ts'

describe('the console in Firefox', needsFirefox, () => {
  let tab: FirefoxTab
  before(async () => {
    const opened = await openSchoolNamed('usual')
    atEnd(opened.close)
    tab = await FirefoxTab.open()
    await tab.goTo(`http://localhost:${opened.port}/#/students`)
  })
  const heading = (name: string) =>
    tab.until(`document.querySelector('h1').innerText === ${JSON.stringify(name)}`)
  const value = (selector: string, is: string) =>
    tab.until(`document.querySelector('${selector}').value === ${JSON.stringify(is)}`)
  const save = () => tab.chord(keys.Control, 's')
  const assertAccessible = async (where: string) => assert.equal(await tab.findings(), '', where)

  it('lets one sign in', async () => {
    await heading('Sign in')
    await tab.fill('input[type=email]', people.office.email)
    await tab.fill('input[type=password]', password)
    await tab.type(keys.Enter)
    await heading('Students')
    await tab.seen('64 students')
    await assertAccessible('students')
  })

  it('finds a child while one types, and opens the only hit', async () => {
    await tab.type('/')
    await tab.type('901820')
    await tab.seen('by a guardian')
    await tab.fill('input[type=search]', '2026-0001')
    await tab.seen('1–1 of 1')
    await tab.type(keys.Enter)
    await heading('Zoë Müller “Zozo”')
    await assertAccessible('student')
  })

  it('changes a field by keyboard, and takes it back', async () => {
    await tab.evaluate('document.activeElement.blur()')
    await tab.type('e')
    await tab.fill('#field-preferred_name', 'Zo')
    await save()
    await heading('Zoë Müller “Zo”')
    await tab.seen('Saved.')
    await tab.click('Undo')
    await heading('Zoë Müller “Zozo”')
  })

  it('enters a child', async () => {
    await tab.evaluate('document.activeElement.blur()')
    await tab.type('n')
    await heading('New student')
    await value('#field-admission_number', '2026-0065')
    await tab.type(`Nele${keys.Tab}Braun${keys.Tab}1/9/2015${keys.Tab}${keys.Tab}class 1`)
    await save()
    await tab.seen('is entered.')
    await value('#field-admission_number', '2026-0066')
  })

  it('imports a list', async () => {
    const file = temporaryFile('Pupils August.csv', august)
    await tab.click('Import')
    await heading('Import')
    await tab.setFile('#file', file)
    await tab.click('Read the file')
    await tab.click('Nothing: leave the column out')
    await tab.click('Continue')
    await tab.seen('No class that you see is called')
    await tab.click('Leave these rows out')
    await tab.click('Continue')
    await tab.seen('Nothing has been written yet.')
    await assertAccessible('check')
    await tab.click('Another child')
    await tab.click('Check again with 1 choice')
    await tab.seen('Your choices are in.')
    await tab.click('Import 5 rows')
    await tab.seen('3 added, 2 changed.')
  })

  it('prints a page a class, and the heads on every page of a long list', async () => {
    async function print(query: string, sheets: number): Promise<string[]> {
      await tab.evaluate(`location.hash = '#/print?${query}'`)
      await tab.until(`document.querySelectorAll('.sheet').length === ${sheets}`)
      await tab.until("document.querySelector('button.primary[aria-disabled=false]')")
      const pages = printedPages(await tab.print())
      for (const { width, height } of pages) assert.ok(Math.hypot(width - 595, height - 842) < 2, 'A4')
      return pages.map(({ text }) => text)
    }
    const numbersIn = (pages: readonly string[]) => new Set(pages.join().match(/2026-\d{4}/g)).size
    const classes = await print('as=classes', 8)
    assert.deepEqual(
      classes.map((text) => /^GreenHillSchool.*?(Class\d)/.exec(text)?.[1]),
      Array.from({ length: 8 }, (_, i) => `Class${i + 1}`),
    )
    assert.equal(numbersIn(classes), 68)
    const list = await print('as=list&sort=name', 1)
    assert.ok(list.length > 1)
    for (const text of list)
      assert.match(text, /^GreenHillSchool.*Students68studentsNo\.Familyname.*Guardians/)
    assert.equal(numbersIn(list), 68)
  })

  it('reads from right to left', async () => {
    await tab.evaluate(`(() => {
      const choice = document.querySelector('select:has(> option[value="ar"])')
      choice.value = 'ar'
      choice.dispatchEvent(new Event('change', { bubbles: true }))
    })()`)
    await tab.until("document.documentElement.dir === 'rtl'")
    await assertAccessible('an import in Arabic')
  })
})
