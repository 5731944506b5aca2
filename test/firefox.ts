import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { atEnd, temporaryFolder } from './cleanup.ts'

/*
 * The system's Firefox, as it is, driven by WebDriver BiDi over its own socket. Playwright speaks BiDi too, but asks
 * Firefox for commands that the extended-support release does not know yet.
 */

const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((place) => existsSync(place))

/** For `describe`: runs where `TEST_FIREFOX` is set and a Firefox is installed. */
export const needsFirefox = {
  skip:
    (process.env.TEST_FIREFOX === undefined && 'TEST_FIREFOX is not set') ||
    (program === undefined && 'no Firefox is installed on this machine'),
}

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
  }

  /** Starts Firefox with a profile of its own, which ends with the test file. */
  static async start(): Promise<FirefoxTab> {
    const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', temporaryFolder()]
    const child = spawn(program!, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    atEnd(() => stop(child))
    const socket = new WebSocket(`${await addressOf(child)}/session`)
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
    const id = ++this.#last
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve))
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { type, result, error, message } = await answered
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

  /** Clicks what is called so: a button, a link, a box to tick. */
  async click(name: string): Promise<void> {
    const found = `[...document.querySelectorAll('button, a, summary, label')].find((one) =>
      one.checkVisibility() && (one.getAttribute('aria-label') ?? one.textContent).trim() === ${JSON.stringify(name)})`
    await this.until(found)
    // Where it stays from one look to the next: what is still being loaded moves it.
    const middle = `(() => {
      const one = ${found}
      one.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = one.getBoundingClientRect()
      return JSON.stringify({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) })
    })()`
    await this.until(`globalThis.lastMiddle === (globalThis.lastMiddle = ${middle})`)
    const at = JSON.parse(await this.evaluate(middle))
    const actions = [
      { type: 'pointerMove', ...at },
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

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stderr! })) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('Firefox ended before it listened')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
