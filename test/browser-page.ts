import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from './browsers.ts'
import { atEnd } from './cleanup.ts'
import type { ServerProcess } from './server.ts'

export { otherHost } from './browsers.ts'

const chromium = await launchChromium()
atEnd(() => chromium?.close())

/** For `describe`: skips where there is no Chromium. */
export const needsChromium = { skip: chromium === undefined && 'no Chromium runs on this machine' }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A window of the console, and what went wrong in it. */
export interface Window {
  readonly page: Page
  /** Reports of the policy, and errors of scripts. */
  readonly faults: readonly string[]
}

/** Opens a browser of its own, with no cookie. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await chromium!.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1366, height: 768 },
    ...options,
  })
  atEnd(() => context.close())
  return context
}

/** Where a page begins, and at which time; else it is the machine's. */
export interface Beginning {
  readonly host?: string
  /** What stands after the path; empty: where one begins. */
  readonly place?: string
  readonly now?: Date
}

/** Opens the console in a browser. */
export async function openPageIn(
  context: BrowserContext,
  { port }: Pick<ServerProcess, 'port'>,
  { host = 'localhost', place = '', now }: Beginning = {},
): Promise<Window> {
  const page = await context.newPage()
  if (now !== undefined) await page.clock.setFixedTime(now)
  const faults: string[] = []
  await page.exposeFunction('tellFault', (fault: string) => faults.push(fault))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => tellFault(violatedDirective + ' ' + blockedURI))`,
  )
  page.on('pageerror', ({ message }) => faults.push(message))
  page.setDefaultTimeout(90_000)
  await page.goto(`http://${host}:${port}/${place}`)
  return { page, faults }
}

/** Opens a window of its own, with no cookie, at the list of students. @param place as that of a page */
export async function openWindow(
  server: Pick<ServerProcess, 'port'>,
  options: BrowserContextOptions = {},
  host = 'localhost',
  place = '#/students',
): Promise<Window> {
  return openPageIn(await openContext(options), server, { host, place })
}

/** Up to which width the menu is folded, in pixels: 40rem. */
const foldedBelow = 640

/** Chooses a language; in a narrow window it stands in the menu. */
export async function chooseLanguage(page: Page, language: string): Promise<void> {
  const isFolded = page.viewportSize()!.width <= foldedBelow
  if (isFolded) await page.locator('details.fold > summary').click()
  await page.locator('.own select').selectOption(language)
  if (isFolded) await page.keyboard.press('Escape')
}

/** Waits, and where it was in vain tells what the window shows instead. */
async function until(window: Window, wait: (page: Page) => Promise<void>): Promise<void> {
  const { page } = window
  try {
    await wait(page)
  } catch (error) {
    const shown = await page.locator('body').innerText()
    throw new Error(`${(error as Error).message}\nThe window shows, at ${page.url()}:\n${shown}`, {
      cause: error,
    })
  }
}

/** What a reader looks for in a window, by its name. */
export function partsOf(window: () => Window) {
  const told = (role: 'status' | 'alert', text: string, page: Page) =>
    page.getByRole(role).filter({ hasText: text }).first()
  return {
    /** Waits until the screen is called so. */
    heading: (name: string) =>
      until(window(), (page) => page.getByRole('heading', { name, level: 1 }).waitFor()),
    /** Waits until this is told, on the screen or to screen readers alone. */
    notice: (text: string) =>
      until(window(), (page) => told('status', text, page).waitFor({ state: 'attached' })),
    alert: (text: string) => until(window(), (page) => told('alert', text, page).waitFor()),
    button: (name: string | RegExp) => window().page.getByRole('button', { name, exact: true }),
    link: (name: string) => window().page.getByRole('link', { name, exact: true }),
    field: (name: string) => window().page.getByLabel(name, { exact: true }),
    /** Waits until a text is seen. */
    seen: (text: string | RegExp) => until(window(), (page) => page.getByText(text).first().waitFor()),
  }
}

/** Signs in, as one does by keyboard. */
export async function signIn({ page }: Window, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

interface PageOfFields {
  readonly document: { querySelector(selector: string): { readonly value: string } | null }
}

/** Waits until a field holds this. */
export async function untilFilled(page: Page, selector: string, value: string): Promise<void> {
  await page.waitForFunction(
    ([selector, value]) => {
      const { document } = globalThis as unknown as PageOfFields
      return document.querySelector(selector!)?.value === value
    },
    [selector, value],
  )
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * What axe finds on the page by WCAG 2.0 to 2.2, A and AA: each rule with a place where it is broken.
 * @param asked which rules alone, and which part of the page not: else all of both
 */
export async function findings(
  { page }: Window,
  { rules, exclude }: { readonly rules?: readonly string[]; readonly exclude?: string | undefined } = {},
): Promise<string[]> {
  // What is half beneath the head of the page, or beneath what stays at its foot, is no small target.
  await page.evaluate('scrollTo(0, 0)')
  const atFoot = (position: string) =>
    page.evaluate(
      `document.querySelectorAll('.in-sight').forEach(({ style }) => (style.position = '${position}'))`,
    )
  await atFoot('static')
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe)
  const found: string[] = await page.evaluate(
    async ({ runOnly, context }) => {
      // biome-ignore lint/suspicious/noExplicitAny: axe has put itself there
      const { violations } = await (globalThis as any).axe.run(context, {
        runOnly,
        resultTypes: ['violations'],
      })
      // biome-ignore lint/suspicious/noExplicitAny: its types are those of its package
      return violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`)
    },
    {
      runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: wcag },
      context: { include: ['html'], exclude: exclude === undefined ? [] : [exclude] },
    },
  )
  await atFoot('')
  return found
}

/** What dark may change: the colours alone. */
export const ofColours = { rules: ['color-contrast'] }

/** Asserts that axe finds nothing, in light and dark. */
export async function assertAccessible(window: Window, where: string): Promise<void> {
  const { page } = window
  await page.emulateMedia({ colorScheme: 'light' })
  assert.deepEqual(await findings(window), [], `${where}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await findings(window, ofColours), [], `${where}, dark`)
  await page.emulateMedia({ colorScheme: null })
}

/** The same; where CONSOLE_PICTURES names a folder, a picture of the whole page is left there. */
export async function look(window: Window, name: string): Promise<void> {
  await assertAccessible(window, name)
  const { CONSOLE_PICTURES: folder } = process.env
  if (folder) await window.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
