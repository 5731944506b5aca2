/** Aligns rows into a table: the first `texts` columns to the left, figures to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column < texts ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd()
  return [line(header), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

/** A number with thousands set apart; "n/a" when it is not known. */
export function figure(value: number | null | undefined, digits = 0): string {
  if (value === undefined || value === null || Number.isNaN(value)) return 'n/a'
  const [whole = '', fraction] = value.toFixed(digits).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
