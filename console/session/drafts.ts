import type { Typed } from '../student/form.ts'

/** What was typed into a form, and what stood there when it opened: of the fields alone that were changed. */
export interface Draft {
  readonly before: Typed
  readonly typed: Typed
}

/** What of one account is kept, by form. */
interface Kept {
  readonly account: number
  readonly forms: Readonly<Record<string, Draft>>
}

/** Where a tab keeps what a reload is not to lose. Nothing sensitive may be put there. */
const place = 'registrar.typed'

const kept = () => JSON.parse(sessionStorage.getItem(place) ?? 'null') as Kept | null

const put = (forms: Kept) => sessionStorage.setItem(place, JSON.stringify(forms))

function formsOf(account: number): Kept['forms'] {
  const found = kept()
  return found?.account === account ? found.forms : {}
}

export const draftOf = (account: number, form: string): Draft | undefined => formsOf(account)[form]

/** Keeps what was typed into a form. */
export function keepDraft(account: number, form: string, draft: Draft): void {
  if (Object.keys(draft.typed).length === 0) dropDraft(account, form)
  else put({ account, forms: { ...formsOf(account), [form]: draft } })
}

/** Drops what was kept of a form. */
export function dropDraft(account: number, form: string): void {
  const { [form]: dropped, ...forms } = formsOf(account)
  if (dropped === undefined) return
  if (Object.keys(forms).length === 0) dropDrafts()
  else put({ account, forms })
}

/** Drops what was kept of all others. */
export function dropDraftsOfOthers(account: number): void {
  if (kept()?.account !== account) dropDrafts()
}

export const dropDrafts = () => sessionStorage.removeItem(place)
