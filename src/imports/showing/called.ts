import type { Settings } from '../model.ts'

/** A longer cell is no name. */
const mostCharacters = 250

/** How a row's cells call the record; null: they do not. */
export type CalledBy = (cells: readonly string[]) => string | null

/**
 * What tells how a file calls its records: by the name, or by its parts in the order that was answered, or by the label
 * of a class.
 * @param columns the column of each heading
 */
export function calledBy(
  columns: readonly (string | undefined)[],
  { name_order: order }: Settings,
): CalledBy {
  const placesOf = (names: readonly string[]) =>
    names.map((name) => columns.indexOf(name)).filter((place) => place >= 0)
  const parts = order === 'family_first' ? ['family_name', 'given_name'] : ['given_name', 'family_name']
  const places = [['name'], parts, ['label']].map(placesOf).find((some) => some.length > 0) ?? []
  return (cells) => {
    const texts = places.map((place) => (cells[place] ?? '').trim()).filter((text) => text !== '')
    return texts.length === 0 ? null : texts.join(' ').slice(0, mostCharacters)
  }
}
