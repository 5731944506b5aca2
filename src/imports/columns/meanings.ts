import { type Columns, isAddress, isColumn, isOnlyExact } from './columns.ts'
import { Nearest } from './distance.ts'
import { guardianOf } from './guardian-columns.ts'
import { type GuardianHeading, guardianHeading } from './guardian-words.ts'
import { foldHeading, longestName } from './headings.ts'
import { fieldsPrefix } from './prefixes.ts'
import {
  classSynonyms,
  type NameHeading,
  nameHeadings,
  sections,
  synonyms,
  unsure,
  type Words,
} from './synonyms.ts'

/** What a heading says by itself, whatever stands beside it. */
export type Meaning = { readonly how: 'exact' | 'folded' | 'synonym' } & (
  | { readonly column: string }
  /** The whole name, or a part of it. */
  | { readonly name: NameHeading }
  /** A guardian whose number the heading may not tell. */
  | { readonly guardian: GuardianHeading }
)

/** What a second address has, and the second line of one has not. */
const secondPlace = /^(?:cp|code postal|ville|commune|plz|ort|post ?code|zip|zip code|city|town) 2$/

/** Knows what headings mean: names of columns, labels of own fields, and words of five languages. */
export class Meanings {
  readonly #columns: Columns
  readonly #folded = new Map<string, string>()
  readonly #synonyms = new Map<string, string>()
  readonly #names = new Map<string, NameHeading>()
  readonly #unsure = new Map<string, readonly string[]>()
  readonly #alike: Nearest<readonly [word: string, column: string]>
  readonly #hasTwoAddresses: boolean

  /** @param header of the file, once it is found */
  constructor(columns: Columns, header: readonly string[] = []) {
    this.#columns = columns
    this.#hasTwoAddresses = header.some((heading) => secondPlace.test(foldHeading(heading)))
    const isOfClasses = columns.kind === 'classes'
    for (const [column, all] of Object.entries(isOfClasses ? classSynonyms : synonyms))
      for (const word of foldedWords(all)) this.#synonyms.set(word, column)
    const exact = new Set(header.map((heading) => heading.trim()))
    for (const { key, label } of columns.fields) {
      this.#folded.set(foldHeading(`fields.${key}`), `fields.${key}`)
      // An export heads the field by its key, and what every school has by words of a language.
      const isOther = this.#synonyms.has(foldHeading(label)) || guardianHeading(label) !== undefined
      if (!(isOther && exact.has(`fields.${key}`))) this.#folded.set(foldHeading(label), `fields.${key}`)
    }
    for (const name of columns.plain) if (!isOnlyExact(name)) this.#folded.set(foldHeading(name), name)
    this.#alike = new Nearest([...this.#folded, ...this.#synonyms], ([word]) => word)
    if (isOfClasses) return
    const parting = foldedWords(sections)
    const isClass = (one: string) =>
      (this.#folded.get(one) ?? this.#synonyms.get(one)) === 'class' && !parting.includes(one)
    if (header.map(foldHeading).some(isClass)) for (const word of parting) this.#synonyms.delete(word)
    for (const one of nameHeadings) this.#names.set(foldHeading(one.words), one)
    for (const [named, all] of unsure) for (const word of foldedWords(all)) this.#unsure.set(word, named)
  }

  /** @returns undefined where the heading is not known, or what it means is to be asked */
  of(heading: string): Meaning | undefined {
    const text = heading.trim()
    if (text.length > longestName) return undefined
    const folded = foldHeading(text)
    const name = this.#names.get(folded)
    if (name !== undefined) return { name, how: text === 'name' ? 'exact' : 'synonym' }
    if (isColumn(this.#columns, text)) return { column: text, how: 'exact' }
    const column = this.#folded.get(folded) ?? this.#foldedGuardian(folded)
    if (column !== undefined) return { column, how: 'folded' }
    const synonym = this.#synonyms.get(folded)
    if (synonym !== undefined) return { column: synonym, how: 'synonym' }
    if (this.#columns.kind !== 'students') return undefined
    const guardian = guardianHeading(text)
    return guardian ? { guardian, how: 'synonym' } : this.#ofStudent(withoutStudent(folded))
  }

  #ofStudent(folded: string): Meaning | undefined {
    const name = this.#names.get(folded)
    if (name !== undefined) return { name, how: 'synonym' }
    const plain = this.#folded.get(folded) ?? this.#synonyms.get(folded)
    return plain === undefined || plain.startsWith(fieldsPrefix)
      ? undefined
      : { column: plain, how: 'synonym' }
  }

  /** The columns that a heading may well mean, the likeliest first. */
  guesses(heading: string): string[] {
    const folded = foldHeading(heading)
    if (folded === '') return []
    const within = folded.length < 4 ? 0 : folded.length < 9 ? 1 : 2 // NIE is not INE
    const alike = this.#alike.to(folded, { within, most: 3 })
    const ofStudent = this.#unsure.get(withoutStudent(folded))?.filter(isAddress) // no phone: it would be a guardian's
    const first = this.#unsure
      .get(folded.replace(/ 1$/, ''))
      ?.filter((one) => isAddress(one) || /phone/.test(one))
    const known = this.#unsure.get(folded) ?? ofStudent ?? first ?? []
    const likely = [...new Set([...known, ...alike.map(([, column]) => column)])]
    return this.#hasTwoAddresses && / 2$/.test(folded) ? likely.filter((one) => !isAddress(one)) : likely
  }

  /** `Guardian 1 Name` for `guardian_1_name`. */
  #foldedGuardian(folded: string): string | undefined {
    const name = folded.replaceAll(' ', '_')
    return this.#columns.kind === 'students' && guardianOf(name) !== undefined ? name : undefined
  }
}

const students =
  '(?:schu?e?ler(?:in|s)?(?: in)?|students?|pupils?|learners?|child|kind(?:es)?|l?eleve|alumn[oa](?: a)?|estudiante|ال(?:طالب|طالبة|تلميذ|تلميذة))'

const beforeOrBehind = new RegExp(`^${students} (?=.)|(?<=.)(?: (?:of|des|der|de|del))? ${students}$`, 'u')

/** A folded heading without a word for the student: `Schueler_Vorname`, `Adresse de l'élève`. */
function withoutStudent(folded: string): string {
  return folded.replace(beforeOrBehind, '')
}

/** The words of all languages: see `foldHeading`. */
export function foldedWords(all: Words): string[] {
  return Object.values(all)
    .flatMap((line) => line.split(/[,،] /))
    .map(foldHeading)
    .filter((word) => word !== '')
}
