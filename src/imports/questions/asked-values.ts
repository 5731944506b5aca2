import { createStudent } from '../../students/schema.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { clearMark } from '../cells/row-reader.ts'
import type { ColumnMapping } from '../columns/column-mapping.ts'
import { systemOf } from '../columns/columns.ts'
import { readText, textRule } from '../columns/text-rules.ts'
import type { Choice, Failure, Question } from '../model.ts'
import type { ReadingRules } from '../reading-rules.ts'
import type { UnnamedGuardians } from './asked-guardians.ts'
import type { FileNumbers } from './file-numbers.ts'

/* What is asked where a file lacks a column that students must have, and how its rows are matched. */

/** How many classes are listed where one is asked for. */
const mostClasses = 200

/** What of the file and the rows decides what is asked. */
export interface Asked {
  readonly rules: ReadingRules
  readonly mapping: ColumnMapping
  /** How many rows have no admission number. */
  readonly unnumbered: number
  readonly numbers: FileNumbers
  readonly unnamed: UnnamedGuardians
  /** Names of the file, as examples. */
  readonly names: readonly NameParts[]
}

/** A name of a row that has both parts. */
export interface NameParts {
  readonly given: string
  readonly family: string
}

/** All that is asked so; what is answered well is not. */
export function valueQuestions(asked: Asked): Question[] {
  const guardians = ({ mapping, rules, unnamed }: Asked) => unnamed.question(mapping, rules)
  return [nameOrder, guardians, classOfAll, numbers, match, clear].flatMap(
    (question) => question(asked) ?? [],
  )
}

/** Whether rows can make students. */
const createsStudents = ({ rules: { mode } }: Asked) => mode !== 'update'

const hasColumn = ({ mapping }: Asked, name: string) => mapping.mapped.some(({ column }) => column === name)

type Mapped = ColumnMapping['mapped']

/** The columns of identifiers. */
function identifierColumns(mapped: Mapped): string[] {
  return mapped.flatMap(({ column }) =>
    typeof column === 'string' && systemOf(column) !== undefined ? [column] : [],
  )
}

function nameOrder(asked: Asked): Question | undefined {
  const { settings, nameOrder: ofSchool } = asked.rules
  const isJoined =
    !hasColumn(asked, 'name') && hasColumn(asked, 'given_name') && hasColumn(asked, 'family_name')
  if (!isJoined || !createsStudents(asked)) return undefined
  if (settings.name_order === 'given_first' || settings.name_order === 'family_first') return undefined
  const { names } = asked
  const choices: Choice[] = [
    {
      ...{ answer: 'given_first', text: 'The given name, then the family name', about: 'name' },
      samples: names.map(({ given, family }) => `${given} ${family}`),
    },
    {
      ...{ answer: 'family_first', text: 'The family name, then the given name', about: 'name' },
      samples: names.map(({ given, family }) => `${family} ${given}`),
    },
  ]
  return {
    key: 'name_order',
    text: 'The full name of a new student is joined from the given and the family name. Which comes first?',
    required: true,
    choices: ofSchool === 'given_first' ? choices : choices.toReversed(),
  }
}

function classOfAll(asked: Asked): Question | undefined {
  const { classes, sheets, settings, mode } = asked.rules
  if (hasColumn(asked, 'class') || hasColumn(asked, 'class_id') || !createsStudents(asked)) return undefined
  const answer = settings.class_id
  const isClass = classes.some(({ id, archived }) => String(id) === String(answer) && !archived)
  if (isClass || answer === 'sheet' || answer === 'none') return undefined
  const open = classes.filter(({ archived, usable }) => usable && !archived)
  const named = sheets.filter(({ name, header_row }) => name !== null && header_row !== null)
  const labels = new Set(open.map(({ label }) => uniqueKey(label)))
  const areClasses = named.length > 1 || named.some(({ name }) => labels.has(uniqueKey(name!)))
  const bySheet: Choice = {
    answer: 'sheet',
    text: `The name of each sheet is the class: ${named
      .map(({ name }) => name)
      .slice(0, 5)
      .join(', ')}`,
  }
  const none: Choice = {
    answer: 'none',
    text: 'None: students who are there stay in their classes, and rows of new ones are refused',
  }
  const stays = mayMove(asked) && mode !== 'mirror' // whose classes are not told, nobody is missing in them
  return {
    key: 'class_id',
    text: 'The file has no column for the class. Which class are the students in?',
    required: true,
    choices: [
      ...(areClasses ? [bySheet] : []),
      ...(stays ? [none] : []),
      ...open.slice(0, mostClasses).map(({ id, label }): Choice => ({ answer: id, text: label })),
      ...(named.length === 1 && !areClasses ? [bySheet] : []),
      ...(stays ? [] : [none]),
    ],
  }
}

