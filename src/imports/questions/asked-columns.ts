import { guardianParts } from '../../exports/headings.ts'
import type { Kind } from '../../fields/kinds.ts'
import { mostGuardians } from '../../students/list-members.ts'
import type { ColumnMapping, MappedColumn } from '../columns/column-mapping.ts'
import { inWords, isColumn, isJoined, keptByServer } from '../columns/columns.ts'
import { guardianColumn, guardianOf } from '../columns/guardian-columns.ts'
import { areNameParts } from '../columns/name-parts.ts'
import { canBeField } from '../columns/new-fields.ts'
import type { Choice, Question } from '../model.ts'
import type { ColumnRules } from '../reading-rules.ts'
import { begin } from '../row-places.ts'

/** What the rows have in a column. */
export interface ColumnUse {
  /** How many rows have a value in it. */
  readonly rows: number
  /** Some of the values. */
  readonly samples: readonly string[]
  /** Which kinds of field all of them can be, the proposed one first; absent: nobody looked. */
  readonly kinds?: readonly Kind[] | undefined
  /** Whether they count the rows. */
  readonly countsRows?: boolean | undefined
  /** Whether it is half of the class, or else tells of it what another column tells; absent: nothing else may be the class. */
  readonly isHalfOfClass?: boolean | undefined
}

/** Asks what a column holds. */
export function columnQuestion(
  one: MappedColumn,
  use: ColumnUse,
  mapping: ColumnMapping,
  rules: ColumnRules,
): Question {
  const samples = { samples: use.samples }
  const choices = choicesFor(one, use, mapping, rules)
  return {
    key: `column.${one.heading}`,
    text: textFor(one, use, mapping, rules),
    required: true,
    choices: choices.map((choice, i) => (i === 0 ? { ...choice, ...samples } : choice)),
  }
}

function textFor(
  { heading, why, candidates, at }: MappedColumn,
  { rows }: ColumnUse,
  { columns }: ColumnMapping,
  { header }: ColumnRules,
): string {
  if (why === 'twice')
    return `More than one column would be ${inWords(columns, candidates[0]!)}. Which is the column "${heading}"? Leave the others out, or join them in the spreadsheet.`
  if (why === 'unsure')
    return `Does the column "${heading}" hold ${candidates.map((name) => inWords(columns, name)).join(' or ')}?`
  if (why === 'open')
    return `The column "${heading}" was to be a sensitive field. A field with this label is there by now, and is not sensitive. What does the column hold?`
  if ((header[at] ?? '').trim() !== '') return `The column "${heading}" is not known. What does it hold?`
  const inRows = rows === 1 ? 'one row has' : `${rows} rows have`
  return `The ${heading.slice(1, -1)} has no heading, and ${inRows} a value in it. What does it hold?`
}

/** The likeliest first; nothing is proposed that another column is already. */
function choicesFor(
  { heading, why, candidates, at }: MappedColumn,
  { kinds, countsRows, isHalfOfClass }: ColumnUse,
  { columns, mapped, newFields }: ColumnMapping,
  rules: ColumnRules,
): Choice[] {
  const taken = new Set(mapped.map(({ column }) => column))
  const isOpen = (name: string) => !taken.has(name) || isJoined(name)
  const isFree = (name: string) => why === 'twice' || isOpen(name)
  // Of columns that mean the same, the first is proposed to be it.
  const isLater = mapped.some(
    (other) => other.at < at && other.why === 'twice' && other.candidates[0] === candidates[0],
  )
  const isRowNumber = countsRows && candidates[0] === 'admission_number'
  const isNoHalf = isHalfOfClass === false && candidates[0] === 'class'
  const proposed = (why === 'twice' && isLater) || isRowNumber || isNoHalf ? [] : candidates
  const likely = proposed.filter((name) => isColumn(columns, name) && isFree(name))
  const others = [...columns.fields.map(({ key }) => `fields.${key}`), ...columns.plain]
  const isPart = (name: string) =>
    areNameParts([...mapped.filter((one) => one.column === name), { at, column: name }], rules.header)
  const possible = others.filter((name) => (isOpen(name) || isPart(name)) && !keptByServer.includes(name))
  const guardians = columns.kind === 'students' ? freeGuardianColumns(taken, isOpen) : []
  const identifiers = isColumn(columns, `identifiers.${heading}`) ? [`identifiers.${heading}`] : []
  const named = (names: readonly string[]) =>
    names.map((name): Choice => ({ answer: name, text: begin(inWords(columns, name)) }))
  const text = `A new field of the school's own, "${heading}"`
  const newField: Choice = { answer: 'new_field', text, ...(kinds && { kinds }) }
  return [
    ...named(likely),
    { answer: 'leave_out', text: 'Nothing: leave the column out' },
    ...(columns.kind === 'students' && canBeField(rules, heading, newFields.length) ? [newField] : []),
    ...named([...possible, ...identifiers, ...guardians].filter((name) => !likely.includes(name))),
  ]
}

/** The parts of the guardians whom the file has, and of one more. */
function freeGuardianColumns(
  taken: ReadonlySet<string | null | undefined>,
  isOpen: (name: string) => boolean,
): string[] {
  const numbers = [...taken].map((name) => guardianOf(name ?? '')?.number ?? 0)
  const last = Math.min(mostGuardians, Math.max(0, ...numbers) + 1)
  return Array.from({ length: last }, (_, i) => guardianParts.map((part) => guardianColumn(i + 1, part)))
    .flat()
    .filter(isOpen)
}
