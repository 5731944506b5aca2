import { PlacesBy } from './places-by.ts'

/** From how many texts on a group stays unpacked: to unpack it for each student would take minutes. */
const many = 100

/**
 * The places of rows by texts, in groups. A file has a hundred thousand: they are kept as bytes, and a group becomes
 * objects when it is asked for. The texts are well-formed: a lone surrogate has no bytes.
 */
export class PackedGroups<Group> {
  readonly #last = new Map<Group, number>()
  readonly #places = new Float64Array(emptyRoom())
  /** Of each text, the one before it in its group (-1: none), and where its bytes end. */
  readonly #links = new Int32Array(emptyRoom())
  #bytes = Buffer.from(emptyRoom())
  #count = 0
  readonly #unpacked = new Map<Group, PlacesBy>()

  add(group: Group, text: string, place: number): void {
    const nth = this.#count++
    const begin = this.#endOf(nth - 1)
    makeRoom(this.#places, nth + 1)
    makeRoom(this.#links, 2 * nth + 2)
    const most = begin + 3 * text.length // as UTF-8
    if (makeRoom(this.#bytes, most)) this.#bytes = Buffer.from(this.#bytes.buffer)
    this.#places[nth] = place
    this.#links[2 * nth] = this.#last.get(group) ?? -1
    this.#links[2 * nth + 1] = begin + this.#bytes.write(text, begin)
    this.#last.set(group, nth)
    this.#unpacked.delete(group)
  }

  /** The texts of a group. */
  at(group: Group): PlacesBy | undefined {
    const known = this.#unpacked.get(group)
    const last = this.#last.get(group)
    if (known !== undefined || last === undefined) return known
    const nths = this.#from(last)
    const places = this.#unpack(nths)
    if (nths.length >= many) this.#unpacked.set(group, places)
    return places
  }

  *all(): Iterable<PlacesBy> {
    for (const [group, last] of this.#last) yield this.#unpacked.get(group) ?? this.#unpack(this.#from(last))
  }

  /** A text and those before it in its group, in the order in which they came. */
  #from(last: number): number[] {
    const nths: number[] = []
    for (let nth = last; nth >= 0; nth = this.#links[2 * nth]!) nths.push(nth)
    return nths.reverse()
  }

  #unpack(nths: readonly number[]): PlacesBy {
    const places = new PlacesBy()
    for (const nth of nths) places.add(this.#textAt(nth), this.#places[nth]!)
    return places
  }

  #textAt(nth: number): string {
    return this.#bytes.toString('utf8', this.#endOf(nth - 1), this.#endOf(nth))
  }

  #endOf(nth: number): number {
    return nth < 0 ? 0 : this.#links[2 * nth + 1]!
  }
}

/** Over how many groups texts are spread that are asked for one by one. */
const spread = 16_384

/** The places of rows by texts, kept as bytes. */
export class PackedPlaces {
  readonly #groups = new PackedGroups<number>()

  add(text: string, place: number): void {
    this.#groups.add(groupOf(text), text, place)
  }

  get(text: string): readonly number[] {
    return this.#groups.at(groupOf(text))?.get(text) ?? []
  }

  /** The places that have a text in common with others. */
  shared(): (readonly number[])[] {
    const shared: (readonly number[])[] = []
    for (const places of this.#groups.all()) for (const alike of places.shared()) shared.push(alike)
    return shared
  }
}

function groupOf(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return (hash >>> 0) % spread
}

/** How much memory is reserved for an array: more than a file of 32 MiB needs. It is taken as it is used. */
const reservedBytes = 2 ** 30

/** How much more an array has at once, in bytes. */
const moreBytes = 64 * 1_024

function emptyRoom(): ArrayBuffer {
  return new ArrayBuffer(0, { maxByteLength: reservedBytes })
}

/** Has an array hold so many, where it lies: to move it would take twice the memory. @returns whether it grew */
function makeRoom(array: Buffer | Float64Array | Int32Array, length: number): boolean {
  if (length <= array.length) return false
  const bytes = length * array.BYTES_PER_ELEMENT
  ;(array.buffer as ArrayBuffer).resize(moreBytes * Math.ceil(bytes / moreBytes))
  return true
}
