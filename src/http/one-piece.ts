/** Not imported: see `listen.ts`. */
const { ServerResponse } = process.getBuiltinModule('node:http')

/** How long such a body may be, in bytes: to copy a longer one costs more than a second piece does. */
const maxBytes = 2_048

/** Where texts are encoded. No character of UTF-16 takes more than three bytes. */
const encoded = Buffer.alloc(maxBytes)
const maxCharacters = Math.floor(maxBytes / 3)

/**
 * A response that sends a short body in one piece with its headers, as a string with a character for each byte
 * (Latin-1). Bytes are a piece of their own to Node, and two pieces cost more to send. A text that is not Latin-1 would
 * have the headers encoded with it, character by character.
 */
export class OnePieceResponse extends ServerResponse {
  // biome-ignore lint/suspicious/noExplicitAny: as Node's types have it
  override end(body?: any, encoding?: any, callback?: () => void): this {
    const bytes = typeof encoding === 'function' ? undefined : bytesOf(body, encoding)
    return bytes === undefined ? super.end(body, encoding, callback) : super.end(bytes, 'latin1', callback)
  }
}

/** A short body as a string with a character for each byte, unless Node does as well with what it is. */
function bytesOf(body: unknown, encoding: unknown): string | undefined {
  if (Buffer.isBuffer(body)) return body.length <= maxBytes ? body.toString('latin1') : undefined
  if (typeof body !== 'string' || typeof encoding === 'string' || body.length > maxCharacters)
    return undefined
  if (Buffer.byteLength(body) === body.length) return undefined // ASCII
  return encoded.toString('latin1', 0, encoded.write(body))
}
