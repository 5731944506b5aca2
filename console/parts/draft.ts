import { useEffect, useLayoutEffect } from 'preact/hooks'
import { type Draft, draftOf, dropDraft, keepDraft } from '../session/drafts.ts'
import { accountOf } from '../session/session.ts'
import { isSensitive, type Typed } from '../student/form.ts'

/** The fields of a form that differ from what stood there, without those that are sensitive. */
function plainChanges(before: Typed, typed: Typed): Draft {
  const pointers = Object.keys(typed).filter((at) => !isSensitive(at) && typed[at] !== (before[at] ?? ''))
  const only = (from: Typed) => Object.fromEntries(pointers.map((at) => [at, from[at] ?? '']))
  return { before: only(before), typed: only(typed) }
}

/** What a reload left of a form, as far as it still has these fields. */
export function keptDraft(form: string, fields: Typed): Draft | undefined {
  const draft = draftOf(accountOf()?.id ?? 0, form)
  if (draft === undefined) return undefined
  const only = (from: Typed) => Object.fromEntries(Object.entries(from).filter(([at]) => at in fields))
  return { before: only(draft.before), typed: only(draft.typed) }
}

/** Keeps what is typed into a form over a reload of the tab, as long as the form is there. */
export function useDraft(form: string, before: Typed, typed: Typed): void {
  const account = accountOf()?.id ?? 0
  useEffect(() => keepDraft(account, form, plainChanges(before, typed)), [before, typed])
  useLayoutEffect(() => () => dropDraft(account, form), [form])
}
