import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { freeBytes, giveWay } from './in-the-background.ts'
import type { SheetBatch, SheetRow } from './read.ts'
import { type EncodingCandidate, OlderEncodings } from './reading/encodings.ts'
import { type TextOptions, textRows } from './reading/text-rows.ts'
import { type RefusalParams, SheetRefusal, type SheetRefusalCode } from './refusal.ts'

/* A thread that reads one file, so that neither the work nor the memory that it takes is the server's. */

/** What is to be read of the file. */
export interface ReadingTasks {
  encodings: object
  text: TextOptions
  workbook: { readonly rows?: number }
}

/** What each gives: the first one result, the others any number. */
export interface ReadingResults {
  encodings: readonly EncodingCandidate[]
  text: readonly SheetRow[]
  workbook: SheetBatch
}

export type ReadingTask = keyof ReadingTasks

/** Each message to the thread is answered by one: asked for the next result, it may ask for a piece of the file first. */
export type ToThread =
  | { readonly type: 'next' }
  | { readonly type: 'piece'; readonly bytes: Uint8Array | null }
export type FromThread =
  | { readonly type: 'wants piece' }
  | {
      readonly type: 'result' /** As JSON, which is quicker to read than what a thread clones. */
      readonly json: string
    }
  | { readonly type: 'end' }
  | {
      readonly type: 'refused'
      readonly code: SheetRefusalCode
      readonly detail: string
      readonly params: RefusalParams | undefined
    }

type Pieces = AsyncIterable<Uint8Array>

const readers: {
  [Task in ReadingTask]: (pieces: Pieces, options: ReadingTasks[Task]) => AsyncIterable<ReadingResults[Task]>
} = {
  async *encodings(pieces) {
    const encodings = new OlderEncodings()
    for await (const piece of pieces) encodings.add(piece)
    yield encodings.end()
  },
  text: (pieces, options) => textRows(inParts(pieces), options),
  async *workbook(pieces, { rows }) {
    const { readWorkbook } = await import('./workbook/workbook.ts') // a text needs none of it
    yield* readWorkbook(Buffer.concat(await Array.fromAsync(pieces)), rows)
  },
}

/** How many bytes are read at once: rows that are soon sent on are quicker to collect. */
const bytesOfPart = 32 * 1024

async function* inParts(pieces: Pieces): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += bytesOfPart) yield piece.subarray(at, at + bytesOfPart)
    freeBytes(piece)
  }
}

const port = parentPort!

async function exchange(message: FromThread): Promise<ToThread> {
  const received = once(port, 'message')
  port.postMessage(message)
  const [answer] = await received
  return answer
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const answer = await exchange({ type: 'wants piece' })
    if (answer.type !== 'piece' || answer.bytes === null) return
    yield answer.bytes
  }
}

async function read<Task extends ReadingTask>(task: Task, options: ReadingTasks[Task]): Promise<void> {
  try {
    await once(port, 'message')
    for await (const result of readers[task](pieces(), options))
      await exchange({ type: 'result', json: JSON.stringify(result) })
    port.postMessage({ type: 'end' } satisfies FromThread)
  } catch (error) {
    if (!(error instanceof SheetRefusal)) throw error
    const { code, detail, params } = error
    port.postMessage({ type: 'refused', code, detail, params } satisfies FromThread)
  }
}

giveWay()
const { task, options } = workerData as { task: ReadingTask; options: ReadingTasks[ReadingTask] }
await read(task, options as never)
