import type { Page } from 'playwright-core'
import { launchChromium } from '../test/browsers.ts'
import { firstPageMs, lastKeyToPaintMs, watchTimes } from '../test/console-times.ts'
import { seedDatabases } from './databases.ts'
import { quantile } from './figures.ts'
import { inTemporaryFolder } from './folder.ts'
import type { Options } from './options.ts'
import type { Seeded } from './seed.ts'
import { startRegistrar } from './servers.ts'
import { figure, table } from './table.ts'

/** What is promised, in milliseconds: the first with a processor that is four times slower. */
const goals = { firstPageMs: 1_000, lastKeyToPaintMs: 250 }

const slowness = 4
const loads = 10
/** How many searches of each kind are typed. */
const searches = 50

/** Measures what a reader waits for in the console, with all students of a SQLite database behind it. */
export async function benchConsole({ scale }: Options): Promise<object> {
  const figures: Record<string, object> = {}
  await inTemporaryFolder(async (folder) => {
    const { databases } = await seedDatabases(folder, scale, ['sqlite'], undefined)
    const { url, seeded } = databases[0]!
    const server = await startRegistrar(url, folder)
    const browser = await launchChromium()
    if (browser === undefined) throw new Error('no Chromium runs on this machine')
    try {
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1366, height: 768 } })
      const page = await context.newPage()
      await watchTimes(page)
      await signIn(page, server.port, seeded)
      const devtools = await context.newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness })
      figures.firstPage = await measure(Array(loads).fill(''), () => firstPageMs(page))
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      for (const [kind, words] of Object.entries(typedWords(seeded)))
        figures[kind] = await measure(words, (word) => lastKeyToPaintMs(page, word))
    } finally {
      await browser.close()
      await server.stop()
    }
  })
  report(figures as Record<string, Times>)
  return { goals, figures }
}

async function signIn(page: Page, port: number, { password }: Seeded): Promise<void> {
  await page.goto(`http://localhost:${port}/`)
  await page.locator('input[type=email]').fill('registrar0@school.example')
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('td .name').first().waitFor()
}

/** What an office types, no words twice in a row, since nothing would be painted: a rare word, the beginning of a name, an admission number, and what very many have. */
function typedWords({ words, sample }: Seeded): Readonly<Record<string, readonly string[]>> {
  const some = sample.filter((_, i) => i % Math.ceil(sample.length / searches) === 0)
  return {
    'a rare word': words.rare.slice(0, searches).map(({ word }) => word),
    'a beginning of three letters': [...new Set(some.map(({ name }) => [...name].slice(0, 3).join('')))],
    'an admission number': some.map(({ admissionNumber }) => admissionNumber),
    'a common word': Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? words.common.word : words.twoWords)),
  }
}

interface Times {
  readonly count: number
  readonly p50: number
  readonly p95: number
}

async function measure(
  given: readonly string[],
  once: (given: string) => Promise<number | undefined>,
): Promise<Times> {
  const times: number[] = []
  for (const one of given) times.push(...[await once(one)].filter((ms) => ms !== undefined))
  times.sort((a, b) => a - b)
  return { count: times.length, p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

function report({ firstPage, ...typed }: Record<string, Times>): void {
  const row = (what: string, goal: number, { count, p50, p95 }: Times) => [
    what,
    ...[count, p50, p95, goal].map((value) => figure(value)),
  ]
  console.log(
    table(
      ['in the console', 'times', 'p50 ms', 'p95 ms', 'goal ms'],
      [
        row(`the first page, ${slowness} times slower`, goals.firstPageMs, firstPage!),
        ...Object.entries(typed).map(([kind, times]) =>
          row(`from the last key: ${kind}`, goals.lastKeyToPaintMs, times),
        ),
      ],
    ),
  )
}
