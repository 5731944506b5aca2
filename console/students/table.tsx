import type { Guardian } from '../../client/src/index.ts'
import { studentPath } from '../frame/address.ts'
import { dayInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { classes } from '../session/session.ts'
import { ownText } from '../student/own-values.ts'
import type { Found, Row } from './found.ts'
import { change, columnLabel, sorts } from './query.ts'

/** The students of a page. The name is the link, the row is not. */
export function Table({ found: { query, rows } }: { found: Found }) {
  return (
    <div class="scroll">
      <table>
        <caption class="unseen">{t().students.title}</caption>
        <thead>
          <tr>
            {['name', ...query.columns].map((column) => (
              <Head key={column} column={column} sort={query.sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <a class="name" href={studentPath(row.id)}>
                  <Name>{row.name}</Name>
                  {row.preferred_name && row.preferred_name !== row.name && (
                    <span class="quiet">
                      {' '}
                      <Name>{`“${row.preferred_name}”`}</Name>
                    </span>
                  )}
                </a>
              </td>
              {query.columns.map((column) => (
                <td key={column} class={column === 'class' ? 'short' : undefined}>
                  <Value column={column} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head({ column, sort }: { column: string; sort: string }) {
  const label = column === 'name' ? t().fields.name : columnLabel(column)
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
function Value({ column, row }: { column: string; row: Row }) {
  const value = (row as Readonly<Record<string, unknown>>)[column]
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>
  if (column === 'guardians') return <Guardians guardians={value as Guardian[]} />
  if (column === 'date_of_birth') return <span class="number">{dayInWords(String(value))}</span>
  if (column === 'class') return <bdi>{classLabel(row) ?? String(value)}</bdi>
  if (column.startsWith('fields.')) return <bdi>{ownText(column.slice('fields.'.length), value)}</bdi>
  return <bdi class="number">{String(value)}</bdi>
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
