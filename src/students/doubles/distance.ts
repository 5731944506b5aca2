/** A text as its code points. */
export type CodePoints = readonly number[]

/** The code points of a text. */
export function codePointsOf(text: string): CodePoints {
  const codes: number[] = []
  for (let i = 0; i < text.length; ) {
    const code = text.codePointAt(i)!
    codes.push(code)
    i += code > 0xffff ? 2 : 1
  }
  return codes
}

/**
 * Whether two texts are at Damerau–Levenshtein distance 1 (optimal string alignment): one character more, less or
 * another, or two neighbours swapped. It looks at what stands between their common beginning and end.
 */
export function isOneApart(one: CodePoints, other: CodePoints): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  const shorter = Math.min(one.length, other.length)
  let begin = 0
  while (begin < shorter && one[begin] === other[begin]) begin++
  let alikeAtEnd = 0
  while (alikeAtEnd < shorter - begin && one.at(-1 - alikeAtEnd) === other.at(-1 - alikeAtEnd)) alikeAtEnd++
  const [left, right] = [one.length - begin - alikeAtEnd, other.length - begin - alikeAtEnd]
  if (left <= 1 && right <= 1) return left + right > 0
  const areTwo = left === 2 && right === 2
  return areTwo && one[begin] === other[begin + 1] && one[begin + 1] === other[begin]
}
