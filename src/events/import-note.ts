/* How the change set of an import tells which import and which row it is about. */

/** Rows of a sheet beside those of another: more than a sheet can have (1 048 576). */
const rowsOfSheet = 2 ** 21

/** The place of a row: sheet from 0, row from 1 as a spreadsheet numbers it (the header counts, blank rows too). */
export function placeOf(sheet: number, row: number): number {
  return sheet * rowsOfSheet + row
}

export function rowAt(place: number): { readonly sheet: number; readonly row: number } {
  return { sheet: Math.floor(place / rowsOfSheet), row: place % rowsOfSheet }
}

/** Where what a slice changes besides its rows stands: below all rows, apart from that of other slices. */
export function belowRow(place: number): number {
  return place * -1_000
}

/** The note of an import's change set, whose kind is `import`. */
export function importNote(id: number): string {
  return `import ${id}`
}

/** The import that the note of a change set names; undefined: none. */
export function importOf({
  kind,
  note,
}: {
  readonly kind: string
  readonly note: string | null
}): number | undefined {
  const [, id] = (kind === 'import' && /^import (\d+)$/.exec(note ?? '')) || []
  return id === undefined ? undefined : Number(id)
}
