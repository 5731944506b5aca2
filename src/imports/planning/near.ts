import { type CodePoints, codePointsOf, isOneApart } from '../../students/doubles/distance.ts'
import { comparedName, plainName, turnsOf } from '../../students/doubles/turned-names.ts'
import { type NearReason, nearReasons, type twinReasons } from '../codes.ts'
import { PackedGroups, PackedPlaces } from './packed-places.ts'
import { PlacesBy } from './places-by.ts'
import { skeletonOf } from './skeleton.ts'

/** A row that matches nobody; what it does not give is null. */
export interface Candidate {
  readonly place: number
  readonly number: string | null
  readonly foldedName: string | null
  readonly dateOfBirth: string | null
  readonly classId: number | null
  /** Whether it is left out by hand, or refused: it makes no other row doubtful. */
  readonly isAside?: boolean
}

/** What of a student is looked at, as it is read: in the order of `NearStudent`. */
export const looked = ['id', 'class_id', 'date_of_birth', 'folded_name', 'admission_key']

/** The same, of one. */
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

/** A row, and the places of others that may be of the same child: first those that are not set aside. */
export interface Twin {
  readonly place: number
  readonly reason: (typeof twinReasons)[number]
  readonly others: readonly number[]
}

/** What is found of all rows. */
export interface NearFound {
  readonly near: readonly Near[]
  readonly twins: readonly Twin[]
  /** The places of rows whose numbers have one skeleton, in no order. */
  readonly likeNumbers: readonly (readonly number[])[]
  /** Whether all names were compared. */
  readonly isWhole: boolean
}

/** How many students are told of a row, and how many other rows. */
export const mostOthers = 20

/** How many pairs of names are looked at for being similar: in a file with one date of birth, each with each. */
export const mostLooks = 200_000_000

/**
 * Finds the students whom rows may be, without an index: each student is looked at once. Of a row it keeps what is
 * compared.
 */
export class NearFinder {
  readonly #isSeen: (classId: number) => boolean
  readonly #seesDate: (classId: number) => boolean
  readonly #byNumber = new PackedPlaces()
  /** By date of birth, and by folded name. */
  readonly #byDate = new PackedGroups<string>()
  /** The same, by `plainName`, of those that it changes. */
  readonly #bySpelling = new PackedGroups<string>()
  /** Rows with a date of birth, by `inClass`. */
  readonly #dated = new PackedPlaces()
  /** By class, and by `plainName`: rows without a date of birth. */
  readonly #undated = new Map<number, PlacesBy>()
  /** The same: rows without a number. Nothing says that two of them are two children, but their dates of birth. */
  readonly #unnumbered = new Map<number, PlacesBy>()
  readonly #dates = new Map<number, string | null>()
  readonly #aside = new Set<number>()
  readonly #codes = new Map<string, CodePoints>()
  readonly #found = new Map(nearReasons.map((reason) => [reason, new Map<number, number[]>()]))
  #looks: number

  constructor({ students, dates }: NearScopes, looks = mostLooks) {
    this.#looks = looks
    this.#isSeen = oneOf(students)
    this.#seesDate = oneOf(dates)
  }

