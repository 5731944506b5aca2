import { basename } from 'node:path'
import { lockRow } from '../db/row-locks.ts'
import type { Db } from '../db/tables.ts'
import { databaseFaultOf } from '../db/violations.ts'
import { type Author, write } from '../events/write.ts'
import { faultsProblem } from '../http/validation.ts'
import { applyOrReplan, judgePlan } from '../imports/applying/apply-request.ts'
import { continueImport } from '../imports/continuing/continue-import.ts'
import { putDecisions, type RowDecision } from '../imports/continuing/row-decisions.ts'
import { eraseImport } from '../imports/erasing.ts'
import { ImportJobs } from '../imports/jobs.ts'
import { keepAnswers } from '../imports/mappings/kept-answers.ts'
import type { Answer, Counts, Failure, ImportRow } from '../imports/model.ts'
import { findImport } from '../imports/queries.ts'
import { moveTo } from '../imports/states.ts'
import { steps } from '../imports/steps.ts'
import { receiveFile } from '../imports/upload.ts'
import { type FieldFault, Problem } from '../problems.ts'
import type { StudentLists } from '../students/lists/lists.ts'
import { shown } from '../text/normalise.ts'
import { CommandError } from './command.ts'
import type { ImportAsked } from './import-options.ts'
import { mostBytes, openSource, toldOf, tooLarge } from './import-source.ts'
import { withProgressLine } from './progress-line.ts'

/** How many decisions are stored at once. */
const decisionsAtOnce = 500

/** What the steps of imports in this process need. */
export interface ImportWork {
  readonly db: Db
  readonly lists: StudentLists
  /** Aborted by Ctrl-C, or another signal that ends the process. */
  readonly ending: AbortSignal
}

export interface ImportJobParts extends ImportWork {
  readonly by: Author
}

/** One import that this process works on to its end, whether a server runs beside it or not. */
export class ImportJob {
  readonly id: number
  readonly #parts: ImportJobParts

  private constructor(parts: ImportJobParts, id: number) {
    this.#parts = parts
    this.id = id
  }

  /** Stages a file. @throws CommandError where it can't be read */
  static async begin(
    parts: ImportJobParts,
    path: string,
    { kind, mode }: Pick<ImportAsked, 'kind' | 'mode'>,
  ): Promise<ImportJob> {
    const { db, by, ending } = parts
    const body = await openSource(path, ending)
    const { holder } = jobsOf(parts)
    try {
      const id = await receiveFile(
        { db, clock, holder, maxBytes: mostBytes, ending },
        { kind, mode, fileName: shown(basename(path), 200) || null },
        { by, check: () => {} },
        { body, allow: () => {} },
      )
      return new ImportJob(parts, id)
    } catch (error) {
      ending.throwIfAborted()
      if (error instanceof Problem && error.code === 'file_too_large') throw tooLarge(path)
      throw toldOf(path, error)
    } finally {
      body.destroy()
    }
  }

  /** Does what the import waits for. @returns what it is then @throws the reason of `ending` */
  async done(): Promise<ImportRow> {
    await finishImport(this.#parts, this.id)
    return this.#now()
  }

  async answer(before: ImportRow, answers: Readonly<Record<string, Answer>>): Promise<ImportRow> {
    await this.#write(before, (tx) => continueImport(tx, before, { answers }, this.#parts.by, instant()))
    return this.done()
  }

  async decide(before: ImportRow, decisions: readonly RowDecision[]): Promise<ImportRow> {
    if (decisions.length === 0) return before
    await this.#write(before, async (tx) => {
      const faults: FieldFault[] = []
      for (let at = 0; at < decisions.length; at += decisionsAtOnce) {
        const some = await putDecisions(tx, before, decisions.slice(at, at + decisionsAtOnce), undefined)
        for (const fault of some)
          faults.push({
            ...fault,
            pointer: fault.pointer.replace(/\d+/, (place) => String(Number(place) + at)),
          })
      }
      if (faults.length > 0) throw faultsProblem(faults)
      await continueImport(tx, before, {}, this.#parts.by, instant())
    })
    return this.done()
  }

