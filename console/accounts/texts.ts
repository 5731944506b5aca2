import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { type AccountTexts, en } from './en.ts'

export const texts = textsOf<AccountTexts>({ en, de, ar })

/** A role's name: of a built-in one in the reader's language. */
export function roleName(name: string): string {
  const known: Readonly<Record<string, string>> = texts().builtIn
  return known[name] ?? name
}
