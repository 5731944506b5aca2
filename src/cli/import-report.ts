import type { Counts, ImportRow, Question } from '../imports/model.ts'
import type { ShownCell, ShownRow } from '../imports/showing/shown-rows.ts'
import type { StudentRow } from '../students/record.ts'
import { shown } from '../text/normalise.ts'
import { columns } from './usage.ts'

/** How many choices of a question are printed. */
const mostChoices = 8

/** How much of a cell is printed, in characters. */
const cellLength = 60

/** What of a plan is printed. */
export interface PlanShown {
  readonly rows: Readonly<Partial<Record<keyof Counts, readonly ShownRow[]>>>
  /** Who the doubtful rows may be, and who has what is taken, by id. */
  readonly students: ReadonlyMap<number, Pick<StudentRow, 'name' | 'admission_number'>>
}

/** What the command tells of an import. */
interface Report extends PlanShown {
  readonly file: string
  readonly imported: ImportRow
  readonly isApplied: boolean
  readonly problem: { readonly detail: string } | null
  readonly unasked: readonly string[]
  /** The file of the refused rows. */
  readonly refusedTo: string | null
}

/** An import as people read it on a terminal. */
export function reportText(report: Report): string {
  const { imported, rows, students } = report
  const { counts, questions, facts } = imported
  const required = questions.filter((one) => one.required)
  const offered = questions.filter((one) => !one.required)
  const warnings = [
    ...(facts?.warnings ?? []).map(({ detail }) => detail),
    ...report.unasked.map((one) => `Nobody asked for this answer: ${clean(one)}`),
  ]
  const listed = (outcome: keyof Counts, title: string, line: (row: ShownRow) => string) => {
    const some = rows[outcome] ?? []
    const more = (counts?.[outcome] ?? 0) - some.length
    const rest = more > 0 && some.length > 0 ? [`… and ${more} more (--rows)`] : []
    return section(title, [...some.map(line), ...rest])
  }
  const parts = [
    counts === null ? [clean(report.file)] : [`${clean(report.file)}:\n${countsText(counts)}`],
    section('To know', warnings),
    section('Asked', required.map(questionText)),
    report.isApplied ? [] : section('Offered', offered.map(questionText)),
    listed('doubtful', 'Doubtful: say what each is with --row ROW=same:ID, ROW=new or ROW=leave_out', (row) =>
      doubtText(row, students),
    ),
    listed('refused', 'Refused', (row) => faultText(row, students)),
    listed('left_out', 'Left out', (row) => faultText(row, students)),
    listed('change', 'Changes', (row) => `${placeOf(row)}, student ${row.id}: ${changesOf(row)}`),
    listed('create', 'New', (row) => `${placeOf(row)}: ${valuesOf(row, 'to')}`),
    listed('missing', 'Not in the file', (row) => `student ${row.id}: ${valuesOf(row, 'from')}`),
    report.refusedTo === null
      ? []
      : [
          `The refused rows are in ${clean(report.refusedTo, 1_000)}, each with what is wrong. Leave out --refused when you call this again.`,
        ],
    [endText(report)],
  ]
  return parts.flat().join('\n\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`]
}

function countsText(counts: Counts): string {
  const names = ['create', 'change', 'unchanged', 'doubtful', 'refused', 'left_out'] as const
  const lines = [...names, 'rows' as const].map((name) => [name.replace('_', ' '), String(counts[name])])
  return columns(counts.missing > 0 ? [...lines, ['missing', String(counts.missing)]] : lines)
}

function questionText({ key, text, choices }: Question): string {
  const lines = choices.slice(0, mostChoices).flatMap(({ answer, text, samples = [] }) => {
    const given = `${key}=${answer === '\t' ? '\\t' : answer}`
    const cells = samples.map((sample) => clean(sample)).join(' · ')
    return [
      `--answer ${quoted(given)}  ${clean(text, 200)}`,
      ...(cells === '' ? [] : [`    as in: ${cells}`]),
    ]
  })
  if (choices.length === 0) lines.push(`--answer ${quoted(`${key}=…`)}`)
  if (choices.length > mostChoices) lines.push(`… and ${choices.length - mostChoices} more (--json)`)
  return [clean(text, 1_000), ...lines.map((line) => `    ${line}`)].join('\n')
}

function doubtText(row: ShownRow, students: Report['students']): string {
  const doubts = row.cells.filter(({ code }) => code !== undefined)
  const told = doubts.map((cell) => `${faultOf(cell)}${whoText(cell, students)}`)
  return `${placeOf(row)}: ${valuesOf(row, 'to')}; ${told.join('; ')}`
}

/** The students whom a cell names. */
function whoText({ ids = [] }: ShownCell, students: Report['students']): string {
  const who = ids.map((id) => {
    const student = students.get(id)
    return `student ${id}${student ? ` (${clean(student.name)}, ${clean(student.admission_number)})` : ''}`
  })
  return who.length === 0 ? '' : `: ${who.join(' or ')}`
}

function faultText(row: ShownRow, students: Report['students']): string {
  const faults = row.cells.filter(({ code }) => code !== undefined)
  const told = faults.map(
    (cell) => `${faultOf(cell)}${cell.to ? `: ${inQuotes(cell.to)}` : whoText(cell, students)}`,
  )
  return `${placeOf(row)}: ${told.join('; ')}`
}

const faultOf = ({ column, detail = '' }: ShownCell) =>
  `${column === 'row' ? '' : `${clean(column)} `}${detail}`

function changesOf({ cells }: ShownRow): string {
  return cells
    .filter(({ code }) => code === undefined)
    .map(({ column, from, to }) => `${clean(column)} ${inQuotes(from)} → ${inQuotes(to)}`)
    .join('; ')
}

function valuesOf({ cells }: ShownRow, which: 'from' | 'to'): string {
  const values = cells.filter(({ code }) => code === undefined)
  return values.map((cell) => `${clean(cell.column)} ${inQuotes(cell[which])}`).join(', ')
}

function placeOf({ row, sheet }: Pick<ShownRow, 'row' | 'sheet'>): string {
  return sheet === undefined ? `row ${row}` : `${clean(sheet)}!${row}`
}

function endText({ imported, isApplied, problem }: Report): string {
  if (problem !== null)
    return `${problem.detail}${imported.state === 'failed' ? '' : ' Nothing was changed.'}`
  const { create, change, doubtful, refused } = imported.counts!
  if (isApplied) {
    const { id, change_set_id: changeSet } = imported
    const undo =
      changeSet === null ? '' : ` To take it back, within 30 days: ./registrar.js import undo ${id}`
    return `Applied as import ${id}: ${create} created, ${change} changed.${undo}`
  }
  if (create + change + doubtful === 0) return 'Nothing was changed, and the plan would change nothing.'
  const settle = doubtful > 0 ? 'say what the doubtful rows are, and ' : ''
  const skip = refused > 0 ? ' --skip-refused' : ''
  const confirm = doubtful > 0 ? '' : ` --confirm create=${create},change=${change}`
  return `Nothing was changed. To apply this plan, ${settle}add: --apply${skip}${confirm}`
}

/** What of a row stays: that its name is joined is told with the name. */
function inKept(kept: readonly string[]): string {
  const told = kept.filter((one) => one !== 'name_joined')
  return told.map((one) => clean(one)).join(', ')
}

/** What an undo left as it is, since it was changed afterwards: a line for each row. */
export function keptText(rows: readonly ShownRow[], total: number): string[] {
  if (total === 0) return []
  const lines = rows.map((row) => {
    const { id, kept = [] } = row
    const what = id === undefined ? 'a class or a field that it made' : `student ${id}`
    return `${row.row === undefined ? '' : `${placeOf(row)}, `}${what}: ${inKept(kept)}`
  })
  const rest = total > rows.length ? [`… and ${total - rows.length} more`] : []
  return section('Changed since, and left as it is', [...lines, ...rest])
}

const inQuotes = (text: string | null | undefined) => (text ? `"${clean(text)}"` : 'nothing')

/** A text that a terminal shows as it is, on one line. */
function clean(text: string, length = cellLength): string {
  const line = shown(text.replace(/\s+/g, ' '), length + 1)
  return [...line].length > length ? `${[...line].slice(0, length).join('')}…` : line
}

/** A text as a shell takes it, on one line. */
function quoted(given: string): string {
  const text = clean(given, 400)
  return /^[\w.,:*+@/=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
