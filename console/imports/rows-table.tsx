import type { Import, PlannedRow } from '../../client/src/index.ts'
import { address } from '../frame/address.ts'
import { Scroll } from '../parts/scroll.tsx'
import { cellOf, isUnwritten, type Outcome, RowNumber, Told, Value, Who } from './row-parts.tsx'
import { texts } from './texts.ts'
import { columnWords } from './words.ts'

/** A row, and how many are like it. */
export interface Shown {
  readonly row: PlannedRow
  readonly count: number
}

/** What one looks down for a slip among new children, column by column; all else that each has stands together. */
const lookedDown = ['admission_number', 'class', 'date_of_birth', 'gender']

export function Table({
  rows,
  outcome,
  kept,
  kind,
  leaveOut,
}: {
  rows: readonly Shown[]
  kind: Import['kind']
  outcome: Outcome | undefined
  kept: ((row: PlannedRow) => preact.ComponentChild) | undefined
  /** Draws what leaves out the row at this place. */
  leaveOut: ((row: PlannedRow, at: number) => preact.ComponentChild) | undefined
}) {
  const what = kept
    ? texts().keptFields
    : outcome === 'change'
      ? texts().changes
      : outcome === 'refused'
        ? texts().problem
        : outcome === 'left_out'
          ? texts().reason
          : texts().more
  const tellsWho =
    !isUnwritten(outcome) || rows.some(({ row }) => row.id !== undefined || row.called !== undefined)
  const isNamed = kind === 'students' && tellsWho
  const columns =
    isNamed && outcome === 'create' && !kept
      ? lookedDown.filter((column) => rows.some(({ row }) => cellOf(row, column) !== undefined))
      : []
  return (
    <Scroll label={what}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts().row}</th>
            {isNamed && <th scope="col">{texts().student}</th>}
            {columns.map((column) => (
              <th key={column} scope="col">
                {columnWords(column)}
              </th>
            ))}
            <th scope="col">{what}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one, at) => (
            <tr key={`${one.row.sheet} ${one.row.row} ${one.row.id}`}>
              <td class="short number">
                {one.count > 1 ? <Group {...one} outcome={outcome} /> : <RowNumber row={one.row} />}
              </td>
              {kept ? (
                kept(one.row)
              ) : (
                <>
                  {isNamed && <td>{one.count === 1 && <Who row={one.row} />}</td>}
                  {columns.map((column) => (
                    <td key={column} class="looked-down" data-what={columnWords(column)}>
                      <Value cell={cellOf(one.row, column)} />
                    </td>
                  ))}
                  <td>
                    <Told {...one} outcome={outcome} besides={columns} />
                    {one.count === 1 && leaveOut?.(one.row, at)}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** Rows that are alike, and the way to each of them. */
function Group({ row, count, outcome }: Shown & { outcome: Outcome | undefined }) {
  const like = { like: String(row.row ?? ''), ...(row.sheet && { sheet: row.sheet }) }
  const query = new URLSearchParams({ show: outcome ?? '', group: 'no', ...like })
  return (
    <>
      {texts().alike(count)} <a href={`#/imports/${address.value.id}?${query}`}>{texts().show}</a>
    </>
  )
}
