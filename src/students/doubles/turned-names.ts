/** A folded name as it is compared: one space between words, no comma behind a family name in front: `fischer, paul`. */
export function comparedName(name: string): string {
  return /,| {2}/.test(name) ? name.replace(/[ ,]+/g, ' ').trim() : name
}

/**
 * A compared name with one letter where two may stand for a letter with a mark: `jorg` for `joerg`, which is what `fold`
 * makes of `jörg`. So it is of `ae`, `ue` and `aa`. A hyphen is a space: `anna-lena` is `anna lena`.
 */
export function plainName(name: string): string {
  return name.replace(/(a)[ae]+|([ou])e+/g, '$1$2').replace(/ *\p{Pd} */gu, ' ')
}

/** Whether a name is another with its last words in front. */
export function isTurned(name: string, other: string): boolean {
  return name.length === other.length && [...turnsOf(name)].includes(other)
}

/** A name's words in other orders, the last ones in front: `fischer paul` for `paul fischer`. None is the name itself. */
export function turnsOf(name: string): Iterable<string> {
  const turns = new Set<string>()
  for (let at = name.indexOf(' '); at >= 0; at = name.indexOf(' ', at + 1))
    turns.add(`${name.slice(at + 1)} ${name.slice(0, at)}`)
  turns.delete(name)
  return turns
}

/** The ways in which a folded name may stand in a record: in each order, without a comma or with one behind its first part. */
export function writtenAs(name: string): string[] {
  const plain = comparedName(name)
  const words = plain.split(' ')
  const ways = words.slice(1).flatMap((_, i) => {
    const [head, tail] = [words.slice(0, i + 1).join(' '), words.slice(i + 1).join(' ')]
    return [`${head}, ${tail}`, `${tail} ${head}`, `${tail}, ${head}`]
  })
  return [...new Set([name, plain, ...ways])]
}
