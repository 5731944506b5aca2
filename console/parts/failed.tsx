import type { Problem } from '../../client/src/index.ts'
import { codeOf, type Failure } from '../api/calls.ts'
import { t } from '../language/language.ts'

/** A problem in the reader's language, else as the server says it. */
export function sentenceOf(failure: Failure): string {
  if (failure.is === 'offline') return t().failed.offline
  const { code, detail } = failure.problem
  const known: Partial<Record<Problem['code'], string>> = t().problems
  return known[code] ?? detail
}

/** What failed, and what can be done: try again, or tell the operator the number of the request. */
export function Failed({
  what,
  failure,
  again,
}: {
  what: string
  failure: Failure
  again?: (() => void) | undefined
}) {
  const code = codeOf(failure)
  if (code === 'token_invalid' || code === 'token_missing') return null // the sign-in says it
  return (
    <div class="failed" role="alert">
      <p>
        <strong>{what}</strong> {sentenceOf(failure)}
      </p>
      {failure.is === 'problem' && failure.problem.request_id && (
        <p class="hint">
          <bdi>{t().requestId(failure.problem.request_id)}</bdi>
        </p>
      )}
      {again && (
        <button type="button" onClick={again}>
          {t().tryAgain}
        </button>
      )}
    </div>
  )
}
