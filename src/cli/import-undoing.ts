import { lockRow } from '../db/row-locks.ts'
import type { Db } from '../db/tables.ts'
import { type Author, write } from '../events/write.ts'
import { checkUndo, requestUndo } from '../imports/applying/undo-request.ts'
import type { ImportRow } from '../imports/model.ts'
import { everything } from '../imports/planning/basis.ts'
import { findImport } from '../imports/queries.ts'
import { rowsPage } from '../imports/showing/rows-page.ts'
import { shownImport } from '../imports/showing/shown.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { CommandError, type CommandResult } from './command.ts'
import { endHalfDone } from './half-done-imports.ts'
import { clock, jobsOf, tellingOfRest } from './import-job.ts'
import { keptText } from './import-report.ts'
import { withProgressLine } from './progress-line.ts'
import { untilSignal } from './signals.ts'

/** How many rows of which something stays are listed. */
const mostListed = 1_000

/** Takes an import back, and waits for the end of that, whoever does it. */
export async function undoByCommand(db: Db, by: Author, id: number): Promise<CommandResult> {
  const lists = openStudentLists(db)
  try {
    return await untilSignal(async (ending) => {
      const { state } = await getApplied(db, id) // else nothing is ended for a number that is mistyped
      await endHalfDone({ db, lists, ending })
      if (state === 'undoing') return resultOf(db, await getApplied(db, id))
      const applied = await getApplied(db, id)
      await checkUndo(db, applied, undefined, clock())
      ending.throwIfAborted()
      await write(
        db,
        by,
        (tx) => requestUndo(tx, applied, nameOf(applied, by), clock().toISOString()),
        (db) => lockRow(db, 'imports', id),
      )
      await tellingOfRest(id, () => withProgressLine(db, id, () => jobsOf({ db, lists }).finish(id)))
      ending.throwIfAborted()
      return resultOf(db, await getApplied(db, id))
    })
  } finally {
    lists.close()
  }
}

/** An import keeps the name of the command that made it. */
function nameOf({ command }: ImportRow, by: Author): Author {
  return command === null ? by : { ...by, command }
}

async function getApplied(db: Db, id: number): Promise<ImportRow> {
  const imported = await findImport(db, id)
  if (imported !== undefined) return imported
  throw new CommandError(`There is no import ${id}. ./registrar.js import list shows those that there are.`)
}

async function resultOf(db: Db, imported: ImportRow): Promise<CommandResult> {
  const where = { page: 1, perPage: mostListed }
  const { items, total } = await rowsPage(db, imported, everything(), { kept: 'true' }, where)
  const data = { ...shownImport(imported, () => true), kept: items, kept_total: total }
  if (imported.state === 'undone')
    return { data, text: [`Import ${imported.id} is undone.`, ...keptText(items, total)].join('\n') }
  const detail = imported.failure?.detail ?? `it is ${imported.state}`
  return { data, text: `Import ${imported.id} is not undone: ${detail}.`, failed: true }
}
