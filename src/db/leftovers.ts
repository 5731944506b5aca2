import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

/** A file beside a database that no command needs any more. */
export interface Leftover {
  readonly file: string
  readonly bytes: number
  /** `unfinished`: its command was killed. `kept`: a whole database from before a restore or a migration. */
  readonly kind: 'unfinished' | 'kept'
}

/**
 * What commands left in a database's folder: unfinished files, and databases kept from before. None where the folder is
 * not there, or this user may not list it.
 */
export function leftoversBeside(path: string): Leftover[] {
  const [name, stem] = [basename(path), basename(path, extname(path))]
  const ofCopy = '(-wal|-shm|-journal)?$'
  const unfinished = [
    new RegExp(`^${RegExp.escape(name)}\\.(\\d+\\.restoring|new)${ofCopy}`),
    new RegExp(`\\.\\d+\\.partial${ofCopy}`), // of any backup that was made in this folder
  ]
  const kept = [
    new RegExp(`^${RegExp.escape(name)}\\.before-restore-\\w+${ofCopy}`),
    new RegExp(`^${RegExp.escape(stem)}\\.before-migration-\\d+-\\w+\\.db$`),
  ]
  return namesIn(dirname(path))
    .sort()
    .flatMap((name) => {
      const kind = [...unfinished, ...kept].findIndex((pattern) => pattern.test(name))
      if (kind === -1) return []
      const file = join(dirname(path), name)
      const bytes = statSync(file, { throwIfNoEntry: false })?.size
      if (bytes === undefined) return [] // gone meanwhile
      return [{ file, bytes, kind: kind < unfinished.length ? 'unfinished' : 'kept' } as const]
    })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'ENOENT') return []
    throw error
  }
}
