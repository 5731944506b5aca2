import { setTimeout as sleep } from 'node:timers/promises'

/** An import, as far as the benchmark looks at it. */
export interface ShownImport {
  readonly id: number
  readonly state: string
  readonly file: { readonly header: readonly string[] | null }
  /** What the file told by itself: empty until all its rows are looked through. */
  readonly decided: object
  readonly counts: Readonly<Record<string, number>> | null
  readonly failure: unknown
  readonly questions: readonly { readonly key: string; readonly required: boolean }[]
}

/** How often an import is looked at, in milliseconds. */
const lookEveryMs = 50

/** Imports as an office does them, over HTTP. */
export class ImportClient {
  readonly #api: string
  readonly #token: string

  constructor(port: number, token: string) {
    this.#api = `http://127.0.0.1:${port}/api`
    this.#token = token
  }

  /** The labels of the school's classes. A thread that reads is there afterwards, as in a server that is used. */
  async classes(): Promise<string[]> {
    await this.#ask('GET', '/students?gender=none')
    const { data } = await this.#ask('GET', '/classes')
    return (data as { label: string }[]).map(({ label }) => label)
  }

  /** @returns the id of the import */
  async upload(file: Buffer): Promise<number> {
    const { data } = await this.#ask('POST', '/imports', file, { 'content-type': 'application/octet-stream' })
    return (data as { id: number }).id
  }

  async apply(id: number): Promise<void> {
    const { tag } = await this.#look(id)
    await this.#ask('POST', `/imports/${id}/apply`, {}, { 'if-match': tag })
  }

  async undo(id: number): Promise<void> {
    await this.#ask('POST', `/imports/${id}/undo`)
  }

  /** Waits until an import is in this state. @param onLook is told each time what stands @throws where it ends elsewhere */
  async until(
    id: number,
    state: string,
    onLook: (imported: ShownImport) => void = () => {},
  ): Promise<ShownImport> {
    for (;;) {
      const { imported } = await this.#look(id)
      onLook(imported)
      if (imported.state === state) return imported
      if (!['reading', 'applying', 'undoing'].includes(imported.state))
        throw new Error(
          `the import is ${imported.state}, not ${state}: ${JSON.stringify(imported.failure ?? imported.questions)}`,
        )
      await sleep(lookEveryMs)
    }
  }

  async #look(id: number): Promise<{ imported: ShownImport; tag: string }> {
    const { data, tag } = await this.#ask('GET', `/imports/${id}`)
    return { imported: data as ShownImport, tag }
  }

  async #ask(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const isFile = body instanceof Uint8Array
    const answer = await fetch(`${this.#api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && !isFile && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    const { data } = JSON.parse(text) as { data: unknown }
    return { data, tag: answer.headers.get('etag') ?? '' }
  }
}
