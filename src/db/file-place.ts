import type { BigIntStats } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'

/** A disk with less room than this counts as full, in bytes: a tiny write may still fit where no student does. */
const leastRoom = 1_048_576

/** What identifies a file, whatever its name. */
export type FileIdentity = Readonly<Pick<BigIntStats, 'dev' | 'ino'>>

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/** Whether the disk of a file has room for more. True when the system does not tell. */
export async function hasRoom(path: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize >= leastRoom
  } catch {
    return true
  }
}

/** Whether a path leads to no file, or to another one. False when the disk does not tell. */
export async function isGone(path: string, file: FileIdentity): Promise<boolean> {
  try {
    return !isSameFile(file, await stat(path, { bigint: true }))
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}
