import { kindsWithoutOptions } from '../../fields/kinds.ts'
import type { Fault } from '../../problems.ts'
import { delimiters } from '../../sheets/csv.ts'
import { canBeLabel, faultOfLabel, labelMade } from '../cells/class-labels.ts'
import { dateOrders } from '../cells/dates.ts'
import { isShortYearsAnswer } from '../cells/short-years.ts'
import { mapColumns } from '../columns/column-mapping.ts'
import { acceptedNames, columnsOf, isColumn, keptByServer } from '../columns/columns.ts'
import { hasReasons, headingsOf } from '../columns/headings.ts'
import { isOpenByNow, newFieldsOf, traitsIn, whyNoField } from '../columns/new-fields.ts'
import { behind } from '../columns/prefixes.ts'
import { guardianAnswers, nameForAll } from '../columns/unnamed-guardians.ts'
import type { Answer, FileFacts, ImportRow, Settings } from '../model.ts'
import type { UsableSchool } from '../reading-rules.ts'
import { isSeries, longestNumber, matchable } from './asked-values.ts'

/** What an answer is looked at with. */
export interface Answerable extends Pick<ImportRow, 'kind'> {
  /** Null: the rows are not read, so that neither columns nor sheets are known. */
  readonly file: FileFacts | null
  readonly school: UsableSchool
  /** All answers, with those that are looked at. */
  readonly settings: Settings
}

type Rule = (answer: string, known: Answerable, about: string) => Fault | undefined

/** What holds of all answers to a question. */
interface AnswerKind {
  /** What is wrong with an answer, whatever else is asked: it would be asked again, or refuse every row. */
  readonly faultOf: Rule
  /** Whether the choices are proposals: another answer of the same kind will do. */
  readonly isOpen?: true
  /** What an answer is a number of, though it may come as a text. */
  readonly numberOf?: 'class' | 'year'
  /** Whether an answer is kept for the next file with the same headings. */
  readonly isKept?: (answer: Answer) => boolean
  /** What an answer decides: with another one, more of the file may be seen. */
  readonly decides: 'how the file is read' | 'a column' | 'whose a row is' | 'what clears' | 'new values'
}

const always = () => true

/**
 * The questions, by their keys, or by what stands in front of these. Keys are public API; `docs/import-api.md` lists the
 * same. What the next file may mean otherwise is not kept. What an answer is, `Answer` tells.
 */
const kinds: Readonly<Record<string, AnswerKind>> = {
  encoding: { faultOf: encoding, decides: 'how the file is read' },
  delimiter: { faultOf: oneOf(delimiters), decides: 'how the file is read' },
  name_order: { faultOf: oneOf(['given_first', 'family_first']), isKept: always, decides: 'new values' },
  guardian_name: { faultOf: guardianName, isOpen: true, isKept: always, decides: 'new values' },
  'date_order.': { faultOf: dateOrder, isKept: always, decides: 'a column' },
  'short_years.': {
    ...{ faultOf: shortYears, numberOf: 'year', decides: 'a column' },
    isKept: (answer) => answer !== 'refuse', // these rows may be wanted
  },
  class_id: { faultOf: classOfAll, isOpen: true, numberOf: 'class', decides: 'whose a row is' },
  'class.': {
    ...{ faultOf: classOfLabel, isOpen: true, numberOf: 'class', decides: 'whose a row is' },
    // One that was created is there by then, and rows that were left out may be wanted.
    isKept: (answer) => labelMade('', answer) === undefined && answer !== 'leave_out',
  },
  'column.': { faultOf: column, isOpen: true, isKept: always, decides: 'a column' },
  match: { faultOf: match, isOpen: true, isKept: always, decides: 'whose a row is' },
  admission_number: { faultOf: series, isOpen: true, decides: 'new values' },
  clear: { faultOf: clear, isOpen: true, decides: 'what clears' },
}

export const answerKeys = Object.keys(kinds)

/** What holds of the answers to a question; undefined: there is no such question. */
export function kindOfAnswer(key: string): AnswerKind | undefined {
  const at = key.indexOf('.')
  return kinds[at < 0 ? key : key.slice(0, at + 1)]
}

/** What is wrong with an answer. */
export function faultOfAnswer(key: string, answer: Answer, known: Answerable): Fault | undefined {
  return kindOfAnswer(key)?.faultOf(String(answer), known, key.slice(key.indexOf('.') + 1))
}

function invalid(detail: string): Fault {
  return { code: 'invalid', detail }
}

function oneOf(accepted: readonly string[]): Rule {
  const shown = accepted.map((one) => (one === '\t' ? 'a tab' : one)).join(', ')
  return (answer) =>
    accepted.includes(answer)
      ? undefined
      : { code: 'not_allowed', detail: `must be one of ${shown}`, params: { accepted } }
}

/** Where the dates tell their order, that answer alone holds: it is kept for files whose dates do not. */
function dateOrder(answer: string, known: Answerable, heading: string): Fault | undefined {
  const told = known.file?.decided[`date_order.${heading}`]
  return oneOf(told === undefined ? dateOrders : [String(told)])(answer, known, heading)
}

