import type { Page } from 'playwright-core'
import { openContext, openPageIn, signIn, type Window } from '../browser-page.ts'
import { password } from '../school.ts'
import { openSchoolNamed, people } from './schools.ts'
import type { Scene, State } from './state.ts'

/** How a screen is looked at. */
export interface Look {
  readonly language: 'en' | 'de' | 'ar'
  readonly scheme: 'light' | 'dark'
}

interface Choice {
  value: string
  dispatchEvent(event: unknown): void
}
interface PageOfChoices {
  readonly document: { querySelector(selector: string): Choice | null; documentElement: { lang: string } }
  readonly Event: new (name: string, options: object) => unknown
  readonly localStorage: { setItem(name: string, value: string): void }
}

/** Shows what is there in another language: what is open stays open. A screen without that choice is loaded anew. */
async function choose(page: Page, language: Look['language']): Promise<void> {
  const isChosen = await page.evaluate((language) => {
    const { document, Event, localStorage } = globalThis as unknown as PageOfChoices
    if (document.documentElement.lang === language) return true
    localStorage.setItem('registrar.language', language)
    const choice = document.querySelector('select:has(> option[value="ar"][lang])')
    if (choice === null) return false
    choice.value = language
    choice.dispatchEvent(new Event('change', { bubbles: true }))
    return true
  }, language)
  if (!isChosen) await page.reload()
  await page.locator(`html[lang=${language}]`).waitFor()
  await page.locator('h1, .failed').first().waitFor()
}

export async function lookAs(page: Page, { language, scheme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await choose(page, language)
}

/** How long a step may take on a busy machine. */
const mostMs = 90_000

/** A state that was reached. */
export interface Reached {
  readonly window: Window
  readonly page: Page
  close(): Promise<void>
}

type Base = Pick<State, 'school' | 'who' | 'host'>

/** A school, and a browser in which somebody has signed in: several states begin there. */
async function begin({ school = 'usual', who, host = 'localhost' }: Base) {
  const opened = await openSchoolNamed(school)
  const context = await openContext()
  const window = await openPageIn(context, opened, { now: opened.now, host })
  const { page } = window
  if (who !== undefined) {
    await signIn(window, people[who].email, password)
    await page.locator('.own').waitFor()
  }
  const changes = await changesIn(opened)
  return {
    opened,
    context,
    window,
    /** Whether nothing was written, and nobody signed in or out. */
    isAsItWas: async () => (await changesIn(opened)) === changes,
    async close() {
      await context.close()
      await opened.close()
    },
  }
}
type Begun = Awaited<ReturnType<typeof begin>>

/** Tells any two databases apart of which one was written to. */
async function changesIn({ school }: Awaited<ReturnType<typeof openSchoolNamed>>): Promise<string> {
  const imports = await school.db.selectFrom('imports').select('version').execute()
  const { last } = await school.db
    .selectFrom('change_sets')
    .select((q) => q.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return JSON.stringify([last, imports, await school.count('sessions'), await school.count('users')])
}

/** Opens states, one after the other. Those that change nothing share a school and a sign-in. */
export class Visits {
  #begun: Begun | undefined
  #base = ''

  /** Opens a window where the state is. */
  async enter({ school = 'usual', who, host = 'localhost', opens, reach }: State): Promise<Reached> {
    const base = { school, host, ...(who && { who }) }
    const begun = await this.#beginAt(base)
    const { opened, context } = begun
    const window =
      begun.window.page.url() === 'about:blank'
        ? await openPageIn(context, opened, { now: opened.now, host })
        : begun.window
    window.page.setDefaultTimeout(mostMs)
    try {
      const scene = sceneOf(window, begun, host)
      if (opens !== undefined) await scene.open(...opens)
      await reach?.(scene)
    } catch (error) {
      await this.close() // what was begun is unknown now
      throw error
    }
    return {
      window,
      page: window.page,
      close: async () => {
        const isOnline = await window.page.evaluate('navigator.onLine')
        await window.page.evaluate('localStorage.clear(); sessionStorage.clear()')
        if (window === begun.window) await window.page.goto('about:blank')
        else await window.page.close()
        await context.setOffline(false) // nothing is left that would be sent now
        // A browser that was cut off is left: what still waits in it would be sent.
        if (!isOnline || !(await begun.isAsItWas())) await this.close()
      },
    }
  }

  async #beginAt(base: Base): Promise<Begun> {
    const named = JSON.stringify(base)
    if (this.#begun !== undefined && this.#base === named) return this.#begun
    await this.close()
    this.#base = named
    this.#begun = await begin(base)
    return this.#begun
  }

  async close(): Promise<void> {
    const begun = this.#begun
    this.#begun = undefined
    await begun?.close()
  }
}

function sceneOf({ page }: Window, { opened }: Begun, host: string): Scene {
  const scene: Scene = {
    page,
    opened,
    async open(hash, until) {
      await page.goto(`http://${host}:${opened.port}/#${hash}`)
      await scene.seen(until)
    },
    seen: (text) => page.getByText(text).locator('visible=true').first().waitFor(),
    button: (name) => page.getByRole('button', { name, exact: true }).first(),
    link: (name) => page.getByRole('link', { name, exact: true }).first(),
    field: (name) => page.getByLabel(name, { exact: true }).first(),
    save: () => page.keyboard.press('Control+s'),
    async fail(path, code, status) {
      const problem = { code, status, detail: code, request_id: 'r-17', success: false }
      await page.route(path, (route) =>
        route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      )
    },
    async change(path, body) {
      const as = await opened.school.person('administrator', { name: people.head.name })
      const answer = await opened.school.send('PATCH', path, { as, body, headers: { 'if-match': '*' } })
      if (answer.status !== 200) throw new Error(answer.text)
    },
  }
  return scene
}
