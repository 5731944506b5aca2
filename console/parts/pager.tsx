import { t, textsOf } from '../language/language.ts'

const goTo = textsOf<string>({ en: 'Go to page', de: 'Zu Seite', ar: 'إلى الصفحة' })

interface PagerProps {
  readonly page: number
  readonly of: number
  readonly to: (page: number) => void
}

/** The way to the pages before and behind this one, and to any; nothing where there is one page. */
export function Pager({ page, of, to }: PagerProps) {
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
      {of > 2 && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            to(event.currentTarget.querySelector('input')!.valueAsNumber)
          }}
        >
          <input type="number" required min={1} max={of} value={page} aria-label={texts.page(page, of)} />{' '}
          <button type="submit">{goTo()}</button>
        </form>
      )}
    </div>
  )
}
