/*
 * A value of an answer that is JSON already, such as one that a column holds. It is sent as it is: to read and write a
 * large one costs more than all else that the answer needs. Its schema is `Type.JsonText`.
 */

/** A control character, which JSON has nowhere but escaped. */
const mark = '\u0001'

/** The value for a member whose schema is `Type.JsonText`. */
export function asJsonText(json: string): string {
  return mark + json + mark
}

type Write = (data: unknown) => string

/** The serializer of a schema, with the marked texts as JSON. fast-json-stringify puts "unsafe" strings in quotes. */
export function withJsonTexts(schema: unknown, write: Write): Write {
  return JSON.stringify(schema).includes('"format":"unsafe"') ? (data) => withoutMarks(write(data)) : write
}

/** Takes away the marks, and the quotes around them. */
function withoutMarks(text: string): string {
  const begin = text.indexOf(mark)
  if (begin < 0) return text
  const end = text.indexOf(mark, begin + 1)
  return text.slice(0, begin - 1) + text.slice(begin + 1, end) + withoutMarks(text.slice(end + 2))
}
