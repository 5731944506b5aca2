import { createReadStream, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { aborted } from 'node:util'
import { formatOf } from '../sheets/format.ts'
import { SheetRefusal } from '../sheets/refusal.ts'
import { CommandError } from './command.ts'

/** How many bytes a file may have: as many as `IMPORT_MAX_BYTES` can allow. A pipe may never end. */
export const mostBytes = 1_073_741_824

/** How much of a file tells what it is. */
const beginningBytes = 65_536

/**
 * Opens a file that is to be imported, and looks at how it begins. It is read as far as it goes now: the database grows
 * while it is read, and a log may.
 * @throws CommandError where it is none that is read, or the reason of `ending`
 */
export async function openSource(path: string, ending: AbortSignal): Promise<Readable> {
  const size = sizeOf(path)
  const file = createReadStream(path, size === undefined ? {} : { end: size - 1 })
  const pieces: AsyncIterator<Buffer> = file.iterator({ destroyOnReturn: false })
  try {
    const stopped = aborted(ending, file).then(() => ending.throwIfAborted())
    const beginning = (await Promise.race([beginningOf(pieces), stopped]))!
    if (beginning.length === 0) throw new CommandError(`The file ${path} is empty.`)
    formatOf(beginning)
    return Readable.from(joined(beginning, pieces)).once('close', () => file.destroy())
  } catch (error) {
    file.destroy()
    ending.throwIfAborted()
    throw toldOf(path, error)
  }
}

/** What an error says of a file. */
export function toldOf(path: string, error: unknown): unknown {
  if (error instanceof SheetRefusal)
    return new CommandError(`The file ${path} is not imported. ${error.detail}`)
  if ((error as NodeJS.ErrnoException).syscall === undefined) return error
  return new CommandError(`The file ${path} can't be read: ${(error as Error).message}.`)
}

export function tooLarge(path: string): CommandError {
  return new CommandError(`The file ${path} has more than ${mostBytes} bytes.`)
}

/** @returns undefined for what is no file, such as a pipe: its end tells it @throws CommandError */
function sizeOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new CommandError(`There is no file ${path}.`)
  if (found.isDirectory()) throw new CommandError(`${path} is a folder; name a CSV or XLSX file.`)
  if (!found.isFile()) return undefined
  if (found.size === 0) throw new CommandError(`The file ${path} is empty.`)
  if (found.size > mostBytes) throw tooLarge(path)
  return found.size
}

async function beginningOf(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  const read: Buffer[] = []
  for (let bytes = 0; bytes < beginningBytes; ) {
    const { value, done } = await pieces.next()
    if (done) break
    read.push(value)
    bytes += value.length
  }
  return Buffer.concat(read)
}

async function* joined(beginning: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield beginning
  for (;;) {
    const { value, done } = await pieces.next()
    if (done) return
    yield value
  }
}
