import { address, studentsPath } from '../frame/address.ts'
import { isolated } from '../language/isolated.ts'
import { listed, t } from '../language/language.ts'
import { columnLabel, isName, usualColumns } from '../students/columns.ts'
import type { Row } from '../students/found.ts'
import type { ListQuery } from '../students/query.ts'
import { pagesOf } from './fitting.ts'
import { columnsOf, type Layout, type ListKind } from './layout.ts'
import { sheetsOf } from './sheets.ts'
import { texts } from './texts.ts'

interface NotesProps {
  readonly kind: ListKind
  readonly view: ListQuery
  readonly layout: Layout
  readonly rows: readonly Row[]
}

/** What a print does not do as one may expect: columns that it leaves out, and classes that take several pages. */
export function Notes({ kind, view, layout, rows }: NotesProps) {
  const printed = columnsOf(kind, view, layout, rows)
  const wanted = view.columns ?? usualColumns(rows, view.classIds)
  const ofTitle = kind === 'list' ? [] : ['class']
  const leftOut = wanted.filter(
    (column) => !printed.includes(column) && !ofTitle.includes(column) && !isName(column),
  )
  const long =
    kind === 'list'
      ? []
      : sheetsOf(kind, view, layout, rows)
          .map(({ title, count }) => ({ title, count, pages: pagesOf(kind, layout, count) }))
          .filter(({ pages }) => pages > 1)
  const say = texts()
  return (
    <>
      {leftOut.length > 0 && (
        <p class="hint unprinted">
          {say.leftOut(listed(leftOut.map(columnLabel)))}{' '}
          {kind !== 'photo' && <a href={`${studentsPath}?${address.value.query}`}>{say.chooseColumns}</a>}
        </p>
      )}
      {long.length > 0 && (
        <p class="unprinted">
          {say.longClasses}{' '}
          {long
            .map(({ title, count, pages }) =>
              say.longClass(isolated(title.join(' · ')), t().students.count(count), pages),
            )
            .join('; ')}
        </p>
      )}
    </>
  )
}
