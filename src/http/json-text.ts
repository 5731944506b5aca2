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
  if (!JSON.stringify(schema).includes('"format":"unsafe"')) return write
  return (data) => write(data).replaceAll(`"${mark}`, '').replaceAll(`${mark}"`, '')
}
