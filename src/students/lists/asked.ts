import type { Scope } from '../../access/scope.ts'
import type { PageRequest } from '../../db/pages.ts'
import { isNowhere, maxSearchWords, patternsOf, tooManyWords } from '../../text/search-words.ts'
import type { ListColumn } from './columns.ts'
import type { Condition } from './filter.ts'
import { type GuardianQuery, guardianQuery } from './guardians.ts'

/* What a list of students may be asked for, and what both engines make of it. */

/** What a list may be sorted by, and the columns that this means; each has an index, and ends in the id. */
const columnsOfSorts = {
  id: [],
  name: ['folded_name', 'name'],
  admission_number: ['admission_key'],
  created_at: ['created_at'],
  family_name: ['folded_family_name', 'folded_name', 'name'],
  date_of_birth: ['date_of_birth'],
} as const

/** The sorted columns that may be empty. Students without such a value are last, whatever the direction. */
const mayBeEmpty = ['folded_family_name', 'date_of_birth'] as const

/** A name in `sort`. */
type SortKey = keyof typeof columnsOfSorts

/** A key, with `-` before it for descending. */
export type Sort = SortKey | `-${SortKey}`

/** Every sort. */
export const sorts = (Object.keys(columnsOfSorts) as SortKey[]).flatMap((key): Sort[] => [key, `-${key}`])

/** A column that a sort looks at before the id. */
export type SortColumn = (typeof columnsOfSorts)[SortKey][number]

/** One that may be empty. */
export type NullableColumn = (typeof mayBeEmpty)[number]

/** A list that a caller may read. */
export interface ListRequest {
  /** The classes that are listed: of those in scope, the ones that are asked for. */
  readonly classes: Scope
  /** Words that all must be found; without them, no search. */
  readonly search?: string | undefined
  /** What one of the guardians is found by; see `guardianQuery`. */
  readonly guardian?: string | undefined
  /** All of these hold. */
  readonly conditions?: readonly Condition[]
  readonly sort: Sort
  readonly columns: readonly ListColumn[]
}

/** One page of a list of students, limited to certain classes. */
export interface Asked {
  /** Texts that the searched text of a student must all hold. */
  readonly patterns: readonly string[]
  /** Which guardian the student must have; undefined: any, or none. */
  readonly guardian: GuardianQuery | undefined
  /** The classes that the student may be in: never none. */
  readonly classes: Scope
  /** What else the student must be. */
  readonly conditions: readonly Condition[]
  readonly columns: readonly ListColumn[]
  /** The columns that are looked at before the id, and which way. */
  readonly sortedBy: readonly SortColumn[]
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/**
 * What is asked for with a page of a list.
 * @returns undefined where nobody can be found
 * @throws Problem validation_failed when a search has too many words
 */
export function askedFor(
  { classes, search = '', guardian = '', conditions = [], sort, columns }: ListRequest,
  { page, perPage }: PageRequest,
): Asked | undefined {
  const patterns = patternsOf(search)
  const ofGuardian = readGuardian(guardian)
  const texts = [...patterns, ...(ofGuardian?.names ?? []), ofGuardian?.email ?? '']
  if (classes.length === 0 || texts.some(isNowhere)) return undefined
  const key = keyOf(sort)
  return {
    patterns,
    guardian: ofGuardian,
    classes,
    conditions,
    columns,
    sortedBy: columnsOfSorts[key],
    direction: key === sort ? 'asc' : 'desc',
    limit: perPage,
    offset: (page - 1) * perPage,
  }
}

/**
 * @param pointer where the text stands in what was sent
 * @returns undefined where no guardian is asked for
 * @throws Problem validation_failed for too many words
 */
export function readGuardian(text: string, pointer = '/guardian'): GuardianQuery | undefined {
  const asked = text === '' ? undefined : guardianQuery(text)
  if ((asked?.names.length ?? 0) > maxSearchWords) throw tooManyWords(pointer)
  return asked
}

/** The name of a sort, without its direction. */
export function keyOf(sort: Sort): SortKey {
  return sort.replace('-', '') as SortKey
}

/** Those of the classes that are asked for, in ascending order; without any, all that are in scope. */
export function within(scope: Scope, classIds: readonly number[] | undefined): Scope {
  if (classIds === undefined) return scope
  const ids = [...new Set(classIds)].sort((a, b) => a - b)
  return scope === 'all' ? ids : ids.filter((id) => scope.includes(id))
}

/** The first column of the order, where it may be empty. */
export function nullableColumn({ sortedBy }: Asked): NullableColumn | undefined {
  const [first] = sortedBy
  return mayBeEmpty.find((column) => column === first)
}

/** Students as a JSON array in UTF-8, and how many there are in all at the same moment. */
export interface JsonPage {
  readonly json: Uint8Array
  readonly total: number
}

export const emptyPage: JsonPage = { json: Buffer.from('[]'), total: 0 }

/** Collects the values of a statement, and gives what stands for them: `?1` on SQLite, `$1` on PostgreSQL. */
export class BoundValues {
  readonly #sign: '?' | '$'
  readonly all: (string | number)[] = []

  constructor(sign: '?' | '$') {
    this.#sign = sign
  }

  bind(value: string | number): string {
    return `${this.#sign}${this.all.push(value)}`
  }

  /** How texts are compared byte by byte, as SQLite does by itself. */
  get bytewise(): string {
    return this.#sign === '$' ? ' collate "C"' : ''
  }

  /** What a student has of a field of the school's own, as JSON. A key needs no quoting: see `field-key`. */
  ownField(key: string): string {
    return `students.own_fields${this.#sign === '$' ? '::json' : ''} -> '${key}'`
  }

  /** `limit` and `offset`. The limit stands in the statement: one that is bound takes twice the time on SQLite. */
  limited({ limit, offset }: Asked): string {
    return offset === 0 ? `limit ${limit}` : `limit ${limit} offset ${this.bind(offset)}`
  }
}
