import { useMemo } from 'preact/hooks'
import type { Guardian } from '../../client/src/index.ts'
import { t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { columnLabel, isName } from '../students/columns.ts'
import type { Row } from '../students/found.ts'
import { Called, Value } from '../students/table.tsx'
import type { Layout } from './layout.ts'
import { SheetHead } from './sheet-head.tsx'
import type { Piece, Sheet } from './sheets.ts'
import { texts } from './texts.ts'

interface ListSheetProps {
  readonly sheet: Sheet
  readonly columns: readonly string[]
  readonly layout: Layout
  /** How many rows of all sheets may stand on the page by now. */
  readonly drawn: number
}

/** One list, or one class: a table whose head stands on each page. */
export function ListSheet({ sheet, columns, layout, drawn }: ListSheetProps) {
  const { ticks, blanks, heads } = layout
  const extras = Array.from({ length: ticks + blanks }, (_, i) => heads[i] ?? '')
  return (
    <table class={sheetClass(layout)}>
      <caption class="unseen">{sheet.title.join(' · ')}</caption>
      <thead>
        <SheetHead
          title={sheet.title}
          count={t().students.count(sheet.count)}
          columns={1 + columns.length + extras.length}
        />
        <tr>
          <th scope="col" class="place">
            {texts().place}
          </th>
          {columns.map((column) => (
            <th scope="col" key={column}>
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
          <Rows key={piece.at} piece={piece} columns={columns} ticks={ticks} blanks={blanks} />
        ))}
    </table>
  )
}

const sheetClass = ({ paper, rowsPerPage, ticks, blanks }: Layout) =>
  ['sheet', paper, rowsPerPage !== undefined && 'counted', ticks + blanks > 0 && 'ruled']
    .filter(Boolean)
    .join(' ')

interface RowsProps extends Pick<Layout, 'ticks' | 'blanks'> {
  readonly piece: Piece
  readonly columns: readonly string[]
}

/** Drawn once: what comes after it does not draw it anew. */
function Rows(props: RowsProps) {
  const { piece, columns, ticks, blanks } = props
  return useMemo(() => <tbody>{rowsOf(props)}</tbody>, [piece, columns, ticks, blanks, t()])
}

function rowsOf({ piece: { rows, at }, columns, ticks, blanks }: RowsProps) {
  const called = columns.includes('given_name') ? 'given_name' : columns.find(isName)
  return rows.map((row, i) => (
    <tr key={row.id}>
      <td class="place number">{at + i + 1}</td>
      {columns.map((column) => (
        <td key={column} class={isShort(column, row) ? 'short' : undefined}>
          {printed(column, row)}
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

/** A class is one word to the eye, unless it is called something long. */
const longestWord = 12
const isShort = (column: string, row: Row) => column === 'class' && (row.class ?? '').length <= longestWord

/** What stands on paper of a student; all guardians do, since nothing can be opened there. */
function printed(column: string, row: Row) {
  const value = (row as Readonly<Record<string, unknown>>)[column]
  if (column !== 'guardians' || !value) return <Value column={column} row={row} />
  return (value as Guardian[]).map(({ name, phone }, place) => (
    <div key={place}>
      <Name>{name}</Name>{' '}
      {phone && (
        <bdi class="number" dir="ltr">
          {phone}
        </bdi>
      )}
    </div>
  ))
}
