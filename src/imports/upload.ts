import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Clock, instantAfter } from '../access/clock.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { type Author, write } from '../events/write.ts'
import { closing, Problem, unavailable } from '../problems.ts'
import { freeBytes } from '../sheets/in-the-background.ts'
import { leaseMs } from './leases.ts'
import { endUpload, failUpload, insertImport, insertPiece, type NewImport, pieceBytes } from './staging.ts'

/** How long a file may take in all, and each piece of it: 8 KiB/s. In milliseconds. */
const wholeMs = 600_000
const pieceMs = 32_000

/** Who sends a file, and what is checked of them with each piece. */
export interface Sending<Authority> {
  readonly by: Author<Authority>
  /** @throws Problem where they may not import it any more */
  readonly check: (authority: Authority) => void
}

export interface UploadParts {
  readonly db: Db
  readonly clock: Clock
  /** What this instance calls itself. */
  readonly holder: string
  readonly maxBytes: number
  /** Aborted where an upload is not to be waited for. */
  readonly ending: AbortSignal
  /** Ends later an upload whose import can't be failed now: the database is away. */
  readonly endLater?: (id: number) => void
}

/** A file that comes, and what gives the next piece so long to come, in milliseconds. */
interface Incoming {
  readonly body: Readable
  readonly allow: (ms: number) => void
}

/**
 * Takes a file piece by piece: each is on disk, and its sender admitted anew, before the next is read.
 * @returns the id of the import that stands for it.
 * @throws Problem file_too_large, malformed_request, too_many_imports, too_many_attempts, overloaded, shutting_down or import_state; or
 * what the sender's readmission throws. The import is `failed` then: at once, or soon after the database is back. Where the
 * process ends before, it is when its lease has run out.
 */
export async function receiveFile<Authority>(
  { db, clock, holder, maxBytes, ending, endLater }: UploadParts,
  asked: NewImport,
  { by, check }: Sending<Authority>,
  { body, allow }: Incoming,
): Promise<number> {
  const admitted = <Result>(work: (tx: Tx, times: Times) => Promise<Result>) =>
    write(db, by, (tx, authority) => {
      check(authority)
      const now = clock()
      return work(tx, { now: now.toISOString(), until: instantAfter(now, leaseMs + pieceMs) })
    })
  const id = await admitted((tx, times) => insertImport(tx, asked, by, { holder, ...times }))
  const upload = { id, holder }
  const hash = createHash('sha256')
  const end = performance.now() + wholeMs
  const allowPiece = () => allow(Math.max(0, Math.min(pieceMs, end - performance.now())))
  let bytes = 0
  let place = 0
  allowPiece()
  try {
    for await (const piece of piecesOf(body, ending)) {
      bytes += piece.length
      if (bytes > maxBytes) throw fileTooLarge(maxBytes)
      hash.update(piece)
      const next = { place: place++, bytes: piece } // the write may run again
      await admitted((tx, { until }) => insertPiece(tx, upload, next, until))
      allowPiece()
    }
    if (bytes === 0) throw new Problem('malformed_request', 'The body is empty; send the file as the body.')
    const whole = { bytes, hash: hash.digest() }
    return await admitted((tx) => endUpload(tx, upload, whole, clock()))
  } catch (error) {
    await write(db, {}, (tx) => failUpload(tx, id, clock().toISOString())).catch(() => endLater?.(id))
    throw error
  }
}

interface Times {
  readonly now: string
  readonly until: string
}

export function fileTooLarge(maxBytes: number): Problem {
  return closing('file_too_large', `A file may have at most ${maxBytes} bytes.`)
}

/**
 * A body in pieces of one size, but for the last. All stand in one place of memory, one after another: use each before
 * the next is asked for. The body is left open, so that its sender can be answered.
 * @throws Problem shutting_down, or malformed_request where the sender has gone
 */
async function* piecesOf(body: Readable, ending: AbortSignal): AsyncGenerator<Buffer> {
  const reader = body.iterator({ destroyOnReturn: false })
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => {})
  const stop = () =>
    stopped.reject(unavailable('shutting_down', 'The server is shutting down; send it again.'))
  ending.addEventListener('abort', stop, { once: true })
  if (ending.aborted) stop()
  const piece = Buffer.allocUnsafeSlow(pieceBytes)
  let length = 0
  try {
    for (;;) {
      const { value, done } = await Promise.race([reader.next(), stopped.promise])
      if (done) break
      for (let at = 0; at < value.length; ) {
        const copied = value.copy(piece, length, at)
        at += copied
        length += copied
        if (length === pieceBytes) {
          yield piece
          length = 0
        }
      }
      freeBytes(value)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    throw closing('malformed_request', 'The file did not come whole.', error)
  } finally {
    ending.removeEventListener('abort', stop)
  }
  if (length > 0) yield Buffer.from(piece.subarray(0, length))
}
