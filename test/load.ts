import { randomUUID } from 'node:crypto'
import type { ServerProcess } from './server.ts'

/** One answer of the load: when it was asked for and answered, in milliseconds since the load began. */
export interface LoadAnswer {
  readonly asked: number
  readonly answered: number
  readonly kind: 'read' | 'create'
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  readonly retryAfter: string | null
}

/** Reads and creates on a server without pause, from several clients at once, until it is stopped or its test ends. */
export class Load implements AsyncDisposable {
  readonly answers: LoadAnswer[] = []
  /** The admission numbers that were answered 201. */
  readonly acknowledged: string[] = []
  readonly #urls: readonly string[]
  readonly #token: string
  readonly #began = performance.now()
  readonly #clients: Promise<void>[]
  #stopped = false
  readonly #name = randomUUID().slice(0, 8)
  #next = 0

  constructor(servers: readonly Pick<ServerProcess, 'url'>[], token: string, clients = 8) {
    this.#urls = servers.map(({ url }) => url)
    this.#token = token
    this.#clients = Array.from({ length: clients }, (_, i) => this.#client(i))
  }

  /** Milliseconds since the load began. */
  now(): number {
    return performance.now() - this.#began
  }

  /** Resolves with the first answer for which this holds, past or to come. */
  async until(holds: (answer: LoadAnswer) => boolean): Promise<LoadAnswer> {
    for (let seen = 0; ; ) {
      for (; seen < this.answers.length; seen++) if (holds(this.answers[seen]!)) return this.answers[seen]!
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#clients)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #client(i: number): Promise<void> {
    const url = this.#urls[i % this.#urls.length]!
    for (let turn = 0; !this.#stopped; turn++) {
      const asked = this.now()
      const number = `${this.#name}-${this.#next++}`
      const kind = turn % 2 === 0 ? 'create' : 'read'
      const response = await (kind === 'create' ? this.#create(url, number) : this.#read(url)).catch(
        () => undefined,
      )
      const status = response?.status ?? 0
      if (kind === 'create' && status === 201) this.acknowledged.push(number)
      const retryAfter = response?.headers.get('retry-after') ?? null
      this.answers.push({ asked, answered: this.now(), kind, status, retryAfter })
      if (status !== 200 && status !== 201) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  async #create(url: string, number: string): Promise<Response> {
    const response = await fetch(`${url}/api/students`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Load', admission_number: number, class_id: 1 }),
    })
    await response.arrayBuffer()
    return response
  }

  async #read(url: string): Promise<Response> {
    const response = await fetch(`${url}/api/students?per_page=5`, {
      headers: { Authorization: `Bearer ${this.#token}` },
    })
    await response.arrayBuffer()
    return response
  }
}
