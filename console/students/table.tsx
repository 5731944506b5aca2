import type { Guardian, Identifier } from '../../client/src/index.ts'
import { studentPath } from '../frame/address.ts'
import { dayInWords, instantInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { classes, school } from '../session/session.ts'
import { ownText } from '../student/own-values.ts'
import { columnLabel, isName, nameIn } from './columns.ts'
import type { Found, Row } from './found.ts'
import { change, sorts } from './query.ts'

/** The students of a page. The name is the link, the row is not. */
export function Table({ found: { query, columns, rows } }: { found: Found }) {
  const named = columns.find(isName)
  const called = columns.includes('given_name') ? 'given_name' : named
  // Where nobody on the page has a family name, the order by it is that of names.
  const isByName = query.columns === undefined && named === 'name'
  const sort = isByName ? query.sort.replace('family_name', 'name') : query.sort
  return (
    <Scroll label={t().students.title}>
      <table>
        <caption class="unseen">{t().students.title}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((column) => (
                <td key={column} class={classOf(column)}>
                  {column === named ? (
                    <NameLink row={row} column={column} isCalled={column === called} />
                  ) : (
                    <Value column={column} row={row} />
                  )}
                  {column === called && column !== named && <Called row={row} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

const classOf = (column: string) => (['notes', 'address'].includes(column) ? 'long' : undefined)

/** What is short stays on one line; what is as long as it may be leaves room for the names. */
const unbroken = (text: string) => (text.length <= 24 ? 'number' : undefined)

/** The way to a student. It is called by the whole name, also where a part of it is shown. */
function NameLink({ row, column, isCalled }: { row: Row; column: string; isCalled: boolean }) {
  const shown = nameIn(column, row)
  const { family_name, given_name, name } = row
  const whole = [family_name, given_name].filter(Boolean).join(', ')
  return (
    <a class="name" href={studentPath(row.id)} aria-label={shown === name ? undefined : whole}>
      <Name>{shown}</Name>
      {isCalled && <Called row={row} />}
    </a>
  )
}

/** What the student is called, where that is something else. */
export function Called({ row: { preferred_name, name, given_name } }: { row: Row }) {
  if (!preferred_name || preferred_name === name || preferred_name === given_name) return null
  return (
    <span class="quiet">
      {' '}
      <Name>{t().quoted(preferred_name)}</Name>
    </span>
  )
}

function Head({ column, sort }: { column: string; sort: string }) {
  const label = columnLabel(column)
  if (!sorts.some((one) => one === column)) return <th scope="col">{label}</th>
  const isUp = sort === column
  const isDown = sort === `-${column}`
  return (
    <th scope="col" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      <button type="button" onClick={() => change({ sort: isUp ? `-${column}` : column })}>
        {label}
        <span aria-hidden="true">{isUp ? ' ▲' : isDown ? ' ▼' : ''}</span>
      </button>
    </th>
  )
}

/** What a column shows of a student; nothing whispers. */
export function Value({ column, row }: { column: string; row: Row }) {
  const value = (row as Readonly<Record<string, unknown>>)[column]
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>
  if (column === 'guardians') return <Guardians guardians={value as Guardian[]} />
  if (column === 'date_of_birth') return <span class="number">{dayInWords(String(value))}</span>
  if (column === 'class') {
    const label = classLabel(row) ?? String(value)
    return <bdi class={unbroken(label)}>{label}</bdi>
  }
  if (column === 'identifiers') return <bdi>{(value as Identifier[]).map((one) => one.value).join(', ')}</bdi>
  if (column === 'created_at' || column === 'updated_at')
    return <span class="number">{instantInWords(String(value), school.value?.time_zone ?? 'UTC')}</span>
  if (column.startsWith('fields.')) return <bdi>{ownText(column.slice('fields.'.length), value)}</bdi>
  return (
    <bdi class={column === 'admission_number' ? unbroken(String(value)) : undefined}>{String(value)}</bdi>
  )
}

const classLabel = (row: Row) => classes.value.find(({ id }) => id === row.class_id)?.label

function Guardians({ guardians }: { guardians: readonly Guardian[] }) {
  const [first, ...others] = guardians
  if (first === undefined) return <span class="quiet">–</span>
  return (
    <>
      <Name>{first.name}</Name>{' '}
      {first.phone && (
        <bdi class="number" dir="ltr">
          {first.phone}
        </bdi>
      )}
      {others.length > 0 && <span class="quiet"> {t().students.more(others.length)}</span>}
    </>
  )
}
