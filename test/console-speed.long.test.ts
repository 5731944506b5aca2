// Measures times, in a browser. Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { needsChromium, openWindow, signIn, type Window } from './browser-page.ts'
import { atEnd } from './cleanup.ts'
import { openSchoolNamed, people } from './console-screens/schools.ts'
import { firstPageMs, lastKeyToPaintMs, watchTimes } from './console-times.ts'
import { insertStudents } from './many-students.ts'
import { password } from './school.ts'

/* What is promised stands in docs/console.md. A busy machine is given ten times as long. */
const mostMs = { firstPage: 1_000, lastKeyToPaint: 250 }
const mostGrownBytes = 5_000_000

describe('the console’s speed', needsChromium, () => {
  let window: Window
  let devtools: CDPSession
  before(async () => {
    const opened = await openSchoolNamed('empty')
    atEnd(opened.close)
    const names = Array.from({ length: 800 }, (_, i) => `Child ${i}`)
    await insertStudents(opened.school.db, names)
    window = await openWindow(opened)
    await watchTimes(window.page)
    await signIn(window, people.office.email, password)
    await window.page.getByText('800 students').waitFor()
    devtools = await window.page.context().newCDPSession(window.page)
  })
  const slow = (rate: number) => devtools.send('Emulation.setCPUThrottlingRate', { rate })

  it('lets one type, and shows the first page, within a second on a processor that is four times slower', async () => {
    await slow(4)
    const ms = await firstPageMs(window.page)
    await slow(1)
    assert.ok(ms <= 10 * mostMs.firstPage, `${ms} ms`)
  })

  it('shows what was found within a quarter of a second after the last key', async () => {
    await firstPageMs(window.page)
    const ms = await lastKeyToPaintMs(window.page, '77')
    assert.ok(ms !== undefined && ms <= 10 * mostMs.lastKeyToPaint, `${ms} ms`)
  })

  it('holds at most 5 MB more after 200 screens', async () => {
    const { page } = window
    const screens = ['#/students', '#/students/1', '#/classes', '#/students/2', '#/imports', '#/students/new']
    const visit = async (times: number) => {
      for (let i = 0; i < times; i++) {
        await page.evaluate(
          (hash) => {
            ;(globalThis as unknown as { location: { hash: string } }).location.hash = hash
          },
          screens[i % screens.length]!,
        )
        await page.locator('main h1').waitFor()
        await page.waitForLoadState('networkidle')
      }
    }
    const heldBytes = async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    }
    await page.reload()
    await visit(2 * screens.length) // every screen is loaded
    const before = await heldBytes()
    await visit(200)
    const grown = (await heldBytes()) - before
    assert.ok(grown <= mostGrownBytes, `${grown} bytes`)
    assert.deepEqual(window.faults, [])
  })
})
