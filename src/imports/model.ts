import type { Instant } from '../db/tables.ts'
import type { Kind } from '../fields/kinds.ts'
import type { Static } from '../http/json-schema.ts'
import type { RefusalParams } from '../sheets/refusal.ts'
import type { CellCode, failureCodes, RowEndReason } from './codes.ts'
import type { NewField } from './columns/new-fields.ts'
import type { File } from './file-messages.ts'
import type { PlannedRow } from './row-messages.ts'

/* What an import is made of. Its steps, and the API, speak of it in these words. */

export const importKinds = ['students', 'classes'] as const
export type ImportKind = (typeof importKinds)[number]

/**
 * What rows may do. `create`: a row that matches a record is refused. `update`: one that matches none is. `upsert`:
 * both are fine. `mirror`: the same, and the students of the named classes who are not in the file are listed.
 */
export const importModes = ['create', 'update', 'upsert', 'mirror'] as const
export type ImportMode = (typeof importModes)[number]

export const importStates = [
  'reading',
  'question',
  'planned',
  'applying',
  'applied',
  'undoing',
  'undone',
  'refused',
  'cancelled',
  'failed',
] as const
export type ImportState = (typeof importStates)[number]

export const outcomes = ['create', 'change', 'unchanged', 'doubtful', 'refused', 'left_out'] as const
export type Outcome = (typeof outcomes)[number]

/** The outcomes of rows that come back as a file, to be corrected or looked at. */
export const returnedOutcomes = ['refused', 'left_out'] as const satisfies readonly Outcome[]
export type ReturnedOutcome = (typeof returnedOutcomes)[number]

/** How many rows have each outcome: they add up to `rows`. `missing` is for mirror, and besides. */
export type Counts = Readonly<Record<Outcome | 'rows' | 'missing', number>> & Partial<KeptCounts>

/** After an undo, also of an import that failed: of how many rows that created, or changed, something stayed as it is. */
export type KeptCounts = Readonly<Record<'kept_create' | 'kept_change', number>>

/** Why an import ends, with a sentence for people. */
export interface Failure {
  readonly code: (typeof failureCodes)[number]
  readonly detail: string
  readonly params?: RefusalParams & { readonly reason?: RowEndReason }
}

/** The states in which a step is at work on an import; the one that runs it holds its lease. */
export const stepStates = ['reading', 'applying', 'undoing'] as const satisfies readonly ImportState[]
export type StepState = (typeof stepStates)[number]

export function isAtWork(state: ImportState): state is StepState {
  return (stepStates as readonly ImportState[]).includes(state)
}

/** The states of an import that waits for somebody, or that a step is at work on. */
export const unfinishedStates = [
  ...stepStates,
  'question',
  'planned',
] as const satisfies readonly ImportState[]

/** Answers by the keys of questions: see `Answer`. */
export type Settings = Readonly<Record<string, Answer>>

/**
 * An answer, by the key of its question:
 * - `encoding`: a label of the WHATWG Encoding Standard, such as `windows-1252`.
 * - `delimiter`: `,` `;` `\t` `|`.
 * - `column.HEADING`: the name of a column (see `columns.ts`), `leave_out`, or such as `new_field:date:sensitive`.
 * - `date_order.HEADING`: `day_first` or `month_first`.
 * - `short_years.HEADING`: the first of the hundred years in which years of two digits are, such as 1927, or `refuse`.
 * - `name_order`: `given_first` or `family_first`, where `name` is joined.
 * - `guardian_name`: what a new guardian is called whose name a row lacks: `relation` (as the heading says: `Mother`),
 *   `leave_out` (nobody is made), or a name for all of them.
 * - `class_id`: one class for all rows, by id; `sheet`: each sheet's name is a label; or `none`.
 * - `class.LABEL`: the id of the class that is meant, `create`, such as `create:7a`, or `leave_out` (the rows).
 * - `admission_number`: `PREFIX*START`, such as `2026-*0001`: numbers of that width, from there on.
 * - `match`: `admission_number`, or `identifiers.SYSTEM`.
 * - `clear`: the text of a cell that clears a value, such as `-`.
 */
export type Answer = string | number

/** Something that only a person can decide. */
export interface Question {
  readonly key: string
  /** A sentence. */
  readonly text: string
  /** What can be answered; none: anything that the key takes. The proposed one stands first. */
  readonly choices: readonly Choice[]
  /** Whether there is no plan without an answer. (Those that are not required are offered, as `match`.) */
  readonly required: boolean
  /** How many rows of the file it is about, where they are counted. */
  readonly rows?: number
  /** Of a class: how the file calls some of the children whose rows name it. */
  readonly samples?: readonly string[]
}

/** How many cells, or names, are shown with a question. */
export const mostSamples = 5

