import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type Import, listImportRows, type PlannedRow } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { address, show } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Pager } from '../parts/pager.tsx'
import type { Leaving } from './left-out.tsx'
import type { Outcome } from './row-parts.tsx'
import { type Shown, Table } from './rows-table.tsx'
import { texts } from './texts.ts'

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
  /** Where rows can be left out. */
  readonly leaving?: Leaving
}

/** A page of the rows with one outcome; equal changes, and equal problems, stand together. */
export function Rows({ imported: { id, kind, counts }, outcome, kept, isOpen, choice, leaving }: RowsProps) {
  const rows = useSignal<readonly Shown[] | undefined>(undefined)
  const pages = useSignal({ page: 1, of: 1, total: 0 })
  const failure = useSignal<Failure | undefined>(undefined)
  const { query } = address.value
  const [likeRow, likeSheet, sought] = [query.get('like'), query.get('sheet'), query.get('open')]
  const canGroup =
    (outcome === 'change' || outcome === 'refused') && (counts?.[outcome] ?? 0) >= fewestGrouped
  const isGrouped = canGroup && query.get('group') !== 'no'

  const asked = useRef(0)
  const section = useRef<HTMLElement>(null)
  const goesOnAt = useRef<number | undefined>(undefined)

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
  /** Whether the page is no more, since its only row was left out. */
  const isBehindLast = () => pages.value.page > Math.max(1, pages.value.of)
  async function begin(): Promise<void> {
    const isWanted = () => rows.value?.some(({ row }) => isOpen?.(row)) ?? true
    const left = leaving?.takePlace()
    const here = left?.outcome === outcome ? left : undefined
    goesOnAt.current = left && (here?.at ?? -1)
    if (!(await load(here?.page ?? 1))) return
    if (isBehindLast()) {
      goesOnAt.current = perPage
      return void load(pages.value.of)
    }
    if (isOpen === undefined || sought === null) return
    while (!isWanted() && pages.value.page < pages.value.of && (await load(pages.value.page + 1)));
  }
  useEffect(() => {
    rows.value = undefined
    void begin()
  }, [outcome, isGrouped, likeRow, likeSheet, sought])
  useLayoutEffect(() => {
    if (rows.value === undefined || goesOnAt.current === undefined || isBehindLast()) return
    leaving?.goOnAt(section.current, goesOnAt.current)
    goesOnAt.current = undefined
  }, [rows.value])
  const { page, of, total } = pages.value
  if (kept && rows.value?.length === 0)
    return counts?.kept_create === undefined ? null : <p>{texts().noneKept}</p>
  if (kept && rows.value === undefined && !failure.value) return null
  return (
    <section
      ref={section}
      tabIndex={-1}
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
          rows.value.length > 0 && (
            <Table
              rows={rows.value}
              {...{ kind, outcome, kept }}
              leaveOut={leaving && ((row, at) => leaving.button(row, { outcome, page, at }))}
            />
          )}
      <Pager page={page} of={of} to={(next) => void load(next)} />
    </section>
  )
}
