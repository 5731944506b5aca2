import { extname } from 'node:path'
import type { Db } from '../db/tables.ts'
import { differingCounts, rowsAre } from '../imports/applying/apply-request.ts'
import type { RowDecision } from '../imports/continuing/row-decisions.ts'
import type { Answer, Counts, ImportRow } from '../imports/model.ts'
import { everything } from '../imports/planning/basis.ts'
import { recordsById } from '../imports/planning/matching.ts'
import { refusedFile } from '../imports/showing/refused-file.ts'
import { rowsPage } from '../imports/showing/rows-page.ts'
import { shownImport } from '../imports/showing/shown.ts'
import type { ShownRow } from '../imports/showing/shown-rows.ts'
import { Problem } from '../problems.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { CommandError, type CommandInput, type CommandResult } from './command.ts'
import { endHalfDone } from './half-done-imports.ts'
import { ImportJob, type ImportJobParts } from './import-job.ts'
import type { ImportAsked } from './import-options.ts'
import { type PlanShown, reportText } from './import-report.ts'
import { checkNewFile, writeNewFile } from './new-file.ts'
import { untilSignal } from './signals.ts'

/** Plans a file, and applies the plan where that is asked for. A signal leaves nothing half. */
export async function importFile(
  db: Db,
  { by, arguments: [file = ''] }: CommandInput,
  asked: ImportAsked,
): Promise<CommandResult> {
  const lists = openStudentLists(db)
  try {
    return await untilSignal((ending) => importWith({ db, lists, by, ending }, file, asked))
  } finally {
    lists.close()
  }
}

async function importWith(parts: ImportJobParts, file: string, asked: ImportAsked): Promise<CommandResult> {
  if (asked.refusedFile !== undefined) checkNewFile(asked.refusedFile)
  await endHalfDone(parts)
  const job = await ImportJob.begin(parts, file, asked)
  try {
    const { imported, unasked } = await answered(job, asked.answers)
    const planned = await decided(parts, job, imported, asked)
    const plan = await planShown(parts, planned, asked.shown)
    const refusedTo = await writeRefused(parts, planned, asked.refusedFile)
    const { imported: after, problem } = await outcomeOf(job, planned, asked, unasked)
    const isApplied = after.state === 'applied'
    const data = {
      ...shownImport(after, () => true),
      applied: isApplied,
      refused_file: refusedTo,
      problem,
      unasked,
      rows: plan.rows,
    }
    const text = reportText({ file, imported: after, isApplied, problem, unasked, refusedTo, ...plan })
    return { data, text, failed: problem !== null }
  } finally {
    await job.end()
  }
}

/** Gives the answers, each when its question is asked. @returns those that nobody asked for, too */
async function answered(job: ImportJob, given: readonly string[]) {
  let imported = await job.done()
  let unasked = given
  while (isOpen(imported)) {
    const told = Object.keys(imported.facts?.decided ?? {})
    const keys = [...imported.questions.map(({ key }) => key), ...Object.keys(imported.settings), ...told]
    const meant = unasked.flatMap((one) => {
      const key = keys.filter((key) => one.startsWith(`${key}=`)).sort((a, b) => b.length - a.length)[0]
      return key === undefined ? [] : [{ one, key }]
    })
    if (meant.length === 0) break
    unasked = unasked.filter((one) => !meant.some((other) => other.one === one))
    const answers = Object.fromEntries(meant.map(({ one, key }) => [key, answerIn(one, key)]))
    const before = imported
    imported = await namingGiven(
      '--answer',
      meant.map(({ one }) => one),
      () => job.answer(before, answers),
    )
  }
  return { imported, unasked }
}

function answerIn(given: string, key: string): Answer {
  const answer = given.slice(key.length + 1)
  return key === 'delimiter' && answer === '\\t' ? '\t' : answer
}

/** Decides rows as they were named, and then those that are doubtful all the same, where they are left out. */
async function decided(
  parts: ImportJobParts,
  job: ImportJob,
  imported: ImportRow,
  { decisions, skips }: ImportAsked,
): Promise<ImportRow> {
  if (imported.state !== 'planned') return imported
  const named = decisions.map(({ row, sheet }) => (sheet === undefined ? `${row}` : `${sheet}!${row}`))
  const planned = await namingGiven('--row', named, () => job.decide(imported, decisions))
  if (!skips.doubtful || !isOpen(planned)) return planned
  return job.decide(planned, await allDoubtful(parts, planned))
}

async function allDoubtful({ db }: ImportJobParts, planned: ImportRow): Promise<RowDecision[]> {
  const found: RowDecision[] = []
  for (let page = 1; ; page++) {
    const asked = { outcome: 'doubtful' } as const
    const { items } = await rowsPage(db, planned, everything(), asked, { page, perPage: 1_000 })
    if (items.length === 0) return found
    for (const { row, sheet } of items)
      found.push({ row: row!, ...(sheet && { sheet }), decision: 'leave_out' })
  }
}

const isOpen = ({ state }: ImportRow) => state === 'question' || state === 'planned'

