import { existsSync, linkSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { flushFolderOf, withUnfinished } from '../db/durable-files.ts'
import { CommandError } from './command.ts'

/* Files that commands write for people: whole or not at all, for their user alone, and never in the place of another. */

/** @throws CommandError where there is such a file already, or no folder for it */
export function checkNewFile(file: string): void {
  refuseExisting(file)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw cannot(file, `the folder ${folder} does not exist`)
}

/** The file gets its name when it is whole and on disk. @throws CommandError, and what making the content throws */
export async function writeNewFile(file: string, content: AsyncIterable<string | Uint8Array>): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  let ofContent: unknown
  async function* watched() {
    try {
      yield* content
    } catch (error) {
      ofContent = error
      throw error
    }
  }
  try {
    await withUnfinished(partial, async () => {
      await writeInto(partial, watched())
      giveName(partial, file)
      flushFolderOf(file)
    })
  } catch (error) {
    // A connection to the database fails by a call of the system, too.
    if (error === ofContent || (error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw cannot(file, (error as Error).message)
  }
}

async function writeInto(partial: string, content: AsyncIterable<string | Uint8Array>): Promise<void> {
  await using handle = await open(partial, 'wx', 0o600)
  for await (const piece of content) await handle.writeFile(piece)
  await handle.sync()
}

/** A second name, since a renamed file would replace another that came meanwhile. On FAT there are none. */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file)
  } catch (error) {
    refuseExisting(file)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    renameSync(partial, file)
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new CommandError(`${file} exists; this command never overwrites a file.`)
}

function cannot(file: string, why: string): CommandError {
  return new CommandError(`The file ${file} can't be written: ${why}.`)
}
