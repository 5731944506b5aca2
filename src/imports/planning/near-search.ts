import { Worker } from 'node:worker_threads'
import type { Authority } from '../../access/authority.ts'
import type { Scope } from '../../access/scope.ts'
import { readAside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { askOf } from '../../students/doubles/ask.ts'
import { sensitiveScopeOf } from './basis.ts'
import { type Candidate, looked, type NearFound, type NearScopes } from './near.ts'
import { type NearReply, nearAnswers, type SentToNear } from './near-answers.ts'

/** How many students are read at once. */
const sliceSize = 5_000

/** So many rows and students are compared without a thread: to start one takes longer. */
const few = 3_000

const nothing: NearFound = { near: [], twins: [], likeNumbers: [], isWhole: true }

/**
 * Searches for the students whom rows may be that match nobody: where they are many, in a thread of its own, which
 * begins with the first rows.
 */
export class NearSearch implements AsyncDisposable {
  readonly #db: Db
  readonly #scopes: NearScopes
  readonly #isSmall: boolean
  #thread: Worker | undefined
  #ask: ((sent: SentToNear) => Promise<NearReply>) | undefined

  /**
   * @param authority of whom the plan is for: only students whom that account may see are found
   * @param compared how many rows and students there are at the most
   */
  constructor(db: Db, authority: Authority, compared: number) {
    this.#db = db
    this.#isSmall = compared <= few
    const students = authority.scopeOf('students.view') ?? []
    const dates = sensitiveScopeOf(authority)
    this.#scopes = { students: listOf(students), dates: listOf(dates) }
  }

  async addRows(rows: readonly Candidate[]): Promise<void> {
    if (rows.length === 0) return
    this.#ask ??= this.#begin()
    await this.#ask({ rows: JSON.stringify(rows), students: null })
  }

  /**
   * What is found of all rows that were added. The thread ends then, and gives back its memory before others take more.
   * @param between is called after each slice of students
   */
  async found(between: () => Promise<void>): Promise<NearFound> {
    if (this.#ask === undefined) return nothing
    const slice = `from students where id > :after order by id limit ${sliceSize}`
    for (let last = 0, count = sliceSize; count === sliceSize; ) {
      const reply = await this.#ask({ students: await readAside(this.#db, looked, slice, last) })
      if ('count' in reply) ({ last, count } = reply)
      await between()
    }
    const reply = await this.#ask({ students: null })
    await this.#thread?.terminate()
    return 'found' in reply ? reply.found : nothing
  }

  #begin(): (sent: SentToNear) => Promise<NearReply> {
    if (this.#isSmall) return nearAnswers(this.#scopes)
    this.#thread = new Worker(new URL('./near-thread.ts', import.meta.url), {
      workerData: this.#scopes,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    return askOf<SentToNear, NearReply>(this.#thread)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate()
  }
}

function listOf(scope: Scope): readonly number[] | null {
  return scope === 'all' ? null : scope
}
