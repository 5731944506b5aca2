import { getAuthority } from '../src/access/authority.ts'
import { placeOf } from '../src/events/import-note.ts'
import { write } from '../src/events/write.ts'
import { accountOf } from '../src/imports/acting.ts'
import { applyImport } from '../src/imports/applying/apply.ts'
import { type Application, applyOrReplan, judgePlan } from '../src/imports/applying/apply-request.ts'
import { undoImport } from '../src/imports/applying/undo.ts'
import { checkUndo, requestUndo } from '../src/imports/applying/undo-request.ts'
import type { CellValue, GivenRow, RowReader } from '../src/imports/cells/row-values.ts'
import type { ImportKind, ImportMode, ImportRow, Settings } from '../src/imports/model.ts'
import { basisFor } from '../src/imports/planning/basis.ts'
import { planImport } from '../src/imports/planning/plan.ts'
import { findImport } from '../src/imports/queries.ts'
import type { RowsAsked } from '../src/imports/showing/asked-rows.ts'
import { rowsPage } from '../src/imports/showing/rows-page.ts'
import { moveTo } from '../src/imports/states.ts'
import type { StepWork } from '../src/imports/steps.ts'
import { openStudentLists } from '../src/students/lists/lists.ts'
import type { Person, School } from './school.ts'

/* Imports whose rows are staged without a file: what is planned, applied and undone is tested by itself. */

/** What stands in a file: a header of the names of columns, and rows of texts; an empty text gives nothing. */
export interface StagedFile {
  readonly kind?: ImportKind
  readonly mode?: ImportMode
  readonly settings?: Settings
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly newFields?: readonly { readonly key: string; readonly label: string }[]
}

/** Reads rows by the names of columns, as they stand. A `class_id` that is no number makes a class. */
export function plainReader({ header, newFields = [] }: Omit<StagedFile, 'rows'>): RowReader {
  return {
    lacks: [],
    newFields,
    read(_place, cells) {
      const given = header.flatMap((column, i): [string, CellValue][] => {
        const cell = cells[i] ?? ''
        if (cell === '' || column === 'id') return []
        if (cell === '-') return [[column, null]]
        if (column === 'class_id' && /^\d+$/.test(cell)) return [[column, Number(cell)]]
        return [[column, column.startsWith('identifiers.') ? cell.split('\n') : cell]]
      })
      const id = cells[header.indexOf('id')]
      return { values: Object.fromEntries(given) as GivenRow, faults: [], ...(id && { id: Number(id) }) }
    },
  }
}

/** An import of a school, step by step. */
export class StagedImport {
  readonly id: number
  readonly #school: School
  readonly #reader: RowReader
  readonly #work: StepWork

  constructor(school: School, id: number, file: StagedFile) {
    this.id = id
    this.#school = school
    this.#reader = plainReader(file)
    this.#work = workOf(school)
  }

  async row(): Promise<ImportRow> {
    return (await findImport(this.#school.db, this.id))!
  }

  /** Plans it. @returns the counts that are not 0 */
  async plan(): Promise<Readonly<Record<string, number>>> {
    const imported = await this.row()
    const basis = await basisFor(this.#school.db, accountOf(imported))
    const counts = await planImport(imported, basis, this.#reader, this.#work)
    const now = this.#school.now().toISOString()
    await write(this.#school.db, {}, (db) => moveTo(db, this.id, ['reading'], 'planned', now, { counts }))
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
  }

  /** Rows of the plan, as somebody sees them. */
  async rows(as: Person, asked: RowsAsked = {}) {
    const authority = await getAuthority(this.#school.db, as.id)
    const page = await rowsPage(this.#school.db, await this.row(), authority, asked, {
      page: 1,
      perPage: 1000,
    })
    return page.items
  }

  async decide(row: number, decision: string, id: number | null = null): Promise<void> {
    const now = this.#school.now().toISOString()
    await write(this.#school.db, {}, async (db) => {
      await db
        .insertInto('import_decisions')
        .values({ import_id: this.id, place: placeOf(0, row), decision, record_id: id })
        .execute()
      await moveTo(db, this.id, ['planned'], 'reading', now)
    })
  }

  /** Asks for it to be applied, without doing it. @throws Problem as the request would be answered with */
  async request(as: Person, application: Application = {}): Promise<void> {
    const { db } = this.#school
    const judgement = await judgePlan(db, await this.row(), as.id, application)
    const by = { userId: as.id }
    await write(db, by, (tx) => applyOrReplan(tx, this, judgement, by, this.#school.now().toISOString()))
    if (judgement.outdated !== undefined) throw judgement.outdated
  }

  /** Does what was asked for, to its end. @returns the state then */
  async finish(): Promise<string> {
    for (;;) {
      const imported = await this.row()
      if (imported.state === 'applying') await applyImport(imported, this.#work)
      else if (imported.state === 'undoing') await undoImport(imported, this.#work)
      else return imported.state
    }
  }

  async apply(as: Person, application: Application = {}): Promise<string> {
    await this.request(as, application)
    return this.finish()
  }

  /** Asks for it to be undone, without doing it. @throws Problem as the request would be answered with */
  async requestUndo(as: Person): Promise<void> {
    const { db } = this.#school
    const imported = await this.row()
    await checkUndo(db, imported, as.id, this.#school.now())
    const by = { userId: as.id }
    await write(db, by, (tx) => requestUndo(tx, imported, by, this.#school.now().toISOString()))
  }

  async undo(as: Person): Promise<string> {
    await this.requestUndo(as)
    return this.finish()
  }
}

/** Stages an import that somebody made. */
export async function stage(school: School, as: Person, file: StagedFile): Promise<StagedImport> {
  const { kind = 'students', mode = 'upsert', settings = {}, rows } = file
  const now = school.now().toISOString()
  const id = await write(school.db, {}, async (db) => {
    const { id } = await db
      .insertInto('imports')
      .values({
        ...{ kind, mode, state: 'reading', file_bytes: 0, done: 0, user_id: as.id, planned_for: as.id },
        ...{ settings: JSON.stringify(settings), created_at: now, updated_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto('import_rows')
        .values(
          rows.slice(at, at + 500).map((cells, i) => ({
            ...{ import_id: id, place: placeOf(0, at + i + 2), cells: JSON.stringify(cells) },
          })),
        )
        .execute()
    return id
  })
  return new StagedImport(school, id, file)
}

/** What a step works with where nobody else holds its import. */
export function workOf(school: School): StepWork {
  const { db } = school
  return {
    db,
    lists: openStudentLists(db),
    clock: () => school.now(),
    signal: new AbortController().signal,
    beat: () => new Promise((resolve) => setImmediate(resolve)),
    hold: async () => {},
    write: (work) => write(db, {}, work),
  }
}
