import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Import, listImportRows, type PlannedCell, type PlannedRow } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { address, show, studentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Pager } from '../parts/pager.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Known } from './known.tsx'
import { texts } from './texts.ts'
import { columnWords, faultWords, valueWords } from './words.ts'

export type Outcome = PlannedRow['outcome']

/** A row, and how many are like it. */
interface Shown {
  readonly row: PlannedRow
  readonly count: number
}

const perPage = 25

/** Fewer rows are read faster one by one. */
const fewestGrouped = 3

interface RowsProps {
  readonly imported: Import
  readonly outcome?: Outcome
  /** Only those of which taking back left something: draws the cells behind the row's number. */
  readonly kept?: (row: PlannedRow) => preact.ComponentChild
  /** Whether a row waits for a choice: where the address asks for one, the first page that has one is shown. */
  readonly isOpen?: (row: PlannedRow) => boolean
  /** Draws a row that asks for a choice. */
  readonly choice?: (row: PlannedRow) => preact.ComponentChild
  /** Leaves out a row that would be written. */
  readonly leaveOut?: (row: PlannedRow) => void
}

/** A page of the rows with one outcome; equal changes, and equal problems, stand together. */
export function Rows({ imported: { id, kind, counts }, outcome, kept, isOpen, choice, leaveOut }: RowsProps) {
  const rows = useSignal<readonly Shown[] | undefined>(undefined)
  const pages = useSignal({ page: 1, of: 1, total: 0 })
  const failure = useSignal<Failure | undefined>(undefined)
  const { query } = address.value
  const [likeRow, likeSheet, sought] = [query.get('like'), query.get('sheet'), query.get('open')]
  const canGroup =
    (outcome === 'change' || outcome === 'refused') && (counts?.[outcome] ?? 0) >= fewestGrouped
  const isGrouped = canGroup && query.get('group') !== 'no'

  const asked = useRef(0)

  /** @returns whether the page is shown: not where that failed, or another is wanted by now */
  async function load(page: number): Promise<boolean> {
    const turn = ++asked.current
    const query = {
      ...{ page, per_page: perPage },
      ...(outcome && { outcome }),
      ...(kept && { kept: 'true' as const }),
      ...(likeRow && !isGrouped && { like_row: Number(likeRow) }),
      ...(likeSheet && !isGrouped && { like_sheet: likeSheet }),
      ...(isGrouped && { group: 'true' as const }),
    }
    const came = await call(() => listImportRows({ path: { id }, query }))
    if (turn !== asked.current) return false
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return false
    rows.value = came.data.data.map((one) =>
      'first' in one ? { row: one.first, count: one.count } : { row: one, count: 1 },
    )
    pages.value = { page, of: came.data.pagination.total_pages, total: came.data.pagination.total }
    return true
  }
  async function begin(): Promise<void> {
    const isWanted = () => rows.value?.some(({ row }) => isOpen?.(row)) ?? true
    if (!(await load(1)) || isOpen === undefined || sought === null) return
    while (!isWanted() && pages.value.page < pages.value.of && (await load(pages.value.page + 1)));
  }
  useEffect(() => {
    rows.value = undefined
    void begin()
  }, [outcome, isGrouped, likeRow, likeSheet, sought])
  const { page, of, total } = pages.value
  if (kept && rows.value?.length === 0)
    return counts?.kept_create === undefined ? null : <p>{texts().noneKept}</p>
  if (kept && rows.value === undefined && !failure.value) return null
  return (
    <section
      aria-label={
        outcome ? texts().outcomes[outcome as keyof ReturnType<typeof texts>['outcomes']] : texts().kept
      }
    >
      {kept && rows.value && <h2>{texts().keptRows(total)}</h2>}
      {outcome === 'missing' && <p>{texts().noneWritten}</p>}
      {canGroup && (
        <div class="choice">
          <input
            type="checkbox"
            id="grouped"
            checked={isGrouped}
            onChange={() => show(new URLSearchParams({ show: outcome, ...(isGrouped && { group: 'no' }) }))}
          />
          <label for="grouped">{texts().grouped}</label>
        </div>
      )}
      {failure.value && (
        <Failed what={t().failed.load} failure={failure.value} again={() => void load(page)} />
      )}
      {rows.value?.length === 0 && <p class="quiet">{texts().noRows}</p>}
      {choice
        ? rows.value?.map(({ row }) => choice(row))
        : rows.value !== undefined &&
          rows.value.length > 0 && <Table rows={rows.value} {...{ kind, outcome, kept, leaveOut }} />}
      <Pager page={page} of={of} to={(next) => void load(next)} />
    </section>
  )
}

function Table({
  rows,
  outcome,
  kept,
  kind,
  leaveOut,
}: {
  rows: readonly Shown[]
  kind: Import['kind']
  outcome: Outcome | undefined
  kept: RowsProps['kept']
  leaveOut: RowsProps['leaveOut']
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
  return (
    <Scroll label={what}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts().row}</th>
            {isNamed && <th scope="col">{texts().student}</th>}
            <th scope="col">{what}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={`${one.row.sheet} ${one.row.row} ${one.row.id}`}>
              <td class="short number">
                {one.count > 1 ? <Group {...one} outcome={outcome} /> : <RowNumber row={one.row} />}
              </td>
              {kept ? (
                kept(one.row)
              ) : (
                <>
                  {isNamed && <td>{one.count === 1 && <Who row={one.row} />}</td>}
                  <td>
                    <Told {...one} outcome={outcome} />
                    {leaveOut && one.count === 1 && isWritten(outcome) && (
                      <LeaveOut row={one.row} onClick={() => leaveOut(one.row)} />
                    )}
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

export const RowNumber = ({ row: { row, sheet } }: { row: PlannedRow }) => (
  <>{row === undefined ? '–' : texts().rowOf(row, sheet ?? '')}</>
)

function LeaveOut({ row, onClick }: { row: PlannedRow; onClick: () => void }) {
  const { leaveOut } = texts().ofTwins
  const label = `${texts().rowOf(row.row ?? 0, row.sheet ?? '')}: ${leaveOut}`
  return (
    <button type="button" class="plain" aria-label={label} onClick={onClick}>
      {leaveOut}
    </button>
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

const cellOf = ({ cells }: PlannedRow, column: string) =>
  cells.find((cell) => cell.column === column && cell.code === undefined)

/** Of such a row the file tells whose it is: whom its number matches may be somebody else. */
const isUnwritten = (outcome: Outcome | undefined) => outcome === 'refused' || outcome === 'left_out'

const isWritten = (outcome: Outcome | undefined) => outcome === 'create' || outcome === 'change'

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
}: {
  row: PlannedRow
  count?: number
  outcome: Outcome | undefined
}) {
  const isFault = isUnwritten(outcome)
  const named = outcome === 'create' || outcome === 'doubtful' || outcome === 'missing'
  const cells = row.cells.filter(
    ({ column, code }) =>
      (isFault ? code !== undefined : code === undefined) && !(named && column === 'name'),
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

export function Cell({ cell: { column, from, to, hidden }, isNew }: { cell: PlannedCell; isNew: boolean }) {
  return (
    <>
      <span class="quiet">{columnWords(column)}</span>{' '}
      {hidden ? (
        <span class="quiet">{texts().hidden}</span>
      ) : isNew ? (
        <bdi class="number">{valueWords(column, to ?? from)}</bdi>
      ) : (
        <>
          <del>
            <bdi>{valueWords(column, from)}</bdi>
          </del>{' '}
          →{' '}
          <ins>
            <bdi>{valueWords(column, to)}</bdi>
          </ins>
        </>
      )}
    </>
  )
}
