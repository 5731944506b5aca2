import type { PlannedCell, PlannedRow } from '../../client/src/index.ts'
import { studentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { faultWords } from './fault-words.ts'
import { Known } from './known.tsx'
import { texts } from './texts.ts'
import { columnWords, valueWords } from './words.ts'

export type Outcome = PlannedRow['outcome']

export const RowNumber = ({ row: { row, sheet } }: { row: PlannedRow }) => (
  <>{row === undefined ? '–' : texts().rowOf(row, sheet ?? '')}</>
)

export const cellOf = ({ cells }: PlannedRow, column: string) =>
  cells.find((cell) => cell.column === column && cell.code === undefined)

/** Of such a row the file tells whose it is: whom its number matches may be somebody else. */
export const isUnwritten = (outcome: Outcome | undefined) => outcome === 'refused' || outcome === 'left_out'

/** The names, as far as the row tells them; else whom it matches. */
export function Who({ row }: { row: PlannedRow }) {
  if (row.called !== undefined && isUnwritten(row.outcome)) return <bdi>{row.called}</bdi>
  const isNew = row.outcome === 'create' || row.outcome === 'doubtful'
  const name = cellOf(row, 'name')
  if (row.outcome === 'missing')
    return (
      <a class="name" href={studentPath(row.id ?? 0)}>
        <bdi>{name?.from}</bdi>
      </a>
    )
  const parts = ['given_name', 'family_name'].map((one) => cellOf(row, one)?.to)
  const said = name?.to ?? parts.filter(Boolean).join(' ')
  if (isNew && said)
    return (
      <strong>
        <bdi>{said}</bdi>
      </strong>
    )
  if (row.id !== undefined) return <Known id={row.id} />
  return <bdi>{row.called ?? '–'}</bdi>
}

/** What the plan says of a row; of rows that are alike, not who has what is taken. */
export function Told({
  row,
  count = 1,
  outcome,
  besides = [],
}: {
  row: PlannedRow
  count?: number
  outcome: Outcome | undefined
  /** Columns that stand elsewhere. */
  besides?: readonly string[]
}) {
  const isFault = isUnwritten(outcome)
  const named = outcome === 'create' || outcome === 'doubtful' || outcome === 'missing'
  const cells = row.cells.filter(
    ({ column, code }) =>
      (isFault ? code !== undefined : code === undefined) &&
      !(named && column === 'name') &&
      !besides.includes(column),
  )
  return (
    <ul class="told">
      {cells.map((cell, i) => (
        <li key={i}>
          {isFault ? faultWords(cell, count) : <Cell cell={cell} isNew={named} />}
          {isFault &&
            count === 1 &&
            cell.ids?.map((id) => (
              <div key={id}>
                <Known id={id} />
              </div>
            ))}
        </li>
      ))}
    </ul>
  )
}

/** A value that is new; nothing, where a row has none. */
export function Value({ cell }: { cell: PlannedCell | undefined }) {
  if (cell === undefined) return null
  if (cell.hidden) return <span class="quiet">{texts().hidden}</span>
  return <bdi class="number">{valueWords(cell.column, cell.to ?? cell.from)}</bdi>
}

export function Cell({ cell, isNew }: { cell: PlannedCell; isNew: boolean }) {
  const { column, from, to, hidden } = cell
  return (
    <>
      <span class="quiet">{columnWords(column)}</span>{' '}
      {isNew || hidden ? (
        <Value cell={cell} />
      ) : (
        <>
          <del>
            <bdi>{valueWords(column, from)}</bdi>
          </del>{' '}
          {t().arrow}{' '}
          <ins>
            <bdi>{valueWords(column, to)}</bdi>
          </ins>
        </>
      )}
    </>
  )
}
