import { PlacesBy } from './places-by.ts'

/** From how many texts on a group stays unpacked: to unpack it for each student would take minutes. */
const many = 100

/**
 * The places of rows by texts, in groups. A file has a hundred thousand: they are kept as bytes, and a group becomes
 * objects when it is asked for. The texts are well-formed: a lone surrogate has no bytes.
 */
export class PackedGroups<Group> {
  readonly #last = new Map<Group, number>()
  #places = new Float64Array(1_024)
  /** Of each text, the one before it in its group (-1: none), and where its bytes end. */
  #links = new Int32Array(2 * 1_024)
  #bytes = Buffer.alloc(16 * 1_024)
  #count = 0
  readonly #unpacked = new Map<Group, PlacesBy>()

  add(group: Group, text: string, place: number): void {
    const nth = this.#count++
    const begin = this.#endOf(nth - 1)
    this.#makeRoom(begin + 3 * text.length) // as UTF-8
    this.#places[nth] = place
    this.#links[2 * nth] = this.#last.get(group) ?? -1
    this.#links[2 * nth + 1] = begin + this.#bytes.write(text, begin)
    this.#last.set(group, nth)
    this.#unpacked.delete(group)
  }

  #makeRoom(bytes: number): void {
    if (bytes > this.#bytes.length) this.#bytes = Buffer.from(grown(this.#bytes, bytes))
    if (this.#count <= this.#places.length) return
    this.#places = new Float64Array(grown(this.#places))
    this.#links = new Int32Array(grown(this.#links))
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

/** The memory of an array, with room for half as much again or for `least` bytes. What is in it moves there. */
function grown({ buffer, byteLength }: Buffer | Float64Array | Int32Array, least = 0): ArrayBuffer {
  const size = Math.max(least, byteLength * 1.5)
  return (buffer as ArrayBuffer).transfer(8 * Math.ceil(size / 8))
}
