import { type CodePoints, codePointsOf, isOneApart } from '../../students/doubles/distance.ts'
import { skeletonOf } from './skeleton.ts'

/** Why a row may be of a student whom it does not match. */
export const nearReasons = [
  'same_id',
  'similar_number',
  'same_name_and_date',
  'similar_name_and_date',
  'same_name_and_class',
] as const

export type NearReason = (typeof nearReasons)[number]

/** A row that matches nobody; what it does not give is null. */
export interface Candidate {
  readonly place: number
  readonly number: string | null
  readonly foldedName: string | null
  readonly dateOfBirth: string | null
  readonly classId: number | null
}

/** What of a student is looked at. */
export type NearStudent = readonly [
  id: number,
  classId: number,
  dateOfBirth: string | null,
  foldedName: string,
  admissionKey: string,
]

/** The classes whose students count; null: all. */
export interface NearScopes {
  readonly students: readonly number[] | null
  /** Whose dates of birth count. */
  readonly dates: readonly number[] | null
}

/** The students whom a row may be, the lowest ids first. */
export interface Near {
  readonly place: number
  readonly reason: NearReason
  readonly ids: readonly number[]
}

/** What is found of all rows. */
export interface NearFound {
  readonly near: readonly Near[]
  /** Rows with the name and the date of birth of others, of which some come second. */
  readonly twins: readonly (readonly [place: number, others: readonly number[]])[]
  /** Whether all names were compared. */
  readonly isWhole: boolean
}

/** How many students are told of a row, and how many other rows. */
const mostIds = 20

/** How many pairs of names are looked at for being similar: in a file with one date of birth, each with each. */
export const mostLooks = 200_000_000

/**
 * Finds the students whom rows may be, without an index: each student is looked at once. Of a row it keeps what is
 * compared.
 */
export class NearFinder {
  readonly #isSeen: (classId: number) => boolean
  readonly #seesDate: (classId: number) => boolean
  readonly #byNumber = new PlacesBy()
  /** By date of birth, and by folded name. */
  readonly #byDate = new Map<string, PlacesBy>()
  readonly #byNameAndClass = new PlacesBy()
  readonly #codes = new Map<string, CodePoints>()
  readonly #found = new Map<string, { place: number; reason: NearReason; ids: number[] }>()
  #looks: number

  constructor({ students, dates }: NearScopes, looks = mostLooks) {
    this.#looks = looks
    this.#isSeen = oneOf(students)
    this.#seesDate = oneOf(dates)
  }

  addRows(candidates: readonly Candidate[]): void {
    for (const { place, number, foldedName, dateOfBirth, classId } of candidates) {
      if (number !== null) this.#byNumber.add(skeletonOf(number), place)
      if (foldedName === null) continue
      if (dateOfBirth !== null) this.#namesOf(dateOfBirth).add(foldedName, place)
      else if (classId !== null) this.#byNameAndClass.add(`${classId} ${foldedName}`, place)
    }
  }

  /** Takes students, in the order of ids. */
  addStudents(students: readonly NearStudent[]): void {
    for (const [id, classId, date, name, key] of students) {
      if (!this.#isSeen(classId)) continue
      this.#tell(this.#byNumber.get(skeletonOf(key)), 'similar_number', id)
      if (date === null) this.#tell(this.#byNameAndClass.get(`${classId} ${name}`), 'same_name_and_class', id)
      else if (this.#seesDate(classId)) this.#compareNames(this.#byDate.get(date), id, name)
    }
  }

  #namesOf(date: string): PlacesBy {
    const names = this.#byDate.get(date) ?? new PlacesBy()
    this.#byDate.set(date, names)
    return names
  }

  #compareNames(names: PlacesBy | undefined, id: number, name: string): void {
    if (names === undefined) return
    this.#tell(names.get(name), 'same_name_and_date', id)
    let codes: CodePoints | undefined
    for (const other of names.keys()) {
      if (this.#looks < 0) return
      if (other === name || this.#looks-- === 0 || !mayBeNear(name, other)) continue
      codes ??= codePointsOf(name)
      if (isOneApart(codes, this.#codesOf(other))) this.#tell(names.get(other), 'similar_name_and_date', id)
    }
  }

  #codesOf(name: string): CodePoints {
    const codes = this.#codes.get(name) ?? codePointsOf(name)
    this.#codes.set(name, codes)
    return codes
  }

  /** Tells all rows that are alike in this; once as many are told as may be, of all of them. */
  #tell(alike: readonly number[], reason: NearReason, id: number): void {
    for (const place of alike) {
      const key = `${place} ${reason}`
      const near = this.#found.get(key) ?? { place, reason, ids: [] }
      this.#found.set(key, near)
      if (near.ids.length === mostIds) return
      near.ids.push(id)
    }
  }

  found(): NearFound {
    const near = [...this.#found.values()].sort((a, b) => a.place - b.place)
    return { near, twins: this.#twins(), isWhole: this.#looks >= 0 }
  }

  #twins(): NearFound['twins'] {
    return [...this.#byDate.values()].flatMap((names) =>
      names.shared().flatMap((places) => {
        const some = places.slice(0, mostIds + 1)
        return places.map((place) => [place, some.filter((other) => other !== place)] as const)
      }),
    )
  }
}

/** Whether two texts may be one apart, told quickly: then they begin or end with the same character. */
function mayBeNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false
  if (one.length < 4 || other.length < 4) return true
  return one[0] === other[0] || one.at(-1) === other.at(-1)
}

function oneOf(classes: readonly number[] | null): (classId: number) => boolean {
  if (classes === null) return () => true
  const ids = new Set(classes)
  return (classId) => ids.has(classId)
}

/** The places of rows by what they have in common, which is most often one place. */
class PlacesBy {
  readonly #places = new Map<string, number | number[]>()

  add(key: string, place: number): void {
    const found = this.#places.get(key)
    if (found === undefined) this.#places.set(key, place)
    else if (typeof found === 'number') this.#places.set(key, [found, place])
    else found.push(place)
  }

  get(key: string): readonly number[] {
    const found = this.#places.get(key) ?? []
    return typeof found === 'number' ? [found] : found
  }

  keys(): Iterable<string> {
    return this.#places.keys()
  }

  /** The places that have something in common with others. */
  shared(): (readonly number[])[] {
    return [...this.#places.values()].filter((found) => typeof found !== 'number')
  }
}
