import { Worker } from 'node:worker_threads'
import { readAside, rowsAside } from '../../db/read-beside.ts'
import type { Db, Tables } from '../../db/tables.ts'
import { askOf } from './ask.ts'
import type { FoundPairs } from './pairs.ts'
import type { SentStudents, ThreadReply } from './thread.ts'

/** How many students are read at once. */
const sliceSize = 5_000

const searched: readonly (keyof Tables['students'])[] = ['id', 'class_id', 'date_of_birth', 'folded_name']

interface Found {
  /** What the students were at before the search began. */
  readonly state: string
  readonly pairs: FoundPairs
}

/**
 * Searches all students for pairs, one search at a time, in a thread of its own. What was found stands as long as no
 * student comes, changes or goes.
 */
export class DoubleSearch {
  readonly #db: Db
  #found: Found | undefined
  #running: Promise<Found> | undefined
  #thread: Worker | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** The pairs among the students as they are now, or were after the call. */
  async pairs(): Promise<FoundPairs> {
    if (await this.#isUpToDate()) return this.#found!.pairs
    if (this.#running !== undefined) {
      await this.#running.catch(() => {}) // it began before this call
      if (await this.#isUpToDate()) return this.#found!.pairs
    }
    this.#running ??= this.#search().finally(() => (this.#running = undefined))
    return (await this.#running).pairs
  }

  async #isUpToDate(): Promise<boolean> {
    return this.#found !== undefined && (await this.#state()) === this.#found.state
  }

  /** Differs whenever a student came, was changed or went: each change counts up the student's version. */
  async #state(): Promise<string> {
    const counted = ['count(*)', 'coalesce(sum(version), 0)', 'coalesce(max(id), 0)']
    return String(await rowsAside(this.#db, counted, 'from students'))
  }

  async #search(): Promise<Found> {
    const state = await this.#state()
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    this.#thread = thread
    const ask = askOf<SentStudents, ThreadReply>(thread)
    try {
      const slice = `from students where id > :after order by id limit ${sliceSize}`
      for (let last = 0, count = sliceSize; count === sliceSize; ) {
        const reply = await ask({ students: await readAside(this.#db, searched, slice, last) })
        if ('count' in reply) ({ last, count } = reply)
      }
      const reply = await ask({ students: null })
      this.#found = { state, pairs: (reply as { pairs: FoundPairs }).pairs }
      return this.#found
    } finally {
      this.#thread = undefined
      await thread.terminate()
    }
  }

  /** Ends a search that runs. */
  close(): void {
    void this.#thread?.terminate()
  }
}
