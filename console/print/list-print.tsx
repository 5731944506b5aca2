import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { List } from '../../client/src/index.ts'
import { address, studentsPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { session } from '../session/session.ts'
import type { Row } from '../students/found.ts'
import { askedOf, type ListQuery, listQuery } from '../students/query.ts'
import { differs, lists, loadLists } from '../students/tools/lists.ts'
import { KeepLayout } from './keep-layout.tsx'
import { columnsOf, kindIn, type Layout, type ListKind, layoutOf, listKinds } from './layout.ts'
import { LayoutFields } from './layout-fields.tsx'
import { ListSheet } from './list-sheet.tsx'
import { Notes } from './notes.tsx'
import { mostRows, Reading } from './reading.ts'
import { rowsAtOnce, sheetsOf } from './sheets.ts'
import { texts } from './texts.ts'
import { Toolbar } from './toolbar.tsx'

/** What every row has, beside the columns that are printed. */
const always = ['id', 'name', 'preferred_name', 'family_name', 'given_name', 'class_id', 'class']

/** Reads all students of a view; another view is read anew. */
function useReading(kind: ListKind, view: ListQuery, layout: Layout): Reading {
  const columns = [...new Set([...always, ...columnsOf(kind, view, layout)])].join(',')
  const asked = { ...askedOf(view), columns }
  const reading = useMemo(() => new Reading(asked), [JSON.stringify(asked)])
  const { is } = session.value
  useEffect(() => {
    if (is === 'in') void reading.go()
  }, [reading, is])
  useEffect(() => () => reading.stop(), [reading])
  return reading
}

/** The named list that was opened, if the view is still that. */
function useNamedList(view: ListQuery): { list: List | undefined; isKnown: boolean } {
  const isKnown = useSignal(view.list === undefined)
  useEffect(() => {
    if (!isKnown.value) void loadLists().then(() => (isKnown.value = true))
  }, [])
  const opened = lists.value?.find(({ id }) => id === view.list)
  return { list: opened && !differs(opened, view) ? opened : undefined, isKnown: isKnown.value }
}

/** What stands on the page, all of it: these rows, laid out in this way. */
interface Whole {
  readonly rows: readonly Row[]
  readonly way: string
}

/** A list of students on paper, and above it how it is to be. */
export function ListPrint() {
  const { query } = address.value
  const view = listQuery(query)
  const kind = kindIn(listKinds, query)
  const { list, isKnown } = useNamedList(view)
  const layout = layoutOf(kind, query, list)
  const reading = useReading(kind, view, layout)
  const whole: Signal<Whole | undefined> = useSignal(undefined)
  const { value: rows } = isKnown ? reading.rows : { value: undefined }
  const way = JSON.stringify([kind, layout])
  const isWhole = rows !== undefined && whole.value?.rows === rows && whole.value.way === way
  return (
    <>
      <Toolbar
        kind={kind}
        kinds={listKinds}
        back={`${studentsPath}?${query}`}
        isReady={isWhole}
        said={rows ? t().students.count(rows.length) : progressOf(reading)}
      >
        <LayoutFields kind={kind} view={view} layout={layout} />
        {list && <KeepLayout list={list} layout={layout} />}
      </Toolbar>
      {rows && rows.length > 0 && <Notes {...{ kind, view, layout, rows }} />}
      <Troubles reading={reading} />
      {rows?.length === 0 && <p class="nothing">{t().students.none}</p>}
      {!isWhole && rows?.length !== 0 && <p class="unfinished">{texts().unfinished}</p>}
      {rows && rows.length > 0 && (
        <Sheets
          key={way}
          {...{ kind, view, layout, rows }}
          isWhole={isWhole}
          onWhole={() => (whole.value = { way, rows })}
        />
      )}
    </>
  )
}

function progressOf({ progress }: Reading): string {
  const { read, total } = progress.value
  return total === 0 ? t().loading : texts().reading(read, total)
}

function Troubles({ reading }: { reading: Reading }) {
  const { failure, refusal } = reading
  if (failure.value)
    return <Failed what={t().failed.load} failure={failure.value} again={() => void reading.go()} />
  if (refusal.value === undefined) return null
  return (
    <div class="failed" role="alert">
      <p>{refusal.value === 'tooMany' ? texts().tooMany(mostRows) : texts().changing}</p>
      {refusal.value === 'changing' && (
        <button type="button" onClick={() => reading.again()}>
          {t().tryAgain}
        </button>
      )}
    </div>
  )
}

interface SheetsProps {
  readonly kind: ListKind
  readonly view: ListQuery
  readonly layout: Layout
  readonly rows: readonly Row[]
  readonly isWhole: boolean
  /** Told when all rows are on the page. */
  readonly onWhole: () => void
}

/** The sheets: hidden until all rows are there, since a list that lacks children looks like one that does not. */
function Sheets({ kind, view, layout, rows, isWhole, onWhole }: SheetsProps) {
  const drawn = useSignal(rowsAtOnce)
  const columns = useMemo(() => columnsOf(kind, view, layout, rows), [rows])
  const sheets = useMemo(() => sheetsOf(kind, view, layout, rows), [rows, t()])
  const { value: so } = drawn
  useEffect(() => {
    if (so >= rows.length) return onWhole()
    const timer = setTimeout(() => (drawn.value += rowsAtOnce))
    return () => clearTimeout(timer)
  }, [so, rows])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide sheet is scrolled by keys
    <section class="sheets" aria-label={t().screens.print} tabIndex={0} hidden={!isWhole}>
      {sheets.map((sheet) => (
        <ListSheet key={sheet.key} {...{ kind, sheet, columns, layout }} drawn={so} />
      ))}
    </section>
  )
}
