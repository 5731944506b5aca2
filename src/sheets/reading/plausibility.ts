/** The scripts that words are written in; a word has letters of one. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Hangul}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
]

/** Where the characters stand that are met most, by first and second byte, in encodings of East Asia. */
const common: Readonly<Record<string, readonly [first: number, last: number, seconds: readonly number[]]>> = {
  gb18030: [0xb0, 0xd7, range(0xa1, 0xfe)],
  big5: [0xa4, 0xc6, [...range(0x40, 0x7e), ...range(0xa1, 0xfe)]],
  shift_jis: [0x88, 0x97, [...range(0x40, 0x7e), ...range(0x80, 0xfc)]],
  'euc-kr': [0xb0, 0xc8, range(0xa1, 0xfe)],
  'euc-jp': [0xb0, 0xcf, range(0xa1, 0xfe)],
}

/**
 * How likely it is that texts were read in the right encoding, from 0 to 1: the part of their words that look so. Signs
 * and single letters tell nothing, as the `€` that is an `Ä` elsewhere: a half where there is nothing else.
 */
export function plausibilityOf(texts: readonly string[], encoding: string): number {
  const isOften = commonCharacters(encoding)
  const words = texts.flatMap((text) =>
    text.split(/[\s,;|"()/.-]+/).filter((word) => /[^\0-\x7f]/.test(word) && isTelling(word)),
  )
  return words.length === 0 ? 0.5 : words.filter((word) => isLikely(word, isOften)).length / words.length
}

function isTelling(word: string): boolean {
  return /\p{L}.*\p{L}|[\p{Script=Han}\p{Script=Hangul}]/u.test(word)
}

function isLikely(word: string, isOften: (letter: string) => boolean): boolean {
  if (/[^\0-\x7f\p{L}\p{M}’‘“”–—·‌‍]/u.test(word)) return false // a sign within a word
  if (/\p{Ll}\p{Lu}/u.test(word.replace(/^(Mc|Mac|De|Di|La|Le|Van)/, ''))) return false
  if (/\p{Script=Latin}/u.test(word) && asciiLetters(word) * 2 < word.length - 1) return false // most have accents
  if (scripts.filter((script) => script.test(word)).length > 1) return false
  return [...word].every(
    (letter) => !/[\p{Script=Han}\p{Script=Hangul}\uff61-\uff9f]/u.test(letter) || isOften(letter),
  )
}

function asciiLetters(word: string): number {
  return word.match(/[a-z]/gi)?.length ?? 0
}

/** Whether a character of East Asia is one that is met often in this encoding; in others there are none such. */
function commonCharacters(encoding: string): (letter: string) => boolean {
  const known = common[encoding]
  if (known === undefined) return () => false
  const [first, last, seconds] = known
  const bytes = range(first, last).flatMap((lead) => seconds.flatMap((second) => [lead, second]))
  const characters = new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)))
  return (letter) => characters.has(letter)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}