/** Whether rows may match students who are there: one class for all would move these into it. */
function mayMove({ rules: { mode, seesStudents }, mapping }: Asked): boolean {
  return mode !== 'create' && seesStudents && matchable(mapping.mapped).length > 0
}

const numberRule = textRule(createStudent.body.properties.admission_number)

/** How many characters an admission number has at the most. */
export const longestNumber = numberRule.maxLength

/** Whether an answer is a prefix and a start: `2026-*0001`. */
export function isSeries(answer: unknown): boolean {
  if (typeof answer !== 'string' || !/^[^*]*\*\d{1,15}$/.test(answer)) return false
  const first = answer.replace('*', '')
  return readText(numberRule, first) === first
}

function numbers(asked: Asked): Question | undefined {
  const { settings } = asked.rules
  const isThere = hasColumn(asked, 'admission_number')
  if (!createsStudents(asked) || (isThere && asked.unnumbered === 0)) return undefined
  if (isSeries(settings.admission_number)) return undefined
  const series = asked.numbers.series
  const rows = asked.unnumbered
  const lacking = rows === 1 ? 'One row has no admission number' : `${rows} rows have no admission number`
  const who = isThere ? lacking : 'The file has no column for the admission number'
  const isRequired = !isThere && identifierColumns(asked.mapping.mapped).length === 0
  const otherwise = isRequired ? '' : ' Without an answer, rows of new students without one are refused.'
  return {
    key: 'admission_number',
    text: `${who}. New students can get numbers that begin with a text and count from a start. Write a * between both, as in 2026-*0001.${otherwise}`,
    required: isRequired,
    rows,
    choices: [{ answer: series, text: `Count on from ${series.replace('*', '')}` }],
  }
}

/** The columns by which rows can be matched. */
export function matchable(mapped: Mapped): string[] {
  const isNumbered = mapped.some(({ column }) => column === 'admission_number')
  return [...(isNumbered ? ['admission_number'] : []), ...identifierColumns(mapped)]
}

function match(asked: Asked): Question | undefined {
  const { settings, mode } = asked.rules
  const columns = matchable(asked.mapping.mapped)
  const isOffered = columns.some((name) => name !== 'admission_number')
  if (!isOffered || columns.includes(String(settings.match))) return undefined
  const hasNumbers = columns.includes('admission_number')
  return {
    key: 'match',
    text: hasNumbers
      ? 'By what are rows matched with students who are there already? Without an answer, by the admission number.'
      : 'The file has no column for the admission number. By what are rows matched with students who are there already?',
    required: mode !== 'create' && !hasNumbers,
    choices: columns.map((name): Choice => {
      const system = systemOf(name)
      return {
        answer: name,
        text: system === undefined ? 'The admission number' : `The identifier of the system "${system}"`,
      }
    }),
  }
}

function clear({ rules }: Asked): Question | undefined {
  if (rules.mode === 'create' || clearMark(rules) !== undefined) return undefined
  return {
    key: 'clear',
    text: 'An empty cell leaves the value as it is. Is there a text, such as -, by which a cell takes its value away?',
    required: false,
    choices: [],
  }
}

/** Why a file can't be imported, whatever is answered; undefined: it can. */
export function unmatchable(asked: Asked): Failure | undefined {
  if (asked.rules.mode !== 'update' || matchable(asked.mapping.mapped).length > 0) return undefined
  const detail =
    'The import changes students who are there, and the file has no column by which they are found: admission_number, or identifiers.SYSTEM.'
  return { code: 'no_match_column', detail }
}