export interface Choice {
  readonly answer: Answer
  readonly text: string
  /** What would stand in real cells. They are shown by the reader's permissions; see `about`. */
  readonly samples?: readonly string[]
  /** Of `new_field`: which kinds of field all cells of the column can be, the proposed one first. */
  readonly kinds?: readonly Kind[]
  /** The column of the samples: a name of `columns.ts`; none: not known, so they may be anything. */
  readonly about?: string
  /** Of a class that is proposed for another label. */
  readonly likeness?: Likeness
}

/**
 * How alike two labels of classes are. `spelling`: the same but for case, spaces, dots, hyphens, zeros in front,
 * ordinals and a word for class. `near`: they differ in more, and may mean two classes.
 */
export const likenesses = ['spelling', 'near'] as const
export type Likeness = (typeof likenesses)[number]

/** What the sentence on a cell depends on, so that a client can translate it. */
export type CellParams = Readonly<NonNullable<Static<typeof PlannedRow>['cells'][number]['params']>>

/** What the plan says of one cell of a row. */
export interface PlannedCell {
  /** A name of `columns.ts`. */
  readonly column: string
  /** What stands in the record, and what would: texts, as an export writes them; null: nothing. */
  readonly from?: string | null
  readonly to?: string | null
  /** Why the row is refused, left out or doubtful, and a sentence without its subject. */
  readonly code?: CellCode
  readonly detail?: string
  /** What the sentence depends on. */
  readonly params?: CellParams
  /** Of a doubtful row: students who may be this child. Of one whose value is taken: who has it. */
  readonly ids?: readonly number[]
  /** The same: places of other rows that may be of this child. They are not shown. */
  readonly places?: readonly number[]
  /** Of a refused row that matches nobody: students who may be this child. They are not shown, and not missing. */
  readonly mayBe?: readonly number[]
}

/**
 * What a person decides on a doubtful row. `same`: it is this student; `same_keep_name`: the same, and the name stays as
 * the record has it; `new`: another child.
 */
export const decisions = ['same', 'same_keep_name', 'new', 'leave_out'] as const
export type Decision = (typeof decisions)[number]

/** Whether it says which student a row is. */
export function namesStudent(decision: Decision | null | undefined): boolean {
  return decision === 'same' || decision === 'same_keep_name'
}

/** A sheet of a file, in the order in which `placeOf` counts them; a text file has one, without a name. */
export type FileSheet = Static<typeof File>['sheets'][number]

/** What is known of a file once its rows are read. */
export interface FileFacts {
  /** Of a text file. */
  readonly encoding: string | null
  readonly delimiter: string | null
  /** The headings, as they stand. */
  readonly header: readonly string[]
  readonly sheets: readonly FileSheet[]
  /** Places of columns in which a spreadsheet holds numbers, from 0; `mixed`: and texts too. */
  readonly numeric: readonly number[]
  readonly mixed: readonly number[]
  /** The mapping whose answers were taken over. */
  readonly mapping: { readonly id: number; readonly name: string } | null
  /** What the file told by itself, by the keys of questions; see `Survey.decided`. */
  readonly decided: Settings
  /** Answers that were kept for classes which this file does not name. */
  readonly absent?: readonly string[]
  /** Keys of answers that were kept, and may be wrong here: they are asked again, and not kept from this file. */
  readonly unfit?: readonly string[]
  /** What people ought to know of it. */
  readonly warnings: readonly { readonly code: string; readonly detail: string; readonly params?: object }[]
}

/** What an import makes before its rows, as a plan found it. */
export interface Makes {
  /** Fields of the school's own, of columns of the file. */
  readonly fields: readonly NewField[]
  /** The id of the newest student whom the plan knows. */
  readonly newest?: number
}

/** An import as the table has it, with what is JSON there parsed. */
export interface ImportRow {
  readonly id: number
  readonly version: number
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly kind: ImportKind
  readonly mode: ImportMode
  readonly state: ImportState
  readonly user_id: number | null
  readonly command: string | null
  readonly address: string | null
  readonly request_id: string | null
  readonly file_name: string | null
  readonly file_format: 'csv' | 'xlsx' | null
  readonly file_bytes: number
  readonly facts: FileFacts | null
  readonly settings: Settings
  /** Keys of answers that a person took back: kept answers do not bring them again. */
  readonly taken_back: readonly string[]
  readonly questions: readonly Question[]
  readonly counts: Counts | null
  readonly done: number
  readonly total: number | null
  /** What applying makes before the rows, as the last plan found it. */
  readonly makes: Makes | null
  readonly failure: (Omit<Failure, 'code'> & { readonly code: string }) | null
  readonly planned_for: number | null
  readonly planned_scopes: string | null
  readonly change_set_id: number | null
  readonly undo_set_id: number | null
  /** How far it is applied, and undone: see the table. */
  readonly applied_to: number | null
  readonly undone_from: number | null
  readonly emptied_at: Instant | null
}

/** What was answered to a file, and what it told by itself. */
export interface AnswersKnown {
  readonly settings: Settings
  readonly facts: Pick<FileFacts, 'decided'> | null
}
