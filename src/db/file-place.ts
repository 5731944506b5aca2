import { stat, statfs } from 'node:fs/promises'

/** A disk with less room than this is full: a tiny write may still fit where no student does. In bytes. */
const leastRoom = 1_048_576

/** Tells a file from every other one, whatever its name. */
export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/** Whether the disk of a file has room for more; when the system does not tell, it has. */
export async function hasRoom(path: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize >= leastRoom
  } catch {
    return true
  }
}

/** Whether a path leads to no file or to another one; when the disk does not say, it leads where it did. */
export async function isGone(path: string, file: FileIdentity): Promise<boolean> {
  try {
    return !isSameFile(file, await stat(path, { bigint: true }))
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}
