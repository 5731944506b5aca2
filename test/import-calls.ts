import assert from 'node:assert/strict'
import type { Answer, Person, School } from './school.ts'

/** An import as it is shown, with its entity tag. */
export interface ShownImport {
  readonly id: number
  readonly tag: string
  readonly state: string
  readonly counts: Readonly<Record<string, number>>
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  readonly [name: string]: any
}

interface AskedQuestion {
  readonly key: string
  readonly required: boolean
  readonly choices: readonly { readonly answer: unknown }[]
}

const csv = { 'content-type': 'text/csv' }

/** Calls of somebody who imports, over HTTP. */
export class Importer {
  readonly #school: School
  readonly #as: Person
  readonly #idle: () => Promise<void>

  /** @param idle waits until no import is at work */
  constructor(school: School, as: Person, idle = () => school.app.importJobs.idle()) {
    this.#school = school
    this.#as = as
    this.#idle = idle
  }

  /** Sends a file. @returns the id of its import */
  async send(payload: string | Buffer, query = ''): Promise<number> {
    const sent = { as: this.#as, payload, headers: csv }
    const { status, text, body } = await this.#school.send('POST', `/api/imports${query}`, sent)
    assert.equal(status, 202, text)
    return body.data.id
  }

  /** Shows an import once nothing is at work. */
  async read(id: number): Promise<ShownImport> {
    await this.#idle()
    const { status, body, headers, text } = await this.#school.get(`/api/imports/${id}`, this.#as)
    assert.equal(status, 200, text)
    return { ...body.data, tag: String(headers.etag) }
  }

  /** Sends a file, and waits until it is planned. */
  async planned(payload: string | Buffer, query = ''): Promise<ShownImport> {
    const shown = await this.read(await this.send(payload, query))
    assert.equal(shown.state, 'planned', JSON.stringify([shown.failure, shown.questions]))
    return shown
  }

  /**
   * Sends a file, and gives the first answer to whatever has to be answered until it is planned.
   * @param asked gets each answer, as KEY=ANSWER
   */
  async asProposed(payload: string, asked: string[] = []): Promise<ShownImport> {
    let shown = await this.read(await this.send(payload))
    while (shown.state === 'question') {
      const questions: AskedQuestion[] = shown.questions
      // Where a column may yet be the number, that question need not be answered.
      const open = questions.filter(({ key, required }) => required || key === 'admission_number')
      const answers = open.map(({ key, choices }) => [key, choices[0]!.answer] as const)
      asked.push(...answers.map(([key, answer]) => `${key}=${answer}`))
      shown = await this.continued(shown, { answers: Object.fromEntries(answers) })
    }
    assert.equal(shown.state, 'planned', JSON.stringify([shown.failure, shown.questions]))
    return shown
  }

  patch({ id, tag }: Pick<ShownImport, 'id' | 'tag'>, body: object): Promise<Answer> {
    return this.#school.send('PATCH', `/api/imports/${id}`, {
      ...{ as: this.#as, body, headers: { 'if-match': tag } },
    })
  }

  /** Answers and decides, and waits until it is planned anew. */
  async continued(before: Pick<ShownImport, 'id' | 'tag'>, body: object): Promise<ShownImport> {
    const { status, text } = await this.patch(before, body)
    assert.equal(status, 200, text)
    return this.read(before.id)
  }

  apply({ id, tag }: Pick<ShownImport, 'id' | 'tag'>, body: object = {}): Promise<Answer> {
    return this.#school.send('POST', `/api/imports/${id}/apply`, {
      ...{ as: this.#as, body, headers: { 'if-match': tag } },
    })
  }

  /** Applies it, and waits for the end of that. */
  async applied(planned: Pick<ShownImport, 'id' | 'tag'>, body: object = {}): Promise<ShownImport> {
    const { status, text } = await this.apply(planned, body)
    assert.equal(status, 202, text)
    return this.read(planned.id)
  }

  undo(id: number): Promise<Answer> {
    return this.#school.post(`/api/imports/${id}/undo`, undefined, this.#as)
  }

  async undone(id: number): Promise<ShownImport> {
    const { status, text } = await this.undo(id)
    assert.equal(status, 202, text)
    return this.read(id)
  }

  refused(id: number, query = ''): Promise<Answer> {
    return this.#school.get(`/api/imports/${id}/refused${query}`, this.#as)
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  async rows(id: number, query = ''): Promise<any[]> {
    const path = `/api/imports/${id}/rows?per_page=1000${query}`
    const { status, body, text } = await this.#school.get(path, this.#as)
    assert.equal(status, 200, text)
    return body.data
  }
}
