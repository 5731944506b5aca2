import { parentPort, workerData } from 'node:worker_threads'
import type { FileIdentity } from './file-place.ts'
import { type FoundPage, type PageRead, SqliteReader } from './sqlite-reader.ts'

/* A thread that reads pages that may take long, so that they do not block the event loop. */

/** What it reads: this file at the path, and no other. */
export interface ReadingThreadData {
  readonly path: string
  readonly file: FileIdentity | undefined
}

export interface PageReply {
  readonly found?: FoundPage
  readonly error?: { readonly message: string; readonly errcode: number | undefined }
  /** What it cost, in milliseconds of CPU. */
  readonly ms: number
}

const port = parentPort!
const { path, file } = workerData as ReadingThreadData
const reader = new SqliteReader(path, file)

/** The CPU time of this thread, in milliseconds. On a busy machine a clock would count the work of others. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function answer(read: PageRead): PageReply {
  const began = threadCpuMs()
  try {
    return { found: reader.page(read), ms: threadCpuMs() - began }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { error: { message, errcode }, ms: threadCpuMs() - began }
  } finally {
    reader.endSnapshot()
  }
}

port.on('message', (read: PageRead | 'close') => {
  if (read !== 'close') return port.postMessage(answer(read))
  reader.close()
  port.close()
})
