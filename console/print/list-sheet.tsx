import { useMemo } from 'preact/hooks'
import type { Guardian } from '../../client/src/index.ts'
import { t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { columnLabel, isName, nameIn } from '../students/columns.ts'
import type { Row } from '../students/found.ts'
import { Called, Value } from '../students/table.tsx'
import { hasLowRows } from './fitting.ts'
import type { Layout, ListKind } from './layout.ts'
import { SheetHead } from './sheet-head.tsx'
import type { Piece, Sheet } from './sheets.ts'
import { texts } from './texts.ts'
import { longestWord, wrapOf } from './wrapping.ts'

interface ListSheetProps {
  readonly kind: ListKind
  readonly sheet: Sheet
  readonly columns: readonly string[]
  readonly layout: Layout
  /** How many rows of all sheets may stand on the page by now. */
  readonly drawn: number
}

/** One list, or one class: a table whose head stands on each page. */
export function ListSheet({ kind, sheet, columns, layout, drawn }: ListSheetProps) {
  const { ticks, blanks, heads } = layout
  const extras = Array.from({ length: ticks + blanks }, (_, i) => heads[i] ?? '')
  const across = 1 + columns.length + extras.length
  const longest = longestWord(layout, across)
  return (
    <table class={sheetClass(layout, across, hasLowRows(kind, layout, sheet.count))}>
      <caption class="unseen">{sheet.title.join(' · ')}</caption>
      <thead>
        <SheetHead title={sheet.title} count={t().students.count(sheet.count)} columns={across} />
        <tr>
          <th scope="col" class="place">
            {texts().place}
          </th>
          {columns.map((column) => (
            <th scope="col" key={column} class={wrapOf(columnLabel(column), longest)}>
              <span class="cut">{columnLabel(column)}</span>
            </th>
          ))}
          {extras.map((head, i) => (
            <th scope="col" key={i} class={i < ticks ? 'tick' : 'blank'}>
              <span class="cut">
                <Name>{head}</Name>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      {sheet.pieces
        .filter(({ atAll }) => atAll < drawn)
        .map((piece) => (
          <Rows key={piece.at} {...{ piece, columns, ticks, blanks, longest }} />
        ))}
    </table>
  )
}

/** More columns than these have smaller letters. */
const fewColumns = 12

const sheetClass = ({ paper, rowsPerPage, ticks, blanks }: Layout, columns: number, isLow: boolean) =>
  [
    'sheet',
    paper,
    rowsPerPage !== undefined && 'counted',
    ticks + blanks > 0 && 'ruled',
    columns > fewColumns && 'dense',
    isLow && 'low',
  ]
    .filter(Boolean)
    .join(' ')

interface RowsProps extends Pick<Layout, 'ticks' | 'blanks'> {
  readonly piece: Piece
  readonly columns: readonly string[]
  readonly longest: number
}

/** Drawn once: what comes after it does not draw it anew. */
function Rows(props: RowsProps) {
  const { piece, columns, ticks, blanks, longest } = props
  return useMemo(() => <tbody>{rowsOf(props)}</tbody>, [piece, columns, ticks, blanks, longest, t()])
}

function rowsOf({ piece: { rows, at }, columns, ticks, blanks, longest }: RowsProps) {
  const first = columns.find(isName) ?? 'name'
  const called = columns.includes('given_name') ? 'given_name' : first
  const named = rows.map((row) => ({ ...row, [first]: nameIn(first, row) }))
  return named.map((row, i) => (
    <tr key={row.id}>
      <td class="place number">{at + i + 1}</td>
      {columns.map((column) => (
        <td key={column} class={wrapOf(textOf(column, row), longest, column === 'admission_number')}>
          {printed(column, row, longest)}
          {column === called && <Called row={row} />}
        </td>
      ))}
      {Array.from({ length: ticks }, (_, i) => (
        <td key={`tick ${i}`} class="tick">
          <span class="box" />
        </td>
      ))}
      {Array.from({ length: blanks }, (_, i) => (
        <td key={`blank ${i}`} class="blank" />
      ))}
    </tr>
  ))
}

/** What stands on paper of a student; all guardians do, since nothing can be opened there. */
function printed(column: string, row: Row, longest: number) {
  const value = (row as Readonly<Record<string, unknown>>)[column]
  if (column !== 'guardians' || !value) return <Value column={column} row={row} />
  return (value as Guardian[]).map(({ name, phone }, place) => (
    <div key={place}>
      <Name>{name}</Name>{' '}
      {phone && (
        <bdi class={`number ${phone.length <= 2 * longest ? 'short' : ''}`} dir="ltr">
          {phone}
        </bdi>
      )}
    </div>
  ))
}

/** What stands in a cell, about as long. */
function textOf(column: string, row: Row): string {
  const value = (row as Readonly<Record<string, unknown>>)[column]
  return column === 'guardians'
    ? ((value ?? []) as Guardian[]).map(({ name, phone }) => `${name} ${phone ?? ''}`).join(' ')
    : String(value ?? '')
}
