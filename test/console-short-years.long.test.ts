// Runs once, in a browser: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Window } from './browser-page.ts'
import {
  assertAccessible,
  chooseLanguage,
  needsChromium,
  openWindow,
  partsOf,
  signIn,
} from './browser-page.ts'
import { password, startServerWith } from './command.ts'
import type { ServerProcess } from './server.ts'

const office = 'office@school.example'
const file = [
  'Name;Schülernummer;Klasse;Geburtsdatum',
  'Mia Braun;2026-0100;Class 5;18.02.19',
  'Tom Öz;2026-0101;Class 5;1.9.17',
].join('\n')

describe('years of two digits, in the console,', needsChromium, () => {
  let server: ServerProcess
  let window: Window
  before(async () => {
    ;({ server } = await startServerWith({ [office]: 'registrar' }))
    window = await openWindow(server)
    await signIn(window, office, password)
    await chooseLanguage(window.page, 'de')
  })
  const { button, seen } = partsOf(() => window)

  it('are asked about in the words of the language, and the answer stands with the others', async () => {
    await window.page.goto(`http://localhost:${server.port}/#/imports`)
    const buffer = Buffer.from(file)
    await window.page
      .getByLabel('Datei', { exact: true })
      .setInputFiles({ name: 'Kinder.csv', mimeType: 'text/csv', buffer })
    await button('Datei lesen').click()
    await seen(/Jahre in .Geburtsdatum. haben nur zwei Ziffern\. Welche Jahre sind gemeint\?/)
    await seen('18.02.19: fehlerhaft')
    await assertAccessible(window, 'short-years')
    const thisYear = new Date().getUTCFullYear()
    const choice = `${thisYear - 99} bis ${thisYear}`
    await window.page.getByLabel(choice).check()
    await seen('1.9.17: 1. Sept. 2017')
    await button('Weiter').click()
    await seen('2 Zeilen in der Datei:')
    await seen(choice)
    assert.equal(await window.page.getByText('fehlerhaft', { exact: true }).count(), 0)
  })
})