/** Names what was given in place of where it stands in a request. @throws CommandError */
async function namingGiven<Result>(
  option: string,
  given: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    const told = error.errors.map(({ pointer, detail }) => {
      const [, , at = '', member] = pointer.split('/')
      const key = at.replaceAll('~1', '/').replaceAll('~0', '~')
      const one =
        /^\d+$/.test(at) && option === '--row'
          ? given[Number(at)]
          : given.find((text) => text.startsWith(`${key}=`))
      return `${option} ${one ?? key}: ${member === 'id' ? 'the student ' : ''}${detail}.`
    })
    throw new CommandError(`${told.join('\n')}\nNothing was changed.`)
  }
}

/** Some rows of each outcome, and the students whom they name. */
async function planShown({ db }: ImportJobParts, imported: ImportRow, most: number): Promise<PlanShown> {
  const rows: Partial<Record<keyof Counts, readonly ShownRow[]>> = {}
  for (const outcome of ['doubtful', 'refused', 'left_out', 'change', 'create', 'missing'] as const) {
    if (imported.state !== 'planned' || most === 0 || !imported.counts?.[outcome]) continue
    const { items } = await rowsPage(db, imported, everything(), { outcome }, { page: 1, perPage: most })
    rows[outcome] = items
  }
  const named = [...(rows.doubtful ?? []), ...(rows.refused ?? [])]
  const ids = named.flatMap(({ cells }) => cells.flatMap(({ ids = [] }) => ids))
  return { rows, students: await recordsById(db, [...new Set(ids)]) }
}

/** Writes the refused rows of a plan into a file. @returns the file; null: none is asked for, there is no plan, or no row is refused */
async function writeRefused({ db, ending }: ImportJobParts, imported: ImportRow, file: string | undefined) {
  if (file === undefined || imported.state !== 'planned' || imported.counts?.refused === 0) return null
  const now = async () => ({ authority: everything(), imported })
  const asked = { language: 'en', outcomes: ['refused'], now } as const
  const { format, content } = await refusedFile(db, imported, asked)
  if ((extname(file).toLowerCase() === '.xlsx') !== (format.type === 'xlsx'))
    throw new CommandError(
      `--refused ${file}: the rows came as ${format.type.toUpperCase()}, and go back so.`,
    )
  try {
    await writeNewFile(file, content)
  } catch (error) {
    ending.throwIfAborted() // the unfinished file went with the signal
    throw error
  }
  return file
}

/** Applies a plan where that is asked for. @returns the import then, and why it is not applied, or not even planned */
async function outcomeOf(
  job: ImportJob,
  imported: ImportRow,
  { apply, confirm, skips }: ImportAsked,
  unasked: readonly string[],
) {
  const { state, counts } = imported
  if (state !== 'planned' || counts === null) return { imported, problem: whyNoPlan(imported) }
  const problem = apply ? (noSuchColumn(unasked) ?? whyNotApplied(counts, confirm, skips.refused)) : null
  if (problem !== null || !apply) return { imported, problem }
  try {
    const after = await job.apply(imported, confirm, skips.refused ? 'skip' : undefined)
    return { imported: after, problem: after.state === 'applied' ? null : whyNoPlan(after) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, detail } = error
    const isThreshold = code === 'threshold_exceeded'
    const told = `It changes ${counts.change} students, which are very many of those who are there. If that is meant, add --confirm change=${counts.change}.`
    return { imported, problem: { code, detail: isThreshold ? told : detail } }
  }
}

function whyNoPlan({ state, questions, failure }: ImportRow) {
  const asked = questions.filter(({ required }) => required).length
  const detail = `${asked === 1 ? 'One question' : `${asked} questions`} must be answered before there is a plan.`
  if (state === 'question') return { code: 'questions', detail }
  return failure ?? { code: 'import_state', detail: `Somebody else has changed the import: it is ${state}.` }
}

/** An answer on a column that the file does not have may be misspelt: the column that is meant would be written. */
function noSuchColumn(unasked: readonly string[]) {
  const one = unasked.find((answer) => /^(column|date_order|short_years)\./.test(answer))
  if (one === undefined) return undefined
  const detail = `Nobody asked for --answer ${one}: the file has no such column. Correct the answer, or take it out.`
  return { code: 'unknown_member', detail }
}

/** What the counts alone tell. */
function whyNotApplied(counts: Counts, confirm: Partial<Counts> | undefined, skipsRefused: boolean) {
  const { doubtful, refused } = counts
  const differing = differingCounts(counts, confirm)
  if (differing !== undefined) return { code: differing.code, detail: differing.detail }
  if (doubtful > 0) {
    const detail = `${rowsAre(doubtful)} doubtful: say what each is with --row, or leave them out with --skip-doubtful.`
    return { code: 'rows_undecided', detail }
  }
  if (refused === 0 || skipsRefused) return null
  const detail = `${rowsAre(refused)} refused: correct the file, or leave them out with --skip-refused.`
  return { code: 'rows_undecided', detail }
}
