import type { Pagination } from '../../client/src/index.ts'
import { t } from '../language/language.ts'
import { change, pageSizes } from './query.ts'

/** Which part of the list is shown, and the way to the others. */
export function Pages({ pagination: { total, page, per_page, total_pages } }: { pagination: Pagination }) {
  const texts = t().students
  const first = (page - 1) * per_page + 1
  const last = Math.min(total, page * per_page)
  return (
    <nav class="pages" aria-label={texts.page(page, total_pages)}>
      <span class="number">{first <= last && texts.range(first, last, total)}</span>
      {total_pages > 1 && (
        <>
          <button type="button" disabled={page <= 1} onClick={() => change({ page: String(page - 1) })}>
            {texts.previous}
          </button>
          <button
            type="button"
            disabled={page >= total_pages}
            onClick={() => change({ page: String(page + 1) })}
          >
            {texts.next}
          </button>
        </>
      )}
      {total > pageSizes[0] && (
        <label>
          {texts.perPage}{' '}
          <select
            class="narrow"
            value={per_page}
            onChange={(event) => change({ per: event.currentTarget.value })}
          >
            {pageSizes.map((size) => (
              <option key={size} value={size} selected={size === per_page}>
                {size}
              </option>
            ))}
          </select>
        </label>
      )}
    </nav>
  )
}
