import { parentPort, workerData } from 'node:worker_threads'
import { PortableReader, type ReadingPlace } from '../db/portable-reader.ts'
import { openSheet, type SheetFormat, type SheetPiece } from '../sheets/sheet.ts'
import type { Slice } from '../students/lists/slices.ts'
import { headerOf, rowMaker, type SheetPlan } from './sheet-plan.ts'

/* A thread that reads students and makes the rows of one file, so that they do not block the event loop. */

/** What file it makes, and where it reads. */
export interface SheetThreadData {
  readonly format: SheetFormat
  readonly plan: SheetPlan
  readonly place: ReadingPlace
}

/** What is made of the file by a slice. */
export interface SheetReply {
  /** None is empty. */
  readonly pieces: readonly SheetPiece[]
  /** How many students it has, and the highest id among them; null: there are none. */
  readonly count: number
  readonly last: number | null
}

/** A text of so many characters, of any script, is written to a connection in a millisecond. */
const longestText = 100_000

/**
 * How many slices are made until all that is not needed any more is collected. V8 puts texts of up to ten characters
 * that it reads from JSON where it collects last, after 8 MB more. As a last resort it also gives back free memory, of
 * which the start of a thread leaves 2 MB.
 */
const slicesToCollect = 100

const port = parentPort!
const { format, plan, place } = workerData as SheetThreadData
const header = headerOf(plan)
const sheet = await openSheet(format, 'students', header.length)
const toRow = rowMaker(plan)
const reader = new PortableReader(place)

/** Makes what is told of each slice, the first with the header. Nothing of one is held until the next: some are large. */
function fileMaker(): (slice: Slice | 'end') => Promise<SheetReply> {
  let before = [header]
  let slices = 0
  return async (slice) => {
    if (slices++ % slicesToCollect === 0) globalThis.gc?.({ flavor: 'last-resort' })
    const { json, last } = slice === 'end' ? { json: '[]', last: null } : reader.rows(slice)[0]!
    const students: Parameters<typeof toRow>[0][] = JSON.parse(json)
    const rows = [...before, ...students.map(toRow)]
    before = []
    const written = [await sheet.add(rows)]
    if (slice === 'end') {
      written.push(await sheet.end())
      reader.close()
    }
    const pieces = written.filter(({ length }) => length > 0).map(asSent)
    return { pieces, count: students.length, last }
  }
}

/** A long text is given as bytes: to encode it would hold up the event loop. */
function asSent(piece: SheetPiece): SheetPiece {
  return typeof piece === 'string' && piece.length > longestText ? new TextEncoder().encode(piece) : piece
}

/** The memory of a piece that has some to itself: it changes hands, and is not copied. */
function ownMemory(piece: SheetPiece): ArrayBuffer[] {
  if (typeof piece === 'string' || piece.byteLength < piece.buffer.byteLength) return []
  return [piece.buffer as ArrayBuffer]
}

const make = fileMaker()
port.on('message', async (slice: Slice | 'end') => {
  const reply = await make(slice)
  port.postMessage(reply, reply.pieces.flatMap(ownMemory))
})
