/** Cells that are weighed, and bytes of one that are looked at. */
const mostCells = 2_000
const mostBytes = 200

/** How many ASCII bytes of a long cell are kept before the first other one. */
const bytesBefore = 20

/**
 * Collects the cells of a text file that hold bytes other than ASCII, each once. The delimiter is not known yet, so a
 * cell ends at any byte that is no part of a character in any encoding: TAB, LF, CR, `"`, `,` and `;`.
 */
export class ForeignCells {
  readonly #cells = new Map<string, Buffer>()
  readonly #telling: Buffer[] = []
  readonly #bytes = new Set<number>()
  #rest = Buffer.alloc(0)

  add(bytes: Uint8Array): void {
    const all = Buffer.concat([this.#rest, bytes])
    let start = 0
    let foreign = -1
    for (let at = 0; at < all.length; at++) {
      const byte = all[at]!
      if (byte >= 0x80) {
        if (foreign === -1) foreign = at
      } else if (isEnd(byte)) {
        if (foreign !== -1) this.#keep(all, start, foreign, at)
        start = at + 1
        foreign = -1
      }
    }
    // Of a long cell the beginning is enough, cut so that what follows is not taken for it.
    this.#rest = Buffer.from(all.subarray(start))
    if (foreign !== -1 && this.#rest.length > mostBytes) {
      this.#keep(all, start, foreign, all.length)
      this.#rest = Buffer.alloc(0)
    }
  }

  /** Ends the last cell. */
  end(): void {
    this.add(Buffer.from('\n'))
  }

  /** Up to some thousand cells. */
  get cells(): readonly Buffer[] {
    return [...this.#cells.values()]
  }

  /** Those of them that hold a byte which no other before it holds. */
  get telling(): readonly Buffer[] {
    return this.#telling
  }

  /** All bytes of the file that are not ASCII, each once. */
  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }

  #keep(all: Buffer, start: number, foreign: number, end: number): void {
    const from = Math.max(start, foreign - bytesBefore)
    const cell = all.subarray(from, Math.min(end, from + mostBytes))
    const known = this.#bytes.size
    for (const byte of cell) if (byte >= 0x80) this.#bytes.add(byte)
    const isTelling = this.#bytes.size > known
    if (!isTelling && this.#cells.size >= mostCells) return
    const copy = Buffer.from(cell)
    this.#cells.set(cell.toString('latin1'), copy)
    if (isTelling) this.#telling.push(copy)
  }
}

function isEnd(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x22 || byte === 0x2c || byte === 0x3b
}
