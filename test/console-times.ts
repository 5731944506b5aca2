import type { Page } from 'playwright-core'

/** When the page that a reader looks at was painted, in milliseconds since it was asked for. */
interface Times {
  /** The first names, and a search that takes typing. */
  first?: number
  /** The last key. */
  key: number
  /** What came after the last key; 0 while nothing has. */
  changed: number
}
interface Timed {
  readonly consoleTimes: Times
}

const watch = `{
  const times = (globalThis.consoleTimes = { key: 0, changed: 0 })
  const painted = () => {
    times.changed ||= performance.now()
    if (document.querySelector('td .name') && document.querySelector('input[type=search]')) times.first ??= performance.now()
  }
  const afterPaint = () => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = painted
    port2.postMessage('')
  })
  new MutationObserver(afterPaint).observe(document, { subtree: true, childList: true, characterData: true })
  addEventListener('input', ({ timeStamp }) => Object.assign(times, { key: timeStamp, changed: 0 }), true)
}`

/** Has a page note its times from the next time that it is loaded. */
export const watchTimes = (page: Page) => page.addInitScript(watch)

const timesOf = (page: Page) => page.evaluate(() => (globalThis as unknown as Timed).consoleTimes)

/** Loads the console anew. @returns how long it took until the search takes typing and the first page is painted */
export async function firstPageMs(page: Page): Promise<number> {
  await page.reload()
  await page.waitForFunction(() => (globalThis as unknown as Timed).consoleTimes.first !== undefined)
  return (await timesOf(page)).first!
}

/**
 * Types into the search, faster than it searches: what is painted next is what was found.
 * @returns how long that took from the last key; undefined where nothing else was found than before
 */
export async function lastKeyToPaintMs(page: Page, words: string): Promise<number | undefined> {
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(words, { delay: 60 })
  await page
    .waitForFunction(() => (globalThis as unknown as Timed).consoleTimes.changed > 0, undefined, {
      timeout: 5_000,
    })
    .catch(() => {})
  const { key, changed } = await timesOf(page)
  return changed > 0 ? changed - key : undefined
}
