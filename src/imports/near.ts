import { type CodePoints, codePointsOf, isOneApart } from '../students/doubles/distance.ts'
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

/** How many students are told of a row. */
const mostIds = 20

/** How many pairs of names are looked at for being similar. */
const mostLooks = 200_000_000

/** Rows of one date of birth, by places and names: two lists take half the memory of one of both. */
interface OfDate {
  readonly places: number[]
  readonly names: string[]
}

/**
 * Finds the students whom rows may be, without an index: each student is looked at once. Of a row it keeps what is
 * compared.
 */
export class NearFinder {
  readonly #isSeen: (classId: number) => boolean
  readonly #seesDate: (classId: number) => boolean
  readonly #byNumber = new PlacesBy()
  readonly #byDate = new Map<string, OfDate>()
  readonly #byNameAndClass = new PlacesBy()
  readonly #codes = new Map<string, CodePoints>()
  readonly #found = new Map<string, { place: number; reason: NearReason; ids: number[] }>()
  #looks = mostLooks

  constructor({ students, dates }: NearScopes) {
    this.#isSeen = oneOf(students)
    this.#seesDate = oneOf(dates)
  }

  addRows(candidates: readonly Candidate[]): void {
    for (const { place, number, foldedName, dateOfBirth, classId } of candidates) {
      if (number !== null) this.#byNumber.add(skeletonOf(number), place)
      if (foldedName === null) continue
      if (dateOfBirth !== null) this.#addToDate(dateOfBirth, place, foldedName)
      else if (classId !== null) this.#byNameAndClass.add(`${classId} ${foldedName}`, place)
    }
  }

  #addToDate(date: string, place: number, name: string): void {
    const found = this.#byDate.get(date) ?? { places: [], names: [] }
    this.#byDate.set(date, found)
    found.places.push(place)
    found.names.push(name)
  }

  /** Takes students, in the order of ids. */
  addStudents(students: readonly NearStudent[]): void {
    for (const [id, classId, date, name, key] of students) {
      if (!this.#isSeen(classId)) continue
      for (const one of this.#byNumber.get(skeletonOf(key))) this.#tell(one, 'similar_number', id)
      if (date === null) {
        for (const one of this.#byNameAndClass.get(`${classId} ${name}`))
          this.#tell(one, 'same_name_and_class', id)
      } else if (this.#seesDate(classId)) this.#compareNames(this.#byDate.get(date), id, name)
    }
  }

  #compareNames({ places, names }: OfDate = { places: [], names: [] }, id: number, name: string): void {
    let codes: CodePoints | undefined
    for (const [i, place] of places.entries()) {
      const other = names[i]!
      if (other === name) this.#tell(place, 'same_name_and_date', id)
      else if (this.#looks-- > 0 && mayBeNear(name, other)) {
        codes ??= codePointsOf(name)
        if (isOneApart(codes, this.#codesOf(other))) this.#tell(place, 'similar_name_and_date', id)
      }
    }
  }

  #codesOf(name: string): CodePoints {
    const codes = this.#codes.get(name) ?? codePointsOf(name)
    this.#codes.set(name, codes)
    return codes
  }

  #tell(place: number, reason: NearReason, id: number): void {
    const key = `${place} ${reason}`
    const near = this.#found.get(key) ?? { place, reason, ids: [] }
    this.#found.set(key, near)
    if (near.ids.length < mostIds) near.ids.push(id)
  }

  found(): Near[] {
    return [...this.#found.values()].sort((a, b) => a.place - b.place)
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
}
