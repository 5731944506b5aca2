import { findFields } from '../../fields/queries.ts'
import { SheetRefusal } from '../../sheets/refusal.ts'
import { commonestNext } from '../../students/numbers/commonest.ts'
import { accountOf } from '../acting.ts'
import { classRowReader } from '../cells/class-rows.ts'
import { rowReader } from '../cells/row-reader.ts'
import { columnsOf } from '../columns/columns.ts'
import { allAnswers } from '../columns/file-columns.ts'
import { unknownHeader } from '../columns/header.ts'
import { failureOf, ImportEnds } from '../import-ends.ts'
import { answersKept } from '../mappings/kept-answers.ts'
import type { FileFacts, ImportRow, ImportState, Question, Settings } from '../model.ts'
import { type Basis, basisFor } from '../planning/basis.ts'
import { planImport } from '../planning/plan.ts'
import { Survey } from '../questions/survey.ts'
import { type ReadingRules, usableSchool } from '../reading-rules.ts'
import { inTurns } from '../slices/in-turns.ts'
import { slicesOf } from '../slices/staged-rows.ts'
import { moveTo, note, type StateChange, withTakenBack } from '../states.ts'
import type { StepWork } from '../steps.ts'
import { readFile } from './file-rows.ts'

/** An import whose rows are read; `kept`: the keys of answers that it just took over from another file. */
type Read = ImportRow & { readonly facts: FileFacts; readonly kept?: readonly string[] }

/**
 * Reads an import's file into rows, unless they are read; looks at all of them for what must be asked; and plans them,
 * when nothing must. The import is `question`, `planned` or `refused` then.
 */
export async function readImport(imported: ImportRow, work: StepWork): Promise<void> {
  const end = (to: ImportState, change: StateChange) =>
    work.write((tx) => moveTo(tx, imported.id, ['reading'], to, work.clock().toISOString(), change))
  try {
    const read = await withRows(imported, work)
    if ('question' in read) await end('question', { questions: [read.question] })
    else await askOrPlan(read, work, end)
  } catch (error) {
    if (!(error instanceof SheetRefusal || error instanceof ImportEnds)) throw error
    await end('refused', { failure: failureOf(error) })
  }
}

/** The import with its rows read, and with the answers that are kept for its headings; or what is to be asked first. */
async function withRows(
  imported: ImportRow,
  work: StepWork,
): Promise<Read | { readonly question: Question }> {
  const { id, kind, facts, taken_back } = imported
  if (facts !== null) return { ...imported, facts }
  const columns = columnsOf(kind, await findFields(work.db))
  const read = await readFile(imported, columns, work)
  if ('question' in read) return read
  const { format, header, ...others } = read
  if (header === undefined) throw new ImportEnds(unknownHeader(columns))
  const { answers, mapping } = await answersKept(work.db, kind, header, accountOf(imported))
  const known: FileFacts = { ...others, header, mapping, decided: {}, warnings: [] }
  const takenOver = Object.entries(answers).filter(([key]) => !taken_back.includes(key))
  const settings: Settings = { ...Object.fromEntries(takenOver), ...imported.settings }
  await work.write((tx) => note(tx, id, { facts: known, settings: withTakenBack(settings, taken_back) }))
  const kept = takenOver.flatMap(([key]) => (key in imported.settings ? [] : key))
  return { ...imported, file_format: format, facts: known, settings, kept }
}

async function askOrPlan(
  read: Read,
  work: StepWork,
  end: (to: ImportState, change: StateChange) => Promise<unknown>,
): Promise<void> {
  const basis = await basisFor(work.db, accountOf(read))
  const rules = await rulesFor(read, basis, work)
  const survey = await surveyOf(read, rules, work)
  const unfit = survey.unfit(read.kept ?? [])
  if (unfit.length > 0) return askOrPlan(await withoutUnfit(read, unfit, work), work, end)
  const refusal = survey.refusal()
  if (refusal !== undefined) throw new ImportEnds(refusal)
  const questions = await questionsOf(survey, work)
  const facts = {
    ...read.facts,
    decided: survey.decided(),
    absent: survey.absent(),
    warnings: survey.warnings(),
  }
  if (questions.some(({ required }) => required))
    return void (await end('question', { facts, questions, planned_scopes: basis.fingerprint }))
  await work.write((tx) => note(tx, read.id, { facts }))
  const answered = { ...rules, settings: allAnswers({ ...read, facts }) }
  const reader = read.kind === 'classes' ? classRowReader(answered) : rowReader(answered)
  const counts = await planImport({ ...read, facts }, basis, reader, work)
  await end('planned', { counts, questions }) // not before: they are seen by whoever sees the plan
}

async function withoutUnfit(read: Read, unfit: readonly string[], work: StepWork): Promise<Read> {
  const { id, kept, ...others } = read
  const settings = Object.fromEntries(Object.entries(read.settings).filter(([key]) => !unfit.includes(key)))
  const facts = { ...read.facts, unfit }
  const taken_back = [...read.taken_back, ...unfit]
  await work.write((tx) => note(tx, id, { facts, settings: withTakenBack(settings, taken_back) }))
  return { ...others, id, facts, settings, taken_back }
}

/** Looks at all rows for what must be asked. */
async function surveyOf({ id }: Read, rules: ReadingRules, work: StepWork): Promise<Survey> {
  const survey = new Survey(rules)
  let done = 0
  for await (const rows of slicesOf(work.db, id)) {
    await inTurns(rows, (row) => survey.add(row))
    done += rows.length
    await work.beat(done)
  }
  return survey
}

/** Lets others go on between the questions. */
async function questionsOf(survey: Survey, work: StepWork): Promise<Question[]> {
  const questions: Question[] = []
  for (const question of survey.questions()) {
    questions.push(question)
    await work.beat(survey.rows)
  }
  return questions
}

async function rulesFor(read: Read, basis: Basis, { db, clock }: StepWork): Promise<ReadingRules> {
  const { kind, mode, facts, settings } = read
  const { header, sheets, numeric, mixed } = facts
  const nextNumber = await commonestNext(db, basis.authority.scopeOf('students.view') ?? [])
  const ofNow = { thisYear: clock().getUTCFullYear(), nextNumber, ...usableSchool(basis) }
  return { kind, mode, header, sheets, numeric, mixed, settings, ...ofNow }
}
