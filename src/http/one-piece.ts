/** Not imported: see `listen.ts`. */
const { ServerResponse } = process.getBuiltinModule('node:http')

/** How long such a body may be, in bytes: to copy a longer one costs more than a second piece does. */
const maxBytes = 2_048

/**
 * A response that sends a short body of bytes in one piece with its headers, as a string with a character for each
 * byte (Latin-1). Bytes are a piece of their own to Node, and two pieces cost more to send.
 */
export class OnePieceResponse extends ServerResponse {
  // biome-ignore lint/suspicious/noExplicitAny: as Node's types have it
  override end(body?: any, encoding?: any, callback?: () => void): this {
    const isShort = Buffer.isBuffer(body) && body.length <= maxBytes && typeof encoding !== 'function'
    return isShort
      ? super.end(body.toString('latin1'), 'latin1', callback)
      : super.end(body, encoding, callback)
  }
}