function encoding(label: string): Fault | undefined {
  return isEncoding(label) ? undefined : invalid('must be the label of an encoding, such as windows-1252')
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'utf-8' || label === 'utf-8'
  } catch {
    return false
  }
}

function guardianName(answer: string): Fault | undefined {
  const name = nameForAll(answer)
  if (typeof name === 'string') return undefined
  return { ...name, detail: `must be ${guardianAnswers.join(', ')}, or a name: it ${name.detail}` }
}

function shortYears(answer: string): Fault | undefined {
  if (isShortYearsAnswer(answer)) return undefined
  return invalid('must be refuse, or the first of the hundred years that are meant, from 1900 to 2000')
}

function series(answer: string): Fault | undefined {
  if (isSeries(answer)) return undefined
  return invalid(
    `must be a text and a start with one * between, such as 2026-*0001; both together have at most ${longestNumber} characters, all visible`,
  )
}

function clear(answer: string): Fault | undefined {
  return answer.trim() === '' ? invalid('must be a text that can be seen, such as -') : undefined
}

function classOfAll(answer: string, { school, file }: Answerable): Fault | undefined {
  if (answer === 'none') return undefined
  if (answer === 'sheet') {
    const isNamed = file?.sheets.some(({ name, header_row }) => name !== null && header_row !== null)
    return isNamed ? undefined : invalid('must not be sheet: the file has no sheets with names')
  }
  const found = school.classes.find(({ id }) => String(id) === answer)
  if (found === undefined) return unknownClass('sheet or none')
  if (!found.archived) return undefined
  const detail = 'must be the id of a class that is not archived; GET /api/classes?archived=false lists them'
  return { code: 'archived_class', detail }
}

function classOfLabel(answer: string, { school }: Answerable, label: string): Fault | undefined {
  if (answer === 'leave_out') return undefined
  const made = labelMade(label, answer)
  if (made !== undefined) {
    if (!school.mayCreateClasses)
      return invalid(
        'must not be create: that needs the permission classes.manage for all classes, and to import into all',
      )
    if (canBeLabel(made)) return undefined
    const fault = faultOfLabel(made) ?? invalid('must have no spaces at its ends, and be composed to NFC')
    return { ...fault, detail: `must not be create: the label ${fault.detail}` }
  }
  return school.classes.some(({ id }) => String(id) === answer)
    ? undefined
    : unknownClass(school.mayCreateClasses && canBeLabel(label) ? 'create or leave_out' : 'or leave_out')
}

/** The same for a class that the caller does not see. */
function unknownClass(others: string): Fault {
  const detail = `must be the id of a class, ${others}; GET /api/classes lists the classes`
  return { code: 'unknown_class', detail }
}

function column(answer: string, known: Answerable, heading: string): Fault | undefined {
  const { kind, school, file } = known
  if (answer === 'leave_out') return undefined
  if (file !== null && hasReasons(file.header) && heading === headingsOf(file.header)[0])
    return invalid('must be leave_out: the first column of a file of refused rows has their reasons')
  const columns = columnsOf(kind, school.fields)
  if (isColumn(columns, answer) && !keptByServer.includes(answer)) return undefined
  const mayBeField = kind === 'students'
  if (/^new_field\b/.test(answer) && mayBeField) {
    if (traitsIn(answer) === undefined) return wrongTraits
    if (isOpenByNow({ ...school, settings: known.settings }, heading))
      return invalid('must not be sensitive: a field with this label is there, and is not')
    const why = whyNoField(school, heading, newFieldsBefore(known, heading))
    return why === undefined ? undefined : invalid(`must not be new_field: ${why}`)
  }
  const others = mayBeField ? 'leave_out, new_field' : 'leave_out'
  return invalid(`must be ${others}, or one of ${acceptedNames(columns)}`)
}

const [lastKind, ...otherKinds] = kindsWithoutOptions.map((kind) => `:${kind}`).toReversed()

const wrongTraits = invalid(
  `must be new_field, or that with one of ${otherKinds.toReversed().join(', ')} and ${lastKind} behind it; :sensitive may come last`,
)

/** How many fields are made of columns that were answered before one. */
function newFieldsBefore({ school, settings }: Answerable, heading: string): number {
  const headings = Object.keys(settings).flatMap((key) => behind('column.', key) ?? [])
  const before = headings.slice(0, headings.indexOf(heading))
  const made = newFieldsOf({ ...school, settings }, before)
  return [...made.values()].filter(({ isThere }) => !isThere).length
}

function match(answer: string, { kind, file, school, settings }: Answerable): Fault | undefined {
  if (file === null) return undefined
  const { mapped } = mapColumns({
    kind,
    header: file.header,
    settings: { ...file.decided, ...settings },
    fields: school.fields,
    mayCreateFields: school.mayCreateFields,
  })
  const accepted = matchable(mapped)
  if (accepted.includes(answer)) return undefined
  const detail = `must be a column of the file that tells students apart: ${accepted.join(', ') || 'it has none'}`
  return { code: 'not_allowed', detail, params: { accepted } }
}
