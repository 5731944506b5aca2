import { fold } from '../../text/search-words.ts'
import type { ComparedStudent, PlannedChanges } from '../cells/flat-student.ts'

/* How the names of a row differ from those of its student, where that is seldom meant. */

const nameParts = ['given_name', 'family_name'] as const

/** Whether a full name stays that holds a part as it was, and not as it will be, or lacks one that is given anew. */
export function keepsOldName(name: string, changes: PlannedChanges): boolean {
  if (changes.name !== undefined) return false
  return nameParts.some((part) => {
    const [was, is] = changes[part] ?? []
    if (typeof is !== 'string') return false
    if (was === null) return wordsOf(is).some((word) => !holdsWord(name, word))
    return typeof was === 'string' && holdsWords(fold(name), fold(was)) && !holdsWords(name, is)
  })
}

/** What a student will be called, where that is another name: a full one, or a part of which the full name has no word. */
export function otherName(student: ComparedStudent, changes: PlannedChanges): string | undefined {
  if (changes.name !== undefined) return String(changes.name[1])
  const isOther = nameParts.some((part) => {
    const is = changes[part]?.[1]
    return typeof is === 'string' && !wordsOf(is).some((word) => holdsWord(student.name, word))
  })
  if (!isOther) return undefined
  return nameParts.flatMap((part) => (changes[part] ?? [null, student[part]])[1] ?? []).join(' ')
}

/** The folded words of a name: hyphens part them, and commas. */
function wordsOf(name: string): string[] {
  return fold(name)
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .filter(Boolean)
}

function holdsWord(name: string, word: string): boolean {
  return holdsWords(wordsOf(name).join(' '), word)
}

/** Whether words stand in a text; where that has no spaces, whether the letters do. */
function holdsWords(text: string, words: string): boolean {
  return text.includes(' ') ? ` ${text} `.includes(` ${words} `) : text.includes(words)
}

const totals = new Set(
  wordsOf(
    `Total, Totals, Sum, Count, Gesamt, Insgesamt, Summe, Anzahl, Gesamtergebnis, Général, Generales, General, Somme,
    Effectif, Nombre, Suma, Número, المجموع, الإجمالي, العدد`,
  ),
)

/** Whether a new name is rather a total or a note below the table: it has a digit, or nothing but words for totals. */
export function hasOddName({ name, given_name, family_name }: PlannedChanges): boolean {
  const text = String(name?.[1])
  if (/\p{Nd}/u.test(text)) return true
  return !(given_name && family_name) && wordsOf(text).every((word) => totals.has(word))
}

/** Whether the given and the family name change places, or the full name has its words in another order. */
export function turnsNames({ name, given_name, family_name }: PlannedChanges): boolean {
  const [given, family] = [foldedPair(given_name), foldedPair(family_name)]
  if (given && family) return given[1] === family[0] && family[1] === given[0]
  const [was, is] = foldedPair(name) ?? []
  if (was === undefined || is === undefined || was === is) return false
  return wordsOf(was).sort().join(' ') === wordsOf(is).sort().join(' ')
}

function foldedPair(pair: PlannedChanges[string] | undefined): readonly [string, string] | undefined {
  const [was, is] = pair ?? []
  return typeof was === 'string' && typeof is === 'string' ? [fold(was), fold(is)] : undefined
}