  addRows(candidates: readonly Candidate[]): void {
    for (const { place, number, foldedName, dateOfBirth, classId, isAside } of candidates) {
      if (isAside) this.#aside.add(place)
      if (number !== null) this.#byNumber.add(skeletonOf(number), place)
      if (foldedName === null) continue
      const name = comparedName(foldedName)
      const plain = plainName(name)
      if (dateOfBirth !== null) this.#byDate.add(dateOfBirth, name, place)
      if (dateOfBirth !== null && plain !== name) this.#bySpelling.add(dateOfBirth, plain, place)
      if (classId === null) continue
      if (dateOfBirth === null) namesAt(this.#undated, classId).add(plain, place)
      else this.#dated.add(inClass(classId, plain), place)
      if (number !== null) continue
      namesAt(this.#unnumbered, classId).add(plain, place)
      this.#dates.set(place, dateOfBirth)
    }
  }

  /** Takes a student, in the order of ids. Of a date of birth that may not be seen, not even whether there is one counts. */
  addStudent([id, classId, date, foldedName, key]: NearStudent): void {
    if (!this.#isSeen(classId)) return
    const name = comparedName(foldedName)
    const plain = plainName(name)
    const turns = [name, ...turnsOf(name)]
    const plainTurns = plain === name ? turns : [plain, ...turnsOf(plain)]
    this.#tell(this.#byNumber.get(skeletonOf(key)), 'similar_number', id)
    this.#tellNamed(this.#undated.get(classId), plainTurns, 'same_name_and_class', id)
    if (!this.#seesDate(classId)) return
    if (date === null) {
      for (const turn of plainTurns)
        this.#tell(this.#dated.get(inClass(classId, turn)), 'same_name_and_class', id)
      return
    }
    const names = this.#byDate.at(date)
    this.#tellNamed(names, turns, 'same_name_and_date', id)
    this.#compareNames(names, id, name)
    if (plain !== name) this.#tellNamed(names, plainTurns, 'similar_name_and_date', id)
    this.#tellNamed(this.#bySpelling.at(date), plainTurns, 'similar_name_and_date', id)
    this.#compareDates(this.#unnumbered.get(classId), id, plainTurns, date)
  }

  #compareNames(names: PlacesBy | undefined, id: number, name: string): void {
    if (names === undefined) return
    let codes: CodePoints | undefined
    for (const other of names.keys()) {
      if (this.#looks < 0) return
      if (other === name || this.#looks-- === 0 || !mayBeNear(name, other)) continue
      codes ??= codePointsOf(name)
      if (isOneApart(codes, this.#codesOf(other))) this.#tell(names.get(other), 'similar_name_and_date', id)
    }
  }

  #compareDates(names: PlacesBy | undefined, id: number, turns: readonly string[], date: string): void {
    if (names === undefined) return
    for (const turn of turns)
      for (const place of names.get(turn)) {
        const other = this.#dates.get(place)
        if (other === null || other === date) continue
        if (this.#looks < 0 || this.#looks-- === 0) return
        this.#tell([place], 'same_name_and_class_other_date', id)
      }
  }

  #codesOf(name: string): CodePoints {
    const codes = this.#codes.get(name) ?? codePointsOf(name)
    this.#codes.set(name, codes)
    return codes
  }

  /** Tells the rows of a name, whichever of its parts stands first. */
  #tellNamed(names: PlacesBy | undefined, turns: readonly string[], reason: NearReason, id: number): void {
    if (names === undefined) return
    for (const turn of turns) this.#tell(names.get(turn), reason, id)
  }

  /** Tells all rows that are alike in this; once as many are told as may be, of all of them. */
  #tell(alike: readonly number[], reason: NearReason, id: number): void {
    const found = this.#found.get(reason)!
    const isSame = this.#found.get('same_name_and_date')!
    for (const place of alike) {
      const ids = found.get(place) ?? []
      if (ids.length === mostOthers) return
      if (reason === 'similar_name_and_date' && [ids, isSame.get(place)].some((told) => told?.at(-1) === id))
        continue // told before, since students come one by one
      if (ids.push(id) === 1) found.set(place, ids)
    }
  }

  found(): NearFound {
    const isSameDate = this.#found.get('same_name_and_date')!
    const near = [...this.#found].flatMap(([reason, found]) =>
      [...found].flatMap(([place, ids]) =>
        reason === 'same_name_and_class_other_date' && isSameDate.has(place) ? [] : { place, reason, ids },
      ),
    )
    near.sort((a, b) => a.place - b.place)
    const likeNumbers = this.#byNumber.shared()
    return { near, twins: this.#twins(), likeNumbers, isWhole: this.#looks >= 0 }
  }

  #shared(names: PlacesBy): (readonly number[])[] {
    const isAside = (place: number) => this.#aside.has(place)
    const shared = names.sharedNames()
    if (this.#aside.size === 0) return shared
    return shared.map((places) => [...places.filter((one) => !isAside(one)), ...places.filter(isAside)])
  }

  #twins(): Twin[] {
    const ofDates: Twin[] = []
    for (const names of this.#byDate.all())
      for (const places of this.#shared(names))
        for (const twin of twinsOf('name_and_date_twice', places, places)) ofDates.push(twin)
    const ofClasses = [...this.#unnumbered.values()].flatMap((names) =>
      this.#shared(names).flatMap((places) => {
        const undated = places.filter((place) => this.#dates.get(place) === null)
        const dated = places.filter((place) => this.#dates.get(place) !== null)
        return [
          ...twinsOf('name_and_class_twice', undated, places),
          ...twinsOf('name_and_class_twice', dated, undated),
        ]
      }),
    )
    return [...ofDates, ...ofClasses]
  }
}

/** Each of some rows with those that are like it. */
function twinsOf(reason: Twin['reason'], places: readonly number[], alike: readonly number[]): Twin[] {
  const some = alike.slice(0, mostOthers + 1)
  return places.flatMap((place) => {
    const others = some.filter((other) => other !== place)
    return others.length === 0 ? [] : { place, reason, others }
  })
}

/** Whether two texts may be one apart, told quickly: then they begin or end with the same character. */
function mayBeNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false
  if (one.length < 4 || other.length < 4) return true
  return one[0] === other[0] || one.at(-1) === other.at(-1)
}

function inClass(classId: number, name: string): string {
  return `${classId} ${name}`
}

function namesAt(classes: Map<number, PlacesBy>, classId: number): PlacesBy {
  const names = classes.get(classId) ?? new PlacesBy()
  classes.set(classId, names)
  return names
}

function oneOf(classes: readonly number[] | null): (classId: number) => boolean {
  if (classes === null) return () => true
  const ids = new Set(classes)
  return (classId) => ids.has(classId)
}
