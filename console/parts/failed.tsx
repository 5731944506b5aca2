import { useEffect, useRef } from 'preact/hooks'
import type { Problem } from '../../client/src/index.ts'
import { codeOf, type Failure, isOffline } from '../api/calls.ts'
import { t } from '../language/language.ts'

/** A room's own sentences for problems, by their codes. */
export type Sentences = Partial<Record<Problem['code'], string>>

/** A problem in the reader's language, else as the server says it. */
export function sentenceOf(failure: Failure, own: Sentences = {}): string {
  if (failure.is === 'offline') return t().failed.offline
  const { code, detail } = failure.problem
  const known: Sentences = t().problems
  const { waitSeconds } = failure
  return [own[code] ?? known[code] ?? detail, waitSeconds && t().againIn(waitSeconds)]
    .filter(Boolean)
    .join(' ')
}

/** Longer waits are the reader's to decide on. */
const longestWaitSeconds = 120

/** Tries again when the connection is back, or when the server said that it would take it. */
function useAgain(failure: Failure, again: (() => void) | undefined): void {
  const wasOffline = useRef(isOffline.value)
  const { value: isGone } = isOffline
  useEffect(() => {
    if (failure.is === 'offline' && wasOffline.current && !isGone) again?.()
    wasOffline.current = isGone
  }, [isGone])
  const waitSeconds = failure.is === 'problem' ? failure.waitSeconds : undefined
  useEffect(() => {
    if (waitSeconds === undefined || waitSeconds > longestWaitSeconds || again === undefined) return
    const timer = setTimeout(again, waitSeconds * 1000)
    return () => clearTimeout(timer)
  }, [failure])
}

/** What failed, and what can be done: try again, or tell the operator the number of the request. */
export function Failed({
  what,
  failure,
  again,
  sentences,
}: {
  what: string
  failure: Failure
  again?: (() => void) | undefined
  sentences?: Sentences | undefined
}) {
  useAgain(failure, again)
  const code = codeOf(failure)
  if (code === 'token_invalid' || code === 'token_missing') return null // the sign-in says it
  return (
    <div class="failed" role="alert">
      <p>
        <strong>{what}</strong> {sentenceOf(failure, sentences)}
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
