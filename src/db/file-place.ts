import { accessSync, type BigIntStats, constants } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

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

/** Why nothing is saved in a file or its folder, and what to do; undefined: that is not known to be so. */
export function whyNotSaved(path: string): string | undefined {
  for (const place of [path, dirname(path)]) {
    try {
      accessSync(place, constants.W_OK)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'EROFS')
        return `the file system of ${place} is read-only, so that nothing is saved. Mount it so that it can be written`
      if (['EACCES', 'EPERM'].includes(code))
        return `this user may not write ${place}, so that nothing is saved. Run this as the user that serves, or let this user write it`
    }
  }
  return undefined
}

/** Whether a path leads to no file, or to another one. False when the disk does not tell. */
export async function isGone(path: string, file: FileIdentity): Promise<boolean> {
  try {
    return !isSameFile(file, await stat(path, { bigint: true }))
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}
