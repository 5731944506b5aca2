import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** As many links as Linux follows. */
const maxLinks = 40

/**
 * The path without symbolic links, whether or not the file exists yet. A link to a missing file leads to where the
 * file will be created. A path that can't be followed (a loop, no permission) stays as it is: opening it says why.
 */
export function realPath(path: string, linksLeft = maxLinks): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isMissing || dirname(path) === path || linksLeft === 0) return path
    const inFolder = join(realPath(dirname(path), linksLeft), basename(path))
    const target = linkTarget(inFolder)
    return target === undefined ? inFolder : realPath(resolve(dirname(inFolder), target), linksLeft - 1)
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