  /** Applies a plan that is still as it was looked at. @throws Problem as the API would be answered with */
  async apply(
    planned: ImportRow,
    confirm: Partial<Counts> | undefined,
    refused: 'skip' | undefined,
  ): Promise<ImportRow> {
    const { db, by } = this.#parts
    const application = { ...(refused && { refused }), ...(confirm && { confirm }) }
    const judgement = await judgePlan(db, planned, undefined, application)
    if (judgement.outdated !== undefined) throw judgement.outdated
    await this.#write(planned, async (tx) => {
      await applyOrReplan(tx, planned, judgement, by, instant())
      const { facts } = planned
      if (facts !== null) await keepAnswers(tx, { ...planned, facts }, undefined, instant())
    })
    return this.done()
  }

  /**
   * Leaves nothing of it staged that was not applied, and nothing half: what was applied in part is taken back. One that
   * was applied stays as it is.
   */
  async end(): Promise<void> {
    await tellingOfRest(this.id, () => this.#end())
  }

  async #end(): Promise<void> {
    const { db } = this.#parts
    await write(db, {}, (tx) =>
      moveTo(tx, this.id, ['reading', 'question', 'planned'], 'cancelled', instant()),
    )
    await write(db, {}, (tx) =>
      moveTo(tx, this.id, ['applying'], 'undoing', instant(), { failure: interrupted }),
    )
    await jobsOf(this.#parts).finish(this.id)
    const { state, change_set_id: changeSet } = await this.#now()
    if (state === 'applied' || changeSet !== null) return
    while (await write(db, {}, (tx) => eraseImport(tx, this.id, clock())));
  }

  /** A write that finds the import as it was. @throws Problem import_state where somebody has changed it since */
  async #write(before: ImportRow, work: (tx: Parameters<typeof continueImport>[0]) => Promise<void>) {
    const { db, by } = this.#parts
    await write(
      db,
      by,
      async (tx) => {
        const still = await findImport(tx, this.id)
        if (still?.version === before.version) return work(tx)
        throw new Problem('import_state', 'Somebody else has changed the import meanwhile. Run it again.')
      },
      (db) => lockRow(db, 'imports', this.id),
    )
  }

  async #now(): Promise<ImportRow> {
    const imported = await findImport(this.#parts.db, this.id)
    if (imported !== undefined) return imported
    throw new Error(`the import ${this.id} is gone`)
  }
}

const interrupted = {
  code: 'interrupted',
  detail: 'The command was ended before all was applied, and what was applied is taken back.',
} satisfies Failure

export const clock = () => new Date()

const instant = () => clock().toISOString()

/** Tells what becomes of an import that was begun, where the database fails. @throws CommandError then */
export async function tellingOfRest<Result>(id: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (databaseFaultOf(error) === undefined) throw error
    throw new CommandError(
      `The database can't be used: ${(error as Error).message}. Import ${id} is left as it is by now. A server goes on with it. What is half applied or half taken back, the next ./registrar.js import ends too; ./registrar.js check tells of it.`,
    )
  }
}

/** Does what an import waits for, or waits for whoever does it. @throws the reason of `ending` */
export async function finishImport(work: ImportWork, id: number): Promise<void> {
  const { db, ending } = work
  const jobs = jobsOf(work)
  const stop = () => void jobs.stop()
  ending.addEventListener('abort', stop, { once: true })
  try {
    ending.throwIfAborted()
    await withProgressLine(db, id, () => jobs.finish(id))
  } finally {
    ending.removeEventListener('abort', stop)
  }
  ending.throwIfAborted()
}

/** What does the steps of imports in this process. */
export function jobsOf({ db, lists }: Pick<ImportWork, 'db' | 'lists'>): ImportJobs {
  const tell = (...told: unknown[]) => console.error(...told)
  const log = { error: tell, warn: tell }
  return new ImportJobs({ db, lists, clock, log, steps })
}
