import type { RowDecision } from '../imports/continuing/row-decisions.ts'
import {
  type Counts,
  decisions,
  type ImportKind,
  type ImportMode,
  importKinds,
  importModes,
  namesStudent,
  outcomes,
} from '../imports/model.ts'
import { type CommandInput, type CommandOption, UsageError } from './command.ts'

/** The options of `import`. */
export const importOptions = {
  apply: { describe: 'Apply the plan; without it nothing is changed' },
  kind: { value: 'KIND', describe: `What the rows are: ${importKinds.join(' or ')}; without it, students` },
  mode: { value: 'MODE', describe: `What they may do: ${importModes.join(', ')}; without it, upsert` },
  answer: {
    value: 'KEY=ANSWER',
    repeatable: true,
    describe: 'Answer a question, as the plan prints it: encoding=windows-1252',
  },
  row: {
    value: 'ROW=WHAT',
    repeatable: true,
    describe:
      'Say what a doubtful row is: 37=same:7 (student 7), 37=same_keep_name:7 (whose name stays), 37=new, 37=leave_out; with sheets 7a!37=new',
  },
  'skip-doubtful': { describe: 'Leave out the rows that are still doubtful' },
  'skip-refused': { describe: 'Leave out the rows that are refused' },
  refused: { value: 'FILE', describe: 'Write the refused rows into a new file, each with what is wrong' },
  confirm: {
    value: 'COUNTS',
    describe: 'Apply only a plan with these counts: create=12,change=3',
  },
  rows: {
    value: 'NUMBER',
    describe: `How many rows of each outcome are shown, at most 1000; without it, 20`,
  },
} satisfies Record<string, CommandOption>

/** What the options say. */
export interface ImportAsked {
  readonly apply: boolean
  readonly kind: ImportKind
  readonly mode: ImportMode
  /** As they were given: which question is meant is known when it is asked. */
  readonly answers: readonly string[]
  readonly decisions: readonly RowDecision[]
  readonly skips: { readonly doubtful: boolean; readonly refused: boolean }
  /** Where the refused rows go. */
  readonly refusedFile: string | undefined
  readonly confirm: Partial<Counts> | undefined
  readonly shown: number
}

/** What questions are called; see `Settings`. */
const answerForm =
  /^(?:encoding|delimiter|name_order|guardian_name|class_id|admission_number|match|clear|(?:column|date_order|short_years|class)\..+?)=./s

/** @throws UsageError */
export function readOptions({ options, lists, flags }: CommandInput): ImportAsked {
  const answers = lists.answer ?? []
  for (const one of answers)
    if (!answerForm.test(one))
      throw new UsageError(`--answer must be KEY=ANSWER, with the key of a question; ${one} is not.`)
  const shown = Number(options.rows ?? 20)
  if (!/^\d{1,4}$/.test(options.rows ?? '20') || shown > 1_000)
    throw new UsageError('--rows must be a number from 0 to 1000.')
  if (options.refused !== undefined && !/\.(csv|tsv|xlsx)$/i.test(options.refused))
    throw new UsageError(
      `--refused must be a file that ends in .csv, .tsv or .xlsx; ${options.refused} does not.`,
    )
  return {
    apply: flags.has('apply'),
    kind: oneOf(importKinds, 'kind', options.kind ?? 'students'),
    mode: oneOf(importModes, 'mode', options.mode ?? 'upsert'),
    answers,
    decisions: (lists.row ?? []).map(decisionIn),
    skips: { doubtful: flags.has('skip-doubtful'), refused: flags.has('skip-refused') },
    refusedFile: options.refused,
    confirm: options.confirm === undefined ? undefined : countsIn(options.confirm),
    shown,
  }
}

function oneOf<Name extends string>(names: readonly Name[], option: string, given: string): Name {
  const found = names.find((name) => name === given)
  if (found !== undefined) return found
  throw new UsageError(`--${option} must be one of ${names.join(', ')}.`)
}

function decisionIn(given: string): RowDecision {
  const [, sheet, row, what, id] = /^(?:(.+)!)?([1-9]\d{0,6})=(\w+)(?::([1-9]\d{0,14}))?$/s.exec(given) ?? []
  const decision = decisions.find((one) => one === what)
  if (row === undefined || decision === undefined || namesStudent(decision) !== (id !== undefined))
    throw new UsageError(
      `--row must be such as 37=same:7 (row 37 is student 7), 37=same_keep_name:7 (and the name stays), 37=new or 37=leave_out; ${given} is not.`,
    )
  return { row: Number(row), decision, ...(sheet && { sheet }), ...(id && { id: Number(id) }) }
}

const counted: readonly (keyof Counts)[] = [...outcomes, 'rows', 'missing']

function countsIn(given: string): Partial<Counts> {
  const counts: Partial<Record<keyof Counts, number>> = {}
  for (const one of given.split(',')) {
    const [, name, count] = /^\s*(\w+)=(\d{1,9})\s*$/.exec(one) ?? []
    const outcome = counted.find((known) => known === name)
    if (outcome === undefined)
      throw new UsageError(
        `--confirm must be such as create=12,change=3; the names are ${counted.join(', ')}.`,
      )
    counts[outcome] = Number(count)
  }
  return counts
}
