import { type RawBuilder, sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { includesScope, isInScope, type Scope } from '../../access/scope.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import {
  type Counts,
  type FileFacts,
  type ImportRow,
  type Outcome,
  outcomes,
  type Question,
} from '../model.ts'
import { scopesOfPlan } from '../planning/basis.ts'
import { countMissing } from '../planning/missing.ts'
import type { Warning } from '../questions/warnings.ts'
import { ofClassesIn } from './row-conditions.ts'

/*
 * A plan is made by what one account may do, and tells of the records that it sees. Whoever sees less, by now, is shown
 * less: a row that tells of what they do not see is refused, as in a plan of their own.
 */

type Planned = Pick<ImportRow, 'kind' | 'planned_scopes'>

/** What decides which rows someone sees, and which classes they may choose. */
const ofRows = ['students.view'] as const
const ofChoices = ['students.view', 'students.create', 'students.update'] as const
/** What decides which warnings someone sees that tell of records: they may be of sensitive cells. */
const ofWarnings = ['students.view', 'students.sensitive'] as const
const ofRecords: readonly string[] = ['zeros_lost', 'names_not_compared'] satisfies Warning['code'][]

/** Whether someone sees all records that the plan's account saw. */
function seesPlan(authority: Authority, planned: Planned): boolean {
  return covers(authority, planned, ofRows)
}

function covers(
  authority: Authority,
  { kind, planned_scopes }: Planned,
  permissions: readonly (typeof ofChoices | typeof ofWarnings)[number][],
): boolean {
  if (kind === 'classes' || planned_scopes === null) return true
  const scopes = scopesOfPlan(planned_scopes)
  return permissions.every((one) => {
    const scope = scopes[one]
    return scope === undefined || includesScope(authority.scopeOf(one), scope)
  })
}

/** What tells views of an import apart that differ by what their readers may do; '': its reader sees all. */
export function viewOf(imported: ImportRow, authority: Authority): string {
  const decisive = [...ofChoices, 'students.sensitive'] as const
  if (covers(authority, imported, decisive)) return ''
  return decisive.map((one) => listOf(authority.scopeOf(one))).join('/')
}

function listOf(scope: Scope | undefined): string {
  return scope === undefined ? '' : scope === 'all' ? '*' : scope.join(',')
}

/**
 * The outcome of a row of a plan as someone is shown it, in SQL. A decision tells that a row was doubtful: it is
 * refused to them, as the doubtful row is.
 */
export function outcomeFor(db: Db, imported: ImportRow, authority: Authority): RawBuilder<Outcome> {
  if (seesPlan(authority, imported)) return sql`outcome`
  const isSeen = ofClassesIn(db, authority.scopeOf('students.view'))
  return sql`case when outcome = 'left_out' then outcome
    when outcome <> 'doubtful' and ${isSeen} and not exists (select 1 from import_decisions as settled
      where settled.import_id = import_plan.import_id and settled.place = import_plan.place) then outcome
    else 'refused' end`
}

/** An import as someone is shown it: its counts and the choices of its questions tell of nothing else. */
export async function narrowed(db: Db, imported: ImportRow, authority: Authority): Promise<ImportRow> {
  if (viewOf(imported, authority) === '') return imported
  const { counts, facts, questions } = imported
  return {
    ...imported,
    facts: facts && { ...facts, warnings: warningsFor(imported, facts, authority) },
    counts:
      counts === null || seesPlan(authority, imported) ? counts : await countsFor(db, imported, authority),
    questions: covers(authority, imported, ofChoices)
      ? questions
      : questions.map((question) => narrowedQuestion(question, authority)),
  }
}

function warningsFor(imported: ImportRow, { warnings }: FileFacts, authority: Authority) {
  if (covers(authority, imported, ofWarnings)) return warnings
  return warnings.filter(({ code }) => !ofRecords.includes(code))
}

/** Null: the rows are erased, so that nobody can tell them apart any more. */
async function countsFor(db: Db, imported: ImportRow, authority: Authority): Promise<Counts | null> {
  const { id, mode, kind, emptied_at } = imported
  if (emptied_at !== null) return null
  const outcome = outcomeFor(db, imported, authority)
  const query = sql<{ outcome: Outcome; count: number }>`
    select outcome, count(*) as count
    from (select ${outcome} as outcome from import_plan where import_id = ${id} and place >= 0) as seen
    group by outcome`
  const found = await rowsBeside(db, query.compile(db), ['outcome', 'count'])
  const counts = Object.fromEntries(outcomes.map((one) => [one, 0])) as Record<Outcome, number>
  for (const { outcome, count } of found) counts[outcome] = Number(count)
  const rows = Object.values(counts).reduce((sum, one) => sum + one, 0)
  const missing = mode === 'mirror' && kind === 'students' ? await countMissing(db, id, authority) : 0
  return { rows, ...counts, missing }
}

/** Without the classes that its reader does not see, and the number that follows those that they do not. */
function narrowedQuestion(question: Question, authority: Authority): Question {
  const { key, choices } = question
  if (key === 'admission_number') return { ...question, choices: [] }
  if (!/^class(?:\.|_id$)/.test(key)) return question
  const scopes = ofChoices.map((one) => authority.scopeOf(one))
  const isShown = ({ answer }: (typeof choices)[number]) =>
    typeof answer !== 'number' || scopes.some((scope) => isInScope(scope, answer))
  return { ...question, choices: choices.filter(isShown) }
}
