import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Import, listImportRows, type PlannedRow } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { address, show } from '../frame/address.ts'
import { t, textsOf } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { useLoaded } from '../parts/load.ts'
import { Pager } from '../parts/pager.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { goOnAt, LeaveOut } from './left-out.tsx'
import type { ImportRecord } from './record.ts'
import { RowNumber, Told, Who } from './row-parts.tsx'
import { texts } from './texts.ts'

const say = textsOf<{
  readonly label: string
  readonly find: string
  readonly found: string
  readonly none: string
  readonly all: string
  readonly outcome: string
}>({
  en: {
    label: 'Find a child in this file, by name or number',
    find: 'Find',
    found: 'Rows of such a child',
    none: 'No row is of such a child.',
    all: 'Show all rows',
    outcome: 'What happens',
  },
  de: {
    label: 'Ein Kind in dieser Datei finden, nach Name oder Nummer',
    find: 'Finden',
    found: 'Zeilen eines solchen Kindes',
    none: 'Keine Zeile betrifft ein solches Kind.',
    all: 'Alle Zeilen zeigen',
    outcome: 'Was geschieht',
  },
  ar: {
    label: 'ابحث عن طالب في هذا الملف بالاسم أو الرقم',
    find: 'بحث',
    found: 'أسطر طالب كهذا',
    none: 'لا يوجد سطر لطالب كهذا.',
    all: 'عرض كل الأسطر',
    outcome: 'ما الذي سيحدث',
  },
})

/** Looks for a child among all rows of a file, whatever comes of them. */
export function Find({ record, imported }: { record: ImportRecord; imported: Import }) {
  const sought = address.value.query.get('find')
  /** Of which search which page is shown: another one begins at its first. */
  const shown = useSignal({ sought, page: record.leftAt?.page ?? 1 })
  const page = shown.value.sought === sought ? shown.value.page : 1
  return (
    <search>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault()
          const find = event.currentTarget.querySelector('input')!.value.trim()
          show(new URLSearchParams(find && { find }))
        }}
      >
        <label for="find">{say().label}</label>
        <input key={sought ?? ''} id="find" type="search" maxLength={100} defaultValue={sought ?? ''} />
        <button type="submit">{say().find}</button>
        {sought !== null && <a href={`#/imports/${imported.id}`}>{say().all}</a>}
      </form>
      {sought !== null && (
        <Found
          key={`${page} ${sought}`}
          {...{ record, imported, sought, page }}
          to={(next) => (shown.value = { sought, page: next })}
        />
      )}
    </search>
  )
}

interface FoundProps {
  readonly record: ImportRecord
  readonly imported: Import
  readonly sought: string
  readonly page: number
  readonly to: (page: number) => void
}

/** The rows that were found, each with what comes of it, and the way to all of which the same comes. */
function Found({ record, imported: { id }, sought, page, to }: FoundProps) {
  const query = { search: sought, page, per_page: 25 }
  const { data, failure, load } = useLoaded(() => call(() => listImportRows({ path: { id }, query })))
  const found = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (data.value) goOnAt(found.current, record.takeLeftAt()?.at ?? -1)
  }, [data.value])
  if (failure.value) return <Failed what={t().failed.load} failure={failure.value} again={load} />
  if (data.value === undefined) return null
  const rows = data.value.data.filter((row): row is PlannedRow => !('first' in row))
  if (rows.length === 0) return <p role="status">{say().none}</p>
  return (
    <section aria-label={say().found} tabIndex={-1} ref={found}>
      <Scroll label={say().found}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts().row}</th>
              <th scope="col">{texts().student}</th>
              <th scope="col">{say().outcome}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={`${row.sheet} ${row.row}`}>
                <td class="short number">
                  <RowNumber row={row} />
                </td>
                <td>
                  <Who row={row} />
                </td>
                <td>
                  <a href={`#/imports/${id}?show=${row.outcome}`}>{texts().outcomes[row.outcome]}</a>
                  <Told row={row} outcome={row.outcome} />
                  <LeaveOut {...{ record, row }} place={{ page, at }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Pager page={page} of={data.value.pagination.total_pages} to={to} />
    </section>
  )
}
