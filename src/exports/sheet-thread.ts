import { parentPort, workerData } from 'node:worker_threads'
import { openSheet, type SheetFormat } from '../sheets/sheet.ts'
import { headerOf, rowMaker, type SheetPlan } from './sheet-plan.ts'

/* A thread that makes the rows of one file, so that they do not block the event loop. */

/** What file it makes. */
export interface SheetThreadData {
  readonly format: SheetFormat
  readonly plan: SheetPlan
}

/** What of the file is made by then, and how many students stand in it. */
export interface SheetReply {
  readonly bytes: Uint8Array
  readonly count: number
}

const port = parentPort!
const { format, plan } = workerData as SheetThreadData
const header = headerOf(plan)
const sheet = openSheet(format, 'students', header.length)
const toRow = rowMaker(plan)
let count = 0
let hasHeader = false

/** @param json students as a slice has them; 'end': there are no more */
async function answer(json: Uint8Array | 'end'): Promise<void> {
  const begin = hasHeader ? [] : [header]
  hasHeader = true
  const students = json === 'end' ? [] : JSON.parse(Buffer.from(json).toString())
  count += students.length
  const written = [await sheet.add([...begin, ...students.map(toRow)])]
  if (json === 'end') written.push(await sheet.end())
  const bytes = Buffer.concat(written)
  port.postMessage({ bytes, count } satisfies SheetReply)
}

port.on('message', (json: Uint8Array | 'end') => void answer(json))
