import type { Role } from '../../client/src/index.ts'
import { texts } from './texts.ts'

/** What who holds a role sees and may do, in one line; of a role of the school's own, by its permissions. */
export function allowsOf({ name, built_in, permissions }: Role): string {
  const { builtIn, may, onlyPlain, nothing } = texts()
  const known: Readonly<Record<string, string>> = builtIn
  if (built_in && known[name] !== undefined) return known[name]
  const words = wordsOf(permissions)
  if (words.length === 0) return nothing
  const said = may(words)
  const isPlain = permissions.includes('students.view') && !permissions.includes('students.sensitive')
  return isPlain ? `${said} ${onlyPlain}` : said
}

/** In the order of the texts; a permission that has none, by its name. */
function wordsOf(permissions: readonly string[]): string[] {
  const known: Readonly<Record<string, string>> = texts().permissions
  const others = permissions.filter((one) => !(one in known))
  return [
    ...Object.entries(known).flatMap(([one, words]) => (permissions.includes(one) ? [words] : [])),
    ...others,
  ]
}
