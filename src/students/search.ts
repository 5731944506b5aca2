import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import { isOneOf } from '../db/is-one-of.ts'
import { classMark } from '../db/migrations/0002-scale.ts'
import type { Placeholders } from '../db/prepare.ts'
import type { Db } from '../db/tables.ts'
import { rareParts } from './trigrams.ts'

/** The longest tokens of SQLite's index, in letters, as migration 4 has them: of numbers, by their beginning, and of words. */
const cutOfNumber = 6
const cutOfLettersAndNumber = 8
const cutOfWord = 32

/** What a lookup's statement depends on. */
export interface LookupKind {
  /** Whether only the students of some classes are looked for. */
  readonly ofClasses: boolean
  /** Conditions of the index, all of which must hold. */
  readonly terms: number
  /** Patterns that the index is asked for only nearly: what it finds is read besides. */
  readonly texts: number
  /** Whether PostgreSQL plans each search for its patterns; else all that are alike have one plan. */
  readonly isPlanned: boolean
  /** Whether SQLite reads all that are found, as to count them, and not just the first. */
  readonly areAllRead?: boolean
}

/** How patterns are looked for. */
export interface Lookup extends Omit<LookupKind, 'ofClasses'> {
  /** `term0`, `term1` … as the engine's condition takes them, and `text0` … as they are. */
  readonly values: Readonly<Record<string, string>>
}

/**
 * How to find all students whose text holds the patterns.
 * @param frequent those of them that very many students hold
 */
export function lookUp(
  db: Db,
  patterns: readonly string[],
  frequent: ReadonlySet<string> = new Set(),
): Lookup {
  if (engineOf(db) === 'postgres') {
    const terms = patterns.map((pattern) => like(partsOf(db, pattern)))
    const near = patterns.filter((pattern, i) => terms[i] !== like([pattern]))
    return lookup(terms, near, patterns.some(hasDigit))
  }
  const parts = patterns.map((pattern) => (frequent.has(pattern) ? byThree : byTokens)(lettersOf(pattern)))
  return lookup(
    parts.flatMap(({ terms }) => terms.map(toTerm)),
    patterns.filter((_, i) => parts[i]!.isNear),
  )
}

/** What the index is asked for, for one pattern; `isNear`: it may find more than that. */
interface Parts {
  readonly terms: readonly (readonly string[])[]
  readonly isNear: boolean
}

/**
 * What of a word the index holds: all of it, or, where its tokens are shorter, its beginning; of a number its
 * end, since very many begin alike.
 */
function byTokens(letters: readonly string[]): Parts {
  const cut = cutOf(letters)
  if (letters.length <= cut) return { terms: [letters], isNear: false }
  return { terms: [cut === cutOfWord ? letters.slice(0, cut) : letters.slice(-cutOfNumber)], isNear: true }
}

/** How many letters the index has lists for (FTS5's `prefix`). */
const width = 3

/**
 * A word by three letters each, whose lists are read in the order of ids, as far as needed. For more letters the
 * index first gathers all that it finds, which takes long where that is very much.
 */
function byThree(letters: readonly string[]): Parts {
  if (letters.length <= width) return { terms: [letters], isNear: false }
  const terms: (readonly string[])[] = []
  for (let i = 0; i < letters.length - width; i += width - 1) terms.push(letters.slice(i, i + width))
  return { terms: [...terms, letters.slice(-width)], isNear: true }
}

function lookup(terms: readonly string[], texts: readonly string[], isPlanned = false): Lookup {
  const values: Record<string, string> = {}
  for (const [i, term] of terms.entries()) values[`term${i}`] = term
  for (const [i, text] of texts.entries()) values[`text${i}`] = text
  return { terms: terms.length, texts: texts.length, isPlanned, values }
}

/** What finds the students of some classes in the index, in which each student has the class as a token. */
export function classTerm(classes: readonly number[]): string {
  return `(${classes.map((id) => `"${classMark}${id}"`).join(' OR ')})`
}

