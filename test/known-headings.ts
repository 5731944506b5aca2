import { guardianWords } from '../src/imports/columns/guardian-words.ts'
import { classSynonyms, languages, nameHeadings, synonyms } from '../src/imports/columns/synonyms.ts'

/** A line of the table of headings that documents show. */
export interface KnownHeadings {
  readonly column: string
  readonly language: (typeof languages)[number]
  readonly headings: readonly string[]
}

/** All headings of a kind of files that are known besides the names of the columns. */
export function knownHeadings(kind: 'students' | 'classes'): KnownHeadings[] {
  const all = kind === 'classes' ? classSynonyms : synonyms
  return Object.entries(all).flatMap(([column, words]) =>
    languages.flatMap((language) => {
      const headings = words[language]?.split(/[,،] /) ?? []
      return headings.length === 0 ? [] : [{ column, language, headings }]
    }),
  )
}

/** Headings whose meaning depends on the others, and the words from which headings of guardians are made. */
export const otherHeadings = { names: nameHeadings, guardians: guardianWords }
