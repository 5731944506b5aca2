import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { atEnd, temporaryFolder } from './cleanup.ts'

/*
 * The system's Firefox, as it is, driven by WebDriver BiDi over its own socket. Playwright speaks BiDi too, but asks
 * Firefox for commands that the extended-support release does not know yet.
 */

/** Where systems keep a Firefox. */
const places = ['/usr/bin/firefox-esr', '/usr/bin/firefox']

/** How long it may take to start on a busy machine. */
const longestStartMs = 120_000

/** English, whatever the machine's language is; and whatever Firefox looks for by itself, it finds nowhere. */
const settings = {
  'intl.accept_languages': 'en-GB, en',
  'network.dns.forceResolve': '127.0.0.1',
  'network.dns.native_https_query': false,
}

/** Starts a Firefox with a profile and a home of its own, which end with the test file. @returns its address */
async function launchFirefox(): Promise<string | undefined> {
  const program = places.find((place) => existsSync(place))
  if (program === undefined) return undefined
  const [profile, home] = [temporaryFolder(), temporaryFolder()]
  const lines = Object.entries(settings).map(
    (setting) => `user_pref(${JSON.stringify(setting).slice(1, -1)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: home, TZ: 'UTC' } },
  )
  const ended = once(child, 'exit').catch(() => {}) // it did not start
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
    child.stderr.destroy()
  })
  return addressOf(child)
}

/** Where it listens; undefined: it ended, or says nothing of it. What it writes after that is read, and dropped. */
function addressOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), longestStartMs)
    const tell = (address: string | undefined) => {
      clearTimeout(timer)
      resolve(address)
    }
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
      if (address !== undefined) tell(address)
    })
    child.on('error', () => tell(undefined)).on('close', () => tell(undefined))
  })
}

const address = await launchFirefox()

/** For `describe`: skips where there is no Firefox. */
export const needsFirefox = { skip: address === undefined && 'no Firefox runs on this machine' }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The code points of keys that are no characters (WebDriver, 17.4.2). */
export const keys = { Tab: '\ue004', Enter: '\ue007', Control: '\ue009', Escape: '\ue00c' } as const

// biome-ignore lint/suspicious/noExplicitAny: what a command answers is its own
type Answer = any

/** A tab of a Firefox. */
export class FirefoxTab {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Answer) => void>()
  #context = ''
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data))
      this.#waiting.get(message.id)?.(message)
    })
    socket.addEventListener('close', () => {
      for (const tell of this.#waiting.values()) tell({ error: 'closed', message: 'Firefox is gone' })
    })
  }

  /** Opens a tab. Firefox has one session: it is the first that a test file opens, and the last. */
  static async open(): Promise<FirefoxTab> {
    const socket = new WebSocket(`${address}/session`)
    await once(socket, 'open')
    const tab = new FirefoxTab(socket)
    atEnd(() => socket.close())
    await tab.#send('session.new', {
      capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'accept' } } },
    })
    tab.#context = (await tab.#send('browsingContext.create', { type: 'tab' })).context
    return tab
  }

  async #send(method: string, params: object): Promise<Answer> {
    if (this.#socket.readyState !== WebSocket.OPEN) throw new Error(`${method}: Firefox is gone`)
    const id = ++this.#last
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve))
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { type, result, error, message } = await answered
    this.#waiting.delete(id)
    if (type !== 'success') throw new Error(`${method}: ${error}: ${message}`)
    return result
  }

  async goTo(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  /** Evaluates an expression on the page. @returns its value, which is a text */
  async evaluate(expression: string): Promise<string> {
    const target = { context: this.#context }
    const given = { expression: `(async () => String(${expression}))()`, target, awaitPromise: true }
    const { type, result, exceptionDetails } = await this.#send('script.evaluate', given)
    if (type !== 'success') throw new Error(exceptionDetails.text)
    return result.value
  }

  /** Waits until an expression is true: it is looked at ten times a second. */
  async until(expression: string): Promise<void> {
    const looked = `new Promise((done, fail) => {
      const end = performance.now() + 60_000
      const look = () => {
        let is = false
        try { is = Boolean(${expression}) } catch {}
        if (is) done()
        else if (performance.now() > end) fail(new Error(${JSON.stringify(expression)} + ' is not so: ' + document.body.innerText))
        else setTimeout(look, 100)
      }
      look()
    })`
    await this.evaluate(`await ${looked}`)
  }

  /** Waits for a text that one sees. */
  seen(text: string): Promise<void> {
    return this.until(`document.body.innerText.includes(${JSON.stringify(text)})`)
  }

  /** Presses keys: those of a text one after the other, or a combination. */
  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.#perform(actions)
  }

  async chord(modifier: string, key: string): Promise<void> {
    const values = [modifier, key]
    await this.#perform([
      ...values.map((value) => ({ type: 'keyDown', value })),
      ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
    ])
  }

  async #perform(actions: readonly object[]): Promise<void> {
    const source = { type: 'key', id: 'keyboard', actions }
    await this.#send('input.performActions', { context: this.#context, actions: [source] })
  }

  /** Clicks what is called so: a button that is not busy, a link, a box to tick. */
  async click(name: string): Promise<void> {
    // Where it stays from one look to the next, and nothing lies above it: what is still being loaded moves it.
    const middle = `(() => {
      const one = [...document.querySelectorAll('button, a, summary, label')].find((one) =>
        one.checkVisibility() && one.getAttribute('aria-disabled') !== 'true' &&
        (one.getAttribute('aria-label') ?? one.textContent).trim() === ${JSON.stringify(name)})
      one.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = one.getBoundingClientRect()
      const at = [Math.round(x + width / 2), Math.round(y + height / 2)]
      return one.contains(document.elementFromPoint(...at)) && JSON.stringify(at)
    })()`
    await this.evaluate('globalThis.lastMiddle = undefined')
    await this.until(`lastMiddle && lastMiddle === ${middle} || void (lastMiddle = ${middle})`)
    const [x, y] = JSON.parse(await this.evaluate('lastMiddle'))
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    const source = { type: 'pointer', id: 'mouse', actions }
    await this.#send('input.performActions', { context: this.#context, actions: [source] })
  }

  /** Types into a field, in the place of what stands there. */
  async fill(selector: string, text: string): Promise<void> {
    await this.until(`document.querySelector(${JSON.stringify(selector)})`)
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`)
    await this.chord(keys.Control, 'a')
    await this.type(text)
  }

  async setFile(selector: string, path: string): Promise<void> {
    const target = { context: this.#context }
    const expression = `document.querySelector(${JSON.stringify(selector)})`
    const { result } = await this.#send('script.evaluate', { expression, target, awaitPromise: false })
    const element = { sharedId: result.sharedId }
    await this.#send('input.setFiles', { context: this.#context, element, files: [path] })
  }

  /** What comes out of the printer, on A4: a PDF. */
  async print(): Promise<Buffer> {
    const page = { width: 21, height: 29.7 }
    const { data } = await this.#send('browsingContext.print', { context: this.#context, page })
    return Buffer.from(data, 'base64')
  }

  /** What axe finds on the page by WCAG 2.0 to 2.2, A and AA. */
  async findings(): Promise<string> {
    await this.#send('script.evaluate', {
      expression: axe,
      target: { context: this.#context },
      awaitPromise: false,
    })
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    return this.evaluate(
      `(await axe.run({ runOnly: ${JSON.stringify(tags)} })).violations.map(({ id, nodes }) => id + ' ' + nodes[0].html).join()`,
    )
  }
}