/**
 * The ids of the students that a lookup finds, by the index that the engine has; of some classes alone, where
 * `classes` holds their ids as `3,5`, and `classTerm` what `classTerm` makes of them.
 */
export function matchingIds(
  db: Db,
  { terms, texts, isPlanned, ofClasses, areAllRead = false }: LookupKind,
  values: Placeholders<Record<string, string | number>>,
) {
  const named = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => values[`${name}${i}`] as RawBuilder<string>)
  if (engineOf(db) === 'postgres') {
    let students = db.selectFrom('students').select('students.id')
    for (const term of named('term', terms)) {
      const pattern = isPlanned ? term : sql`(select cast(${term} as text))` // hidden from who plans
      students = students.where(sql<boolean>`search_text like ${pattern}`)
    }
    for (const text of named('text', texts)) {
      students = students.where(sql<boolean>`position(${text} in search_text) > 0`)
    }
    return ofClasses
      ? students.where(isOneOf('postgres', 'students.class_id', values.classes as RawBuilder<string>))
      : students
  }
  const asked = [...(ofClasses ? [values.classTerm as RawBuilder<string>] : []), ...named('term', terms)]
  const found = db
    .selectFrom('student_search')
    .select('student_search.rowid as id')
    .where(sql<boolean>`student_search match ${sql.join(asked, sql` || ' AND ' || `)}`)
  if (texts === 0) return found
  if (areAllRead && terms === 1) return found.where(numberBeginsOrHolds(values.text0 as RawBuilder<string>))
  let read = found.crossJoin('students').whereRef('students.id', '=', 'student_search.rowid')
  for (const text of named('text', texts)) read = read.where(sql<boolean>`instr(search_text, ${text}) > 0`)
  return read
}

/**
 * Whether a student's text holds a word: to begin with, those whose admission number begins with it, which an index
 * tells of thousands in the time that it takes to read hundreds; they are not read. Of what folding may join to what
 * follows it, as it does no ASCII, all are read.
 */
function numberBeginsOrHolds(text: RawBuilder<string>) {
  return sql<boolean>`(
    student_search.rowid in (
      select id from students
      where admission_key >= ${text} and admission_key < ${text} || char(1114111) and ${text} not glob '*[^!-~]*'
    ) or exists (
      select 1 from students where students.id = student_search.rowid and instr(search_text, ${text}) > 0
    )
  )`
}

/** How many letters of a long number PostgreSQL's index is asked for, of its end: numbers begin alike. */
const endOfNumber = 8

/** What of a word PostgreSQL's index is asked for, in this order; what it finds is read besides, unless that is all. */
function partsOf(db: Db, pattern: string): readonly string[] {
  if (hasDigit(pattern)) return [[...pattern].slice(-endOfNumber).join('')]
  return rareParts(db, pattern) ?? [pattern]
}

/** A pattern for LIKE: these texts in this order, anywhere. */
function like(texts: readonly string[]): string {
  return `%${texts.map(escaped).join('%')}%`
}

/** Parts of numbers are what very many students have, or none, so that it is worth a plan which it is. */
function hasDigit(pattern: string): boolean {
  return /[0-9]/.test(pattern)
}

/** A text as LIKE takes it. */
function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

function lettersOf(pattern: string): string[] {
  return [...pattern.trimStart()]
}

function cutOf(letters: readonly string[]): number {
  const cut = letters[0]! < 'a' ? cutOfNumber : cutOfLettersAndNumber
  return /[0-9]/.test(letters.slice(0, cut).join('')) ? cut : cutOfWord
}

/**
 * A word start of one or two letters is a token, and so is what is as long as its tokens are; anything else begins one
 * (FTS5's strings, and prefix queries, which first gather what all tokens find that begin so).
 */
function toTerm(letters: readonly string[]): string {
  const text = `"${letters.join('').replaceAll('"', '""')}"`
  return letters.length < 3 || letters.length === cutOf(letters) ? text : `${text}*`
}
