import { t } from '../language/language.ts'

/** The way to the pages before and behind this one; nothing where there is one page. */
export function Pager({ page, of, to }: { page: number; of: number; to: (page: number) => void }) {
  const texts = t().students
  if (of <= 1) return null
  return (
    <div class="pages">
      <button type="button" disabled={page <= 1} onClick={() => to(page - 1)}>
        {texts.previous}
      </button>
      <span class="number">{texts.page(page, of)}</span>
      <button type="button" disabled={page >= of} onClick={() => to(page + 1)}>
        {texts.next}
      </button>
    </div>
  )
}
