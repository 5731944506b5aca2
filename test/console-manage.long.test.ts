// Runs in a browser.
import assert from 'node:assert/strict'
import { join } from 'node:path'
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
import { call, changeAt, makeAt } from './calls.ts'
import { temporaryFolder } from './cleanup.ts'
import { password, runWell, startServerWith } from './command.ts'
import { engine } from './engine.ts'
import type { ServerProcess } from './server.ts'

const head = 'head@school.example'
const office = 'office@school.example'

describe('the head’s day, in the console,', needsChromium, () => {
  let server: ServerProcess
  let token: string
  let window: Window
  before(async () => {
    ;({ server, token } = await startServerWith({ [head]: 'administrator', [office]: 'registrar' }))
    await change('/api/school', { name: 'Green Hill School', time_zone: 'Europe/Berlin' })
    window = await openWindow(server)
    await signIn(window, head, password)
  })

  const { heading, notice, alert, button, link, field } = partsOf(() => window)
  const menu = (name: string) =>
    window.page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  const save = () => window.page.keyboard.press('Control+s')
  const read = async (path: string) => (await call(server, 'GET', path, { token })).body.data
  const change = (path: string, body: object) => changeAt(server, token, path, body)
  const make = (path: string, body: object) => makeAt(server, token, path, body)

  describe('roles', () => {
    async function cells(name: string) {
      const row = window.page.getByRole('row', { name })
      await row.waitFor()
      return (await row.getByRole('cell').allInnerTexts()).map((text) => /Yes|No/.exec(text)?.[0])
    }

    it('shows who may do what in one table, and how many hold each role', async () => {
      const { page } = window
      await menu('Roles')
      await page.getByRole('table', { name: 'What each role allows' }).waitFor()
      assert.deepEqual(await cells('See students: list'), ['Yes', 'Yes', 'Yes'])
      assert.deepEqual(await cells('Make, rename, order'), ['Yes', 'Yes', 'No'])
      await link('2 accounts hold Administrator').waitFor()
      assert.equal(await page.getByText('Built in').count(), 3)
      await assertAccessible(window, 'roles')
    })

    it('makes a role of the school’s own, and says what is wrong first', async () => {
      await link('New role').click()
      await heading('New role')
      await field('Name of the role').fill('viewer')
      await field('See students: list, search and read').check()
      await save()
      await alert('Name of the role: Another record has this already.')
      await assertAccessible(window, 'new role, with a fault')
      await field('Name of the role').fill('Class teacher')
      await save()
      await notice('Class teacher⁩ is made.')
      assert.deepEqual(await cells('See students: list'), ['Yes', 'Yes', 'Yes', 'Yes'])
      assert.deepEqual(await cells('See classes'), ['Yes', 'Yes', 'Yes', 'No'])
    })

    it('overwrites nothing that somebody else changed of it meanwhile', async () => {
      const { page } = window
      await link('Class teacher').click()
      await heading('Class teacher')
      await field('Name of the role').fill('Form teacher')
      await field('See classes').check()
      await change('/api/roles/4', { name: 'Teacher', permissions: ['students.view', 'students.update'] })
      await save()
      const row = page.getByRole('row', { name: /^Name of the role/ })
      await row.waitFor()
      assert.match(await row.innerText(), /Class teacher\s+Teacher\s+Form teacher/)
      await assertAccessible(window, 'role, conflict')
      await save()
      await heading('Form teacher')
      const { name, permissions } = await read('/api/roles/4')
      assert.equal(name, 'Form teacher')
      assert.deepEqual(permissions, ['classes.view', 'students.update', 'students.view'])
    })

    it('deletes none that somebody holds, and leads to them', async () => {
      const { page } = window
      await runWell(['user', 'grant', office, 'Form teacher', '--yes'], { databaseUrl: server.databaseUrl })
      await menu('Roles')
      await link('Form teacher').click()
      await page.getByText('1 account holds this role. Take it').waitFor()
      assert.equal(await button('Delete the role').count(), 0)
      await link('1 account holds Form teacher').click()
      await page.getByText(office).waitFor()
      assert.equal(await page.getByText(head).count(), 0)
      await assertAccessible(window, 'accounts with a role')
      await runWell(['user', 'revoke', office, 'Form teacher'], { databaseUrl: server.databaseUrl })
      await menu('Roles')
      await link('Form teacher').click()
      await button('Delete the role').click()
      await page.getByText('this cannot be undone').waitFor()
      await assertAccessible(window, 'role, asked about')
      await button('Delete the role').last().click()
      await notice('Form teacher⁩ is deleted.')
      assert.equal((await read('/api/roles')).length, 3)
    })

    it('leaves the built-in ones as they are, and begins another like one', async () => {
      const { page } = window
      await link('Viewer').click()
      await page.getByText('This role is built in and stays as it is.').waitFor()
      assert.equal(await field('Name of the role').count(), 0)
      await link('New role like this one').click()
      await heading('New role')
      assert.equal(await field('See classes').isChecked(), true)
      assert.equal(await field('See accounts').isChecked(), false)
    })
  })

  describe('the school’s own fields', () => {
    it('are made with their choices, and stand in their order', async () => {
      const { page } = window
      await menu('Fields')
      await page.getByText('no fields of its own yet').waitFor()
      await assertAccessible(window, 'no fields')
      for (const [label, choices] of [
        ['House', 'Oak\nElm'],
        ['Bus', '1\n3'],
      ] as const) {
        await link('New field').click()
        await field('Name').fill(label)
        await field('Kind').selectOption('one_of')
        await field('Choices').fill(choices)
        await assertAccessible(window, 'new field')
        await save()
        await notice(`${label}⁩ is made.`)
      }
      await link('New field').click()
      await field('Name').fill('Hause')
      await field('Key').fill('house')
      await save()
      await alert('Key: Another record has this already.')
    })

    it('are put in order', async () => {
      const { page } = window
      page.once('dialog', (question) => question.accept())
      await link('Cancel').click()
      await button('Order').click()
      await button('Up: Bus').click()
      await assertAccessible(window, 'order of fields')
      await save()
      await notice('The order is saved.')
      const labels = (await read('/api/fields')).map(({ label }: { label: string }) => label)
      assert.deepEqual(labels, ['Bus', 'House'])
    })

    it('keep the choices and values that students have, and say so', async () => {
      const { page } = window
      await make('/api/students', {
        ...{ name: 'Zoë Müller', admission_number: 'N-1', class_id: 5, fields: { house: 'Oak' } },
      })
      await link('House').click()
      await page.getByText('Kind and key cannot be changed.').waitFor()
      await field('Choices').fill('Elm\nAsh')
      await save()
      await alert('Choices: Students have this.')
      await page.getByText('Students have these, so they stay: Oak').waitFor()
      await assertAccessible(window, 'field, with a fault')
      await field('Choices').fill('Ash\nOak\nElm')
      await field('Sensitive').check()
      await save()
      await notice('Saved.')
      const { options, sensitive } = await read('/api/fields/1')
      assert.deepEqual([options, sensitive], [['Ash', 'Oak', 'Elm'], true])
      await field('Sensitive').uncheck()
      await save()
      await alert('it stays sensitive')
      await field('Sensitive').check()
      await button('Delete the field').click()
      await button('Delete the field').last().click()
      await page.locator('main > .failed').filter({ hasText: 'Archive it instead.' }).waitFor() // not the form's
    })

    it('are archived and brought back, and deleted where nobody has a value', async () => {
      const { page } = window
      await button('Archive').click()
      await notice('House⁩ is archived.')
      await menu('Fields')
      await page.getByRole('table', { name: 'Archived fields' }).waitFor()
      await assertAccessible(window, 'fields, one archived')
      await link('House').click()
      await button('Bring back').click()
      await notice('House⁩ is back.')
      assert.equal((await read('/api/fields/1')).archived, false)
      await menu('Fields')
      await link('Bus').click()
      await button('Delete the field').click()
      await button('Delete the field').last().click()
      await notice('Bus⁩ is deleted.')
      assert.equal((await read('/api/fields')).length, 1)
    })

    it('overwrites nothing that somebody else changed meanwhile', async () => {
      const { page } = window
      await link('House').click()
      await field('Name').fill('Our house')
      await change('/api/fields/1', { label: 'Their house' })
      await save()
      const row = page.getByRole('row', { name: /^Name/ })
      await row.waitFor()
      assert.match(await row.innerText(), /House\s+Their house\s+Our house/)
      await assertAccessible(window, 'field, conflict')
      await save()
      await heading('Our house')
    })
  })

  describe('the log', () => {
    const items = () => window.page.locator('.history > li')
    async function untilCount(count: number): Promise<void> {
      await items()
        .nth(count - 1)
        .waitFor()
      await items().nth(count).waitFor({ state: 'detached' })
    }

    it('tells who changed what, from what to what, at the school’s time', async () => {
      const { page } = window
      await change('/api/students/1', { preferred_name: 'Zo', class_id: 6 })
      await menu('Log')
      const newest = items().first()
      await newest.getByRole('link', { name: 'Zoë Müller' }).waitFor()
      assert.match(await newest.innerText(), /\d\d:\d\d\s+First[\s\S]*Student Zoë Müller changed/)
      assert.match(await newest.innerText(), /Class:\s+Class 5\s+Class 6[\s\S]*Called:\s+Zo/)
      const berlin = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' })
      const [{ made_at }] = await read('/api/audit?per_page=1')
      assert.ok((await newest.innerText()).includes(berlin.format(new Date(made_at))))
      await page.getByText(/Role Form teacher removed/).waitFor()
      await assertAccessible(window, 'log')
    })

    it('is narrowed to an account, a kind, one record, what was done, and days; a link shows the same', async () => {
      const { page } = window
      await field('What').selectOption('role')
      await page.getByText(/Role Form teacher removed/).waitFor()
      await link('Zoë Müller').first().waitFor({ state: 'detached' })
      await field('Done').selectOption('created')
      await untilCount(1)
      await field('Who').selectOption({ label: 'First' })
      await page.getByText('There is no such change.').waitFor()
      assert.match(page.url(), /#\/log\?record=role&action=created&actor=1$/)
      await page.reload()
      await page.getByText('There is no such change.').waitFor()
      assert.equal(await field('What').inputValue(), 'role')
      await assertAccessible(window, 'log, nothing found')
      await menu('Log')
      await items().first().waitFor()
      await button('Only this: Student Zoë Müller').first().click()
      await untilCount(2)
      await button('Remove the filter: Student Zoë Müller').click()
      assert.match(page.url(), /#\/log\?record=student$/)
      await field('To the day').fill('not a day')
      await page.keyboard.press('Enter')
      await alert('This is no day.')
      await field('To the day').fill('31/12/2020')
      await page.keyboard.press('Enter')
      await page.getByText('There is no such change.').waitFor()
      assert.match(page.url(), /until=2020-12-31/)
    })

    it('undoes a change, and shows what stays because it was changed since', async () => {
      const { page } = window
      await change('/api/students/1', { preferred_name: 'Zozo' })
      await menu('Log')
      await items().nth(5).waitFor()
      await field('What').selectOption('student')
      await untilCount(3)
      await items().nth(1).getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone in part: what was changed since stays.').waitFor()
      await page.getByText('Student Zoë Müller: Called').waitFor()
      await assertAccessible(window, 'log, undone in part')
      const { class_id, preferred_name } = await read('/api/students/1')
      assert.deepEqual([class_id, preferred_name], [5, 'Zozo'])
      assert.equal(await items().count(), 4)
      await items().nth(2).getByText('undone in part').first().waitFor()
      await page.reload()
      await items().nth(2).getByText('undone in part').first().waitFor()
    })

    it('loads older changes when one asks for them', async () => {
      for (let i = 0; i < 55; i++) await change('/api/classes/7', { position: 100 + i })
      await menu('Log')
      await untilCount(50)
      await button('Load older changes').click()
      await items().nth(60).waitFor()
    })

    it('is what one changed oneself, for who may not read all of it', async () => {
      const other = await openWindow(server)
      await signIn(other, office, password)
      const { page } = other
      const links = page.getByRole('navigation').getByRole('link')
      await links.filter({ hasText: 'Log' }).click()
      await page.getByRole('heading', { name: 'What you changed', level: 1 }).waitFor()
      await page.getByText('You have changed nothing yet.').waitFor()
      assert.equal(await page.getByLabel('Who', { exact: true }).count(), 0)
      for (const name of ['Roles', 'Fields', 'About'])
        assert.equal(await links.filter({ hasText: name }).count(), 0, name)
      await assertAccessible(other, 'own log')
      await page.goto(`${page.url().split('#')[0]}#/about`)
      await page.getByText('This is not there, or you may not see it.').waitFor()
      assert.deepEqual(other.faults, [])
    })
  })

  describe('what is told of the server', () => {
    it('is its version, its database, its last backup, and what is unsafe', async () => {
      const { page } = window
      const value = (label: string) =>
        page.locator('dl > div').filter({ hasText: label }).locator('dd').innerText()
      await menu('About')
      await heading('About')
      await page.getByText('All is well.').waitFor()
      assert.match(await value('Size of the database'), /^[\d.]+ MB$/)
      assert.match(await value('Last backup'), /^Not known to Registrar\./)
      await page.getByText('No unsafe setting was found.').waitFor()
      await assertAccessible(window, 'about')
      if (engine === 'sqlite') {
        const file = join(temporaryFolder(), 'backup.db')
        await runWell(['backup', file], { databaseUrl: server.databaseUrl })
        await page.reload()
        await page.getByText('All is well.').waitFor()
        assert.match(await value('Last backup'), /^\d\d:\d\d$/)
      }
    })

    it('names what is unsafe behind a proxy, and what to do', async () => {
      const { page } = window
      await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.7' })
      await page.reload()
      await page.getByText('Set TRUST_PROXY to the number of proxies').waitFor()
      await page.getByText('Set PASSWORD_POLICY=strict.').waitFor()
      await assertAccessible(window, 'about, unsafe')
      await page.setExtraHTTPHeaders({})
    })
  })

  it('is the same in Arabic and German, and fits a narrow page', async () => {
    const { page } = window
    const shown = {
      roles: '.matrix table',
      'roles/new': 'fieldset.group',
      fields: '.scroll table',
      'fields/1': 'form',
      log: '.history > li',
      about: 'dl.values',
    }
    const visit = async (where: string) => {
      for (const [place, part] of Object.entries(shown)) {
        await page.goto(`${page.url().split('#')[0]}#/${place}`)
        await page.locator(part).first().waitFor()
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.equal(beyond, 0, `${place}, ${where}`)
        await assertAccessible(window, `${place}, ${where}`)
      }
    }
    await chooseLanguage(page, 'ar')
    await page.getByRole('heading', { name: 'عن الخادم', level: 1 }).waitFor()
    await visit('Arabic')
    await page.setViewportSize({ width: 320, height: 600 })
    await visit('Arabic, narrow')
    await chooseLanguage(page, 'de')
    await visit('German, narrow')
    assert.deepEqual(window.faults, [])
  })
})
