import { type RawBuilder, sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { includesScope, isInScope, type Scope } from '../../access/scope.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { findFields } from '../../fields/queries.ts'
import { isSensitive, openFieldsOf } from '../cells/flat-student.ts'
import { recordWarnings } from '../codes.ts'
import { allAnswers } from '../columns/file-columns.ts'
import { type NewField, newFieldsOf } from '../columns/new-fields.ts'
import type {
  Answer,
  AnswersKnown,
  Counts,
  FileFacts,
  ImportRow,
  Outcome,
  Question,
  Settings,
} from '../model.ts'
import { scopesOfPlan } from '../planning/basis.ts'
import { countMissing, tellsMissing } from '../planning/missing.ts'
import { countsOf, isDecided } from '../planning/plan-rows.ts'
import { findAnswers, type ListedRow } from '../queries.ts'
import { kindOfAnswer } from '../questions/answer-rules.ts'
import { ofClassesIn, recordOfRow } from './row-conditions.ts'

/*
 * A plan is made by what one account may do, and tells of the records that it sees. Whoever sees less, by now, is shown
 * less: a row that tells of what they do not see is refused, as in a plan of their own.
 */

type Planned = Pick<ImportRow, 'kind' | 'planned_scopes' | 'change_set_id'>

/*
 * Permissions that someone must hold for as many classes as the plan's account did. The first list is for its rows, the
 * second for rows whose sensitive cells were compared, the third for the classes that can be chosen.
 */
const forRows = ['students.view'] as const
const forSensitive = ['students.view', 'students.sensitive'] as const
const forChoices = ['students.view', 'students.create', 'students.update'] as const

/** Whether someone holds these for all classes for which the plan's account did. */
function covers(
  authority: Authority,
  { kind, planned_scopes }: Planned,
  permissions: readonly (typeof forChoices | typeof forSensitive)[number][],
): boolean {
  if (kind === 'classes' || planned_scopes === null) return true
  const scopes = scopesOfPlan(planned_scopes)
  return permissions.every((one) => {
    const scope = scopes[one]
    return scope === undefined || includesScope(authority.scopeOf(one), scope)
  })
}

/**
 * What tells views of an import apart that differ by what their readers may do; '': its reader sees all. Of how many
 * rows an undo left something tells of edits of children, who may be in any class by then.
 */
export function viewOf(imported: Planned & Pick<ImportRow, 'counts'>, authority: Authority): string {
  const decisive = [...forChoices, 'students.sensitive'] as const
  const tellsEdits = imported.kind === 'students' && imported.counts?.kept_change !== undefined
  const seesEdits = !tellsEdits || authority.scopeOf('students.view') === 'all'
  if (seesEdits && covers(authority, imported, decisive)) return ''
  return decisive.map((one) => listOf(authority.scopeOf(one))).join('/')
}

function listOf(scope: Scope | undefined): string {
  return scope === undefined ? '' : scope === 'all' ? '*' : scope.join(',')
}

/** How the rows of a plan are shown to someone. */
export interface ShownPlan {
  /** The outcome of a row as they are shown it, in SQL; what they may not know is `refused`. */
  readonly outcome: RawBuilder<Outcome>
  /** The rows of which they are told more than that. */
  readonly isTold: RawBuilder<boolean>
  /** Whether they see all that the plan's account saw. */
  readonly isWhole: boolean
}

/**
 * Whoever sees less than the plan's account is shown the rows that match a record which they see, by what names it in
 * the file. All else is refused to them: that a row is new, doubtful or decided tells that no other child is like it, or
 * that one is. Where a plan compares sensitive cells, its rows tell what stands in them. A record that is made is there
 * to be seen.
 */
export async function planFor(
  db: Db,
  imported: Planned & AnswersKnown,
  authority: Authority,
): Promise<ShownPlan> {
  if (imported.kind === 'classes') return { outcome: sql`outcome`, isTold: sql`true`, isWhole: true }
  const isSeen = ofClassesIn(db, authority.scopeOf('students.view'))
  const whole: ShownPlan = { outcome: sql`outcome`, isTold: isSeen, isWhole: true }
  if (covers(authority, imported, forSensitive)) return whole
  const comparesSensitive = await mapsSensitive(db, imported)
  if (!comparesSensitive && covers(authority, imported, forRows)) return whole
  const isCompared = comparesSensitive
    ? ofClassesIn(db, authority.scopeOf('students.sensitive'))
    : sql<boolean>`true`
  // Who has moved into sight had the old values where they may be out of it.
  const hasMoved =
    imported.change_set_id === null
      ? sql<boolean>`false`
      : sql<boolean>`(coalesce(import_plan.changes, '') like '%"class_id":[%')`
  const outcome = sql<Outcome>`case
    when outcome = 'left_out' and not ${isDecided} then outcome
    when outcome in ('change', 'unchanged') and ${isSeen} and ${isCompared} and not ${isDecided} and not ${hasMoved} then outcome
    when outcome = 'create' and ${recordOfRow} is not null and ${isSeen} then outcome
    else 'refused' end`
  const isRefusalTold = sql<boolean>`(${isSeen} and ${isCompared} and not ${isDecided} and not ${mayBeKnown})`
  const isTold = sql<boolean>`(${outcome} = outcome and (outcome <> 'refused' or ${isRefusalTold}))`
  return { outcome, isTold, isWhole: false }
}

/** Refused rows of nobody, which would be doubtful if a child were like them: that they are not tells that none is. */
const mayBeKnown = sql<boolean>`(coalesce(import_plan.cells, '') like '%"code":"unknown_student"%')`

/** What says of a planned import what its columns hold: what is not answered, the file told. */
async function mapsSensitive(db: Db, known: AnswersKnown): Promise<boolean> {
  if (known.facts === null) return true // it may
  const fields = await findFields(db)
  const answers = allAnswers(known)
  const answered = Object.entries(answers).filter(([key]) => key.startsWith(columnPrefix))
  const headings = answered.map(([key]) => key.slice(columnPrefix.length))
  const made = newFieldsOf({ settings: answers, fields, mayCreateFields: true }, headings)
  // A column whose field is gone is of none any more; it was compared all the same.
  const columns = [...answered.map(([, answer]) => String(answer)), ...[...made.values()].map(columnOf)]
  const open = openFieldsOf(fields)
  return columns.some((column) => isSensitive(column, open))
}

const columnPrefix = 'column.'
const columnOf = ({ key }: Pick<NewField, 'key'>) => `fields.${key}`

/** The same as a list shows it, of which no more is read than that takes. */
export async function narrowedInList(db: Db, listed: ListedRow, authority: Authority): Promise<ListedRow> {
  if (viewOf(listed, authority) === '') return listed
  return { ...listed, ...(await toldOf(db, { ...listed, ...(await findAnswers(db, listed.id)) }, authority)) }
}

/** What tells someone in numbers of what they do not see. */
async function toldOf(db: Db, imported: ListedRow & AnswersKnown, authority: Authority) {
  const plan = await planFor(db, imported, authority)
  return plan.isWhole
    ? { ...noProgress, counts: withoutKept(imported.counts) }
    : { ...noProgress, ...noChangeSets, counts: await countsFor(db, imported, authority, plan) }
}

/** An import as someone is shown it: its counts and the choices of its questions tell of nothing else. */
export async function narrowed(db: Db, imported: ImportRow, authority: Authority): Promise<ImportRow> {
  if (viewOf(imported, authority) === '') return imported
  const { facts, questions, settings } = imported
  const shown: ImportRow = {
    ...imported,
    ...(await toldOf(db, imported, authority)),
    facts: facts && { ...facts, warnings: warningsFor(imported, facts, authority) },
  }
  if (covers(authority, imported, forChoices)) return shown
  return {
    ...shown,
    settings: narrowedAnswers(settings, authority),
    questions: questions.map((question) => narrowedQuestion(question, authority)),
  }
}

function withoutKept(counts: Counts | null): Counts | null {
  if (counts === null) return null
  const { kept_create: _, kept_change: __, ...planned } = counts
  return planned
}

/** How far an import is, and whether it has changed anything, tells how many of its rows do. */
const noProgress = { done: 0, total: null } as const
const noChangeSets = { change_set_id: null, undo_set_id: null } as const

function warningsFor(imported: ImportRow, { warnings }: FileFacts, authority: Authority) {
  if (covers(authority, imported, forSensitive)) return warnings
  return warnings.filter(({ code }) => !(recordWarnings as readonly string[]).includes(code))
}

/** Null: the rows are erased, so that nobody can tell them apart any more. */
async function countsFor(
  db: Db,
  imported: ListedRow,
  authority: Authority,
  { outcome }: ShownPlan,
): Promise<Counts | null> {
  const { id, counts: counted, emptied_at } = imported
  if (counted === null || emptied_at !== null) return null
  const query = sql<{ outcome: Outcome; count: number }>`
    select outcome, count(*) as count
    from (select ${outcome} as outcome from import_plan where import_id = ${id} and place >= 0) as seen
    group by outcome`
  const found = await rowsBeside(db, query)
  const some = { imported, authority, isWhole: false }
  const missing = tellsMissing(imported) ? await countMissing(db, some) : 0
  return countsOf(found, missing)
}

/** Without the classes that its reader does not see, any cell of the file, and the number that follows those that they do not. */
function narrowedQuestion({ samples: _, ...question }: Question, authority: Authority): Question {
  const { key, choices } = question
  if (key === 'admission_number') return { ...question, choices: [] }
  const shown = choices.filter(({ answer }) => isShown(key, answer, authority))
  return { ...question, choices: shown.map(({ answer, text }) => ({ answer, text })) }
}

/** Without the classes that its reader does not see. */
function narrowedAnswers(answers: Settings, authority: Authority): Settings {
  return Object.fromEntries(Object.entries(answers).filter(([key, one]) => isShown(key, one, authority)))
}

function isShown(key: string, answer: Answer, authority: Authority): boolean {
  if (typeof answer !== 'number' || kindOfAnswer(key)?.numberOf !== 'class') return true
  return forChoices.some((one) => isInScope(authority.scopeOf(one), answer))
}
