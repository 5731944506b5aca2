/** How many columns a spreadsheet has. */
const mostColumns = 16_384

/** The letters of a column, from 0: A to Z, AA … */
export function lettersOf(column: number): string {
  const rest = Math.floor(column / 26)
  return `${rest === 0 ? '' : lettersOf(rest - 1)}${String.fromCharCode(65 + (column % 26))}`
}

/** The column, from 0, of a cell by a reference such as `AB12` or `ab12`; undefined: there is none such. */
export function columnOf(reference: string): number | undefined {
  let column = 0
  for (let i = 0; i < reference.length && column <= mostColumns; i++) {
    const letter = reference.charCodeAt(i) & ~0x20 // in capitals
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  return column >= 1 && column <= mostColumns ? column - 1 : undefined
}
