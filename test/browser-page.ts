import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { atEnd } from './cleanup.ts'
import { projectFolder, type ServerProcess } from './server.ts'

/** A name of this machine that is not a loopback name, to a browser. */
export const otherHost = 'school.example'
const resolved = `--host-resolver-rules=MAP ${otherHost} 127.0.0.1`

/** Where systems keep a Chromium. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const cache = join(projectFolder, 'node_modules', '.cache', 'registrar')

/** The Chromium that an npm package carries: unpacked once, by whichever process is the first to be done with it. */
async function unpacked(): Promise<string> {
  const folder = join(cache, 'chromium')
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  const { default: packed } = await import('@sparticuz/chromium')
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'making-'))
  const { TMPDIR } = process.env
  process.env.TMPDIR = made // where it unpacks
  await packed.executablePath().finally(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  try {
    renameSync(made, folder)
  } catch {
    rmSync(made, { recursive: true }) // another process was first
  }
  return program
}

/** The system's Chromium, else the package's, without the options of that one's own purpose. */
async function launch(): Promise<Browser | undefined> {
  try {
    const executablePath = places.find((place) => existsSync(place)) ?? (await unpacked())
    const args = ['--no-sandbox', '--no-zygote', '--disable-gpu', resolved]
    return await chromium.launch({ executablePath, args, headless: true })
  } catch {
    return undefined
  }
}

const browser = await launch()
atEnd(() => browser?.close())

/** For `describe`: skips where there is no Chromium. */
export const needsChromium = { skip: browser === undefined && 'no Chromium runs on this machine' }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A window of the console, and what went wrong in it. */
export interface Window {
  readonly page: Page
  /** Reports of the policy, and errors of scripts. */
  readonly faults: readonly string[]
}

/** Opens a window of its own, with no cookie, at the list of students. @param place what stands after the path; empty: where one begins */
export async function openWindow(
  { port }: Pick<ServerProcess, 'port'>,
  options: BrowserContextOptions = {},
  host = 'localhost',
  place = '#/students',
): Promise<Window> {
  const context = await browser!.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1366, height: 768 },
    ...options,
  })
  atEnd(() => context.close())
  const page = await context.newPage()
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

/** What a reader looks for in a window, by its name. */
export function partsOf(window: () => Window) {
  return {
    /** Waits until the screen is called so. */
    heading: (name: string) => window().page.getByRole('heading', { name, level: 1 }).waitFor(),
    /** Waits until this is told, on the screen or to screen readers alone. */
    notice: (text: string) =>
      window().page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' }),
    alert: (text: string) => window().page.getByRole('alert').filter({ hasText: text }).first().waitFor(),
    button: (name: string | RegExp) => window().page.getByRole('button', { name, exact: true }),
    link: (name: string) => window().page.getByRole('link', { name, exact: true }),
    field: (name: string) => window().page.getByLabel(name, { exact: true }),
    /** Waits until a text is seen. */
    seen: (text: string | RegExp) => window().page.getByText(text).first().waitFor(),
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

/** What axe finds on the page by WCAG 2.0 to 2.2, A and AA: each rule with a place where it is broken. */
export async function findings({ page }: Window): Promise<string[]> {
  await page.evaluate('scrollTo(0, 0)') // what is half beneath the head of the page is no small target
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    // biome-ignore lint/suspicious/noExplicitAny: axe has put itself there
    const { violations } = await (globalThis as any).axe.run({ runOnly: tags })
    // biome-ignore lint/suspicious/noExplicitAny: its types are those of its package
    return violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`)
  })
}

/** Asserts that axe finds nothing, in light and dark. */
export async function assertAccessible(window: Window, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await window.page.emulateMedia({ colorScheme })
    assert.deepEqual(await findings(window), [], `${where}, ${colorScheme}`)
  }
  await window.page.emulateMedia({ colorScheme: null })
}

/** The same; where CONSOLE_PICTURES names a folder, a picture of the whole page is left there. */
export async function look(window: Window, name: string): Promise<void> {
  await assertAccessible(window, name)
  const { CONSOLE_PICTURES: folder } = process.env
  if (folder) await window.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
