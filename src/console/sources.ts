import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder of the program. */
export const project = join(import.meta.dirname, '..', '..')

/** Where a bundle is kept from one start to the next; a test gives another place. */
export const cacheFolder = join(project, 'node_modules', '.cache', 'registrar')

/** Where a package has its bundle, made with it; a clone has none. */
export const packedBundle = join(project, 'console-bundle')

/** What a bundle is made of, and what makes it. */
const folders = ['console', 'client', 'src/console', 'src/text']

/**
 * A name for all that a bundle is made of: equal where the bundle would be.
 * @throws where the sources are not there
 */
export async function sourceKey(): Promise<string> {
  const hash = createHash('sha256')
  const { dependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  hash.update(JSON.stringify(dependencies))
  for (const folder of folders) {
    const entries = await readdir(join(project, folder), { recursive: true, withFileTypes: true })
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    paths.sort()
    // One after another: the descriptors are for connections.
    for (const path of paths) hash.update(`\0${path.slice(project.length)}\0`).update(await readFile(path))
  }
  return hash.digest('hex').slice(0, 16)
}
