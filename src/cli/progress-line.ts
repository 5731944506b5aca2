import type { Db } from '../db/tables.ts'
import { findImport } from '../imports/queries.ts'

/** How often the line is written anew, in milliseconds. */
const everyMs = 500

const doing: Readonly<Record<string, string>> = {
  reading: 'Reading and planning',
  applying: 'Applying',
  undoing: 'Undoing',
}

/** Does work on an import. A line on the terminal says meanwhile how far it is; where standard error is none, nothing does. */
export async function withProgressLine<Result>(
  db: Db,
  id: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const terminal = process.stderr
  if (!terminal.isTTY) return work()
  let telling: Promise<void> | undefined
  const tell = async () => {
    const imported = await findImport(db, id)
    const what = doing[imported?.state ?? '']
    if (imported === undefined || what === undefined) return
    const { done, total } = imported
    terminal.write(`\r\x1b[K${what}: ${done}${total === null ? '' : ` of ${total}`} rows`)
  }
  const look = () => {
    telling ??= tell()
      .catch(() => {}) // the work meets the fault, too, and tells it
      .finally(() => {
        telling = undefined
      })
  }
  look()
  const timer = setInterval(look, everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await telling
    terminal.write('\r\x1b[K')
  }
}
