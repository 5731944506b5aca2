import { uniqueKey } from '../../text/normalise.ts'

/** An admission number without hyphens, and without the zeros before each run of digits: what a spreadsheet loses. */
export function skeletonOf(number: string): string {
  return uniqueKey(number)
    .replaceAll('-', '')
    .replace(/(?<!\d)0+(?=\d)/g, '')
}
