import type { MappedColumn } from './column-mapping.ts'
import { type GuardianPart, guardianColumn, guardianOf } from './guardian-columns.ts'
import { guardianHeading } from './guardian-words.ts'

/* Parts of guardians whose heading names nobody: `Telefon` beside `Mutter` and `Vater`. */

const ways: readonly GuardianPart[] = ['phone', 'email']

/**
 * The columns of the first guardian's phone and e-mail address whose headings name nobody, where nobody else of the file
 * has such a part. In a row without the first guardian's name they are those of whom it names.
 */
export function unownedColumns(
  mapped: readonly Pick<MappedColumn, 'at' | 'column'>[],
  header: readonly string[],
): ReadonlySet<string> {
  const found = mapped.flatMap(({ at, column }) => {
    const part = guardianOf(column ?? '')?.part
    return part !== undefined && ways.includes(part) ? [{ at, column: column!, part }] : []
  })
  const unowned = found.filter(
    ({ at, column, part }) =>
      column === guardianColumn(1, part) &&
      guardianHeading(header[at] ?? '') === undefined &&
      found.filter((other) => other.part === part).length === 1,
  )
  return new Set(unowned.map(({ column }) => column))
}

/**
 * What a column most likely is whose heading stands there several times, as in `Mère | Téléphone | Père | Téléphone`: a
 * part of the guardian to its left.
 */
export function ofGuardianBefore(
  { at, column, candidates }: MappedColumn,
  all: readonly MappedColumn[],
  header: readonly string[],
  guess: (heading: string) => readonly string[],
): string | undefined {
  if (column !== undefined) return undefined
  const isAgain = header.some((heading, other) => other !== at && heading.trim() === header[at]?.trim())
  if (!isAgain) return undefined
  const likely = candidates[0] ?? guess(header[at] ?? '')[0] ?? ''
  const part = guardianOf(likely)?.part ?? likely
  const number = guardianOf(
    all.findLast((other) => other.at < at && guardianOf(other.column ?? ''))?.column ?? '',
  )?.number
  return number !== undefined && (ways as readonly string[]).includes(part)
    ? guardianColumn(number, part as GuardianPart)
    : undefined
}
