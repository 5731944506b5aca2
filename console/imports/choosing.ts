import { texts } from './texts.ts'

interface Choosing {
  readonly advice?: string
  readonly other: string
  readonly leaveOut: string
}

/** What can be said of a row: one that is doubtful for another row's sake is compared with no child who is there. */
export function choicesFor(reasons: readonly string[], isLikeKnown: boolean): Choosing {
  const { ofNumber, ofTwins, other, leaveOut, twice } = texts()
  if (reasons.includes('number_twice')) return ofNumber
  const isTwin = reasons.some((code) => code in twice)
  return isTwin && !isLikeKnown ? ofTwins : { other, leaveOut }
}
