import { closeSync, fsyncSync, lchownSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Creates an empty file that only its user may read, also when it is written later. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
}

/**
 * Gives a file that root made to the owner of a file or folder beside it: else the server could not open it. It follows
 * no link, which that owner could put there. Where root may not give files away, it stays root's.
 */
export function giveToOwnerOf(beside: string, file: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(beside)
  try {
    lchownSync(file, uid, gid)
  } catch (error) {
    if (!['EPERM', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Waits until a file's content is on disk. */
export function flushFile(path: string): void {
  flush(path, 'r+')
}

/** Waits until a folder's entries, such as files just created or renamed, are on disk. */
export function flushFolderOf(path: string): void {
  if (process.platform === 'win32') return // it has no way to
  flush(dirname(resolve(path)), 'r')
}

function flush(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Removes an unfinished SQLite file, and what SQLite put beside it. */
export function removeUnfinished(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${ending}`, { force: true })
}

const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Does work that creates a file under a temporary name. The unfinished file is removed when the work ends, and when a
 * signal ends the process.
 */
export async function withUnfinished<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const endBy = (signal: NodeJS.Signals) => {
    removeUnfinished(path)
    ignoreSignals()
    process.kill(process.pid, signal)
  }
  const ignoreSignals = () => {
    for (const signal of endings) process.off(signal, endBy)
  }
  for (const signal of endings) process.on(signal, endBy)
  try {
    return await work()
  } finally {
    ignoreSignals()
    removeUnfinished(path)
  }
}
