import type { Layout } from './layout.ts'

/** About how many letters stand beside each other on a page. */
const lettersAcross = { portrait: 90, landscape: 130 } as const
/** About how many the space around a cell takes. */
const lettersAround = 1.6
const leastLetters = 2

/** How many letters a word may have and stay whole, so that all columns fit on the page. */
export const longestWord = ({ paper }: Pick<Layout, 'paper'>, columns: number) =>
  Math.max(leastLetters, Math.floor(lettersAcross[paper] / columns - lettersAround))

/** A number is read as one: so long it stays whole everywhere. */
const longestNumber = 12

/** How a text is broken: `short`: nowhere; `breaks`: anywhere, since it has a long word; else between words. */
export function wrapOf(text: string, longest: number, isNumber = false): 'short' | 'breaks' | undefined {
  if (text.length <= (isNumber ? Math.max(longest, longestNumber) : longest)) return 'short'
  return text.split(/[\s-]+/).some((word) => word.length > longest) ? 'breaks' : undefined
}
