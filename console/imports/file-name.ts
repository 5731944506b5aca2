/** The most that the server takes of a file's name, in characters. */
const longest = 200

/** What the server refuses in a name: nobody sees it, or it reorders what is seen. Two joiners are part of words. */
const refused = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu

/** A file's name as the server takes it: systems put marks of direction into it. Its end has the kind of the file. */
export function sentName(name: string): string {
  return [...name.replace(refused, '').normalize('NFC')].slice(-longest).join('').trim()
}
