import type { Scope } from '../../access/scope.ts'
import type { PageRequest } from '../../db/pages.ts'
import { invalidField, type Problem } from '../../problems.ts'
import { isNowhere, maxSearchWords, searchPatterns } from '../../text/search-words.ts'
import { type GuardianQuery, guardianQuery } from './guardians.ts'

/* What a list of students may be asked for, and what both engines make of it. */

/** Which students a list is of. */
export interface StudentFilter {
  /** Words that all must be found; empty: no search. */
  readonly search: string
  readonly classId: number | undefined
  /** What one of the guardians is found by; see `guardianQuery`. */
  readonly guardian?: string | undefined
}

/** What a list may be sorted by, and the columns that this means; each has an index, and ends in the id. */
const columns = {
  id: [],
  name: ['folded_name', 'name'],
  admission_number: ['admission_key'],
  created_at: ['created_at'],
} as const

type SortKey = keyof typeof columns

/** A key, with `-` before it for descending. */
export type Sort = SortKey | `-${SortKey}`

/** Every sort. */
export const sorts = (Object.keys(columns) as SortKey[]).flatMap((key): Sort[] => [key, `-${key}`])

/** A column that a sort looks at before the id. */
export type SortColumn = (typeof columns)[SortKey][number]

/** A page of a list, as engines are asked for it. */
export interface Asked {
  /** Texts that the searched text of a student must all hold. */
  readonly patterns: readonly string[]
  /** Which guardian the student must have; undefined: any, or none. */
  readonly guardian: GuardianQuery | undefined
  /** The classes that the student may be in: never none. */
  readonly classes: Scope
  readonly sort: Sort
  /** The columns that the sort looks at before the id, and which way. */
  readonly sortedBy: readonly SortColumn[]
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/**
 * What a caller who sees these classes asks for.
 * @returns undefined where nobody can be found
 * @throws Problem validation_failed when the search has too many words
 */
export function askedFor(
  scope: Scope,
  { search, classId, guardian = '' }: StudentFilter,
  sort: Sort,
  { page, perPage }: PageRequest,
): Asked | undefined {
  const patterns = searchPatterns(search)
  if (patterns.length > maxSearchWords) throw tooManyWords('/search')
  const ofGuardian = guardianQuery(guardian)
  if (ofGuardian === 'too many words') throw tooManyWords('/guardian')
  const classes = classId === undefined ? scope : within(scope, classId)
  if (
    classes.length === 0 ||
    [...patterns, ...(ofGuardian?.names ?? []), ofGuardian?.email ?? ''].some(isNowhere)
  )
    return undefined
  const key = sort.replace('-', '') as SortKey
  return {
    patterns,
    guardian: ofGuardian,
    classes,
    sort,
    sortedBy: columns[key],
    direction: key === sort ? 'asc' : 'desc',
    limit: perPage,
    offset: (page - 1) * perPage,
  }
}

function within(scope: Scope, classId: number): readonly number[] {
  return scope === 'all' || scope.includes(classId) ? [classId] : []
}

function tooManyWords(pointer: string): Problem {
  return invalidField(pointer, {
    code: 'too_many_words',
    detail: `must have at most ${maxSearchWords} different words`,
    params: { limit: maxSearchWords },
  })
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

  /** `limit` and `offset`. The limit stands in the statement: one that is bound takes twice the time on SQLite. */
  limited({ limit, offset }: Asked): string {
    return offset === 0 ? `limit ${limit}` : `limit ${limit} offset ${this.bind(offset)}`
  }
}
