import type { ServerResponse } from 'node:http'

/**
 * Gives what is sent piece by piece, and ends the response where a piece is left untaken for long. The server's own
 * limit is shorter, and does not know a client that takes nothing from a server that has nothing to give yet.
 */
export async function* whileTaken<Piece>(
  pieces: AsyncIterable<Piece>,
  response: ServerResponse,
  stallMs: number,
): AsyncGenerator<Piece> {
  response.setTimeout(0, () => {})
  for await (const piece of pieces) {
    const timer = setTimeout(() => response.destroy(), stallMs)
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
  response.setTimeout(stallMs, () => response.destroy()) // for what is still under way
}
