import { hash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pageOf } from './pages.ts'

/** A file of the console, as it is and compressed ahead. Its name holds the hash of its content. */
export interface BundleFile {
  readonly name: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

/** The console as browsers get it. */
export interface Bundle {
  readonly page: string
  /** The page's strong entity tag (RFC 9110 §8.8.3). */
  readonly tag: string
  readonly files: ReadonlyMap<string, BundleFile>
}

/** The bundle of these files: the page asks for the script and the style among them that are named `main-…`. */
export function bundleOf(files: readonly BundleFile[], idleMinutes: number): Bundle {
  const named = (ending: string) =>
    files.find(({ name }) => name.startsWith('main-') && name.endsWith(ending))
  const [script, style] = [named('.js'), named('.css')]
  if (script === undefined || style === undefined) throw new Error('the bundle has no main script or style')
  const imported = importedBy(script, files)
  const page = pageOf({ script: script.name, style: style.name, imported, idleMinutes })
  const tag = `"${hash('sha256', page, 'base64url').slice(0, 22)}"`
  return { page, tag, files: new Map(files.map((file) => [file.name, file])) }
}

/** What a script imports before it runs, and what that imports: the page asks for it at once. */
export function importedBy(script: BundleFile, files: readonly BundleFile[]): string[] {
  const found = new Set<string>()
  const follow = (file: BundleFile | undefined) => {
    const text = file?.plain.toString() ?? ''
    for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) {
      if (found.has(name!)) continue
      found.add(name!)
      follow(files.find((one) => one.name === name))
    }
  }
  follow(script)
  return [...found]
}

const codings = { plain: '', br: '.br', gzip: '.gz' } as const

const folderOf = (cache: string, key: string) => join(cache, `console-${key}`)

/** The files that were kept under this key, if all of them are there. */
export const keptFiles = (cache: string, key: string) => filesIn(folderOf(cache, key))

/** The files of the bundle in a folder, if all of them are there. */
export async function filesIn(folder: string): Promise<BundleFile[] | undefined> {
  try {
    const names = await readdir(folder)
    const plain = names.filter((name) => !/\.(br|gz)$/.test(name))
    if (plain.length === 0) return undefined
    const files: BundleFile[] = []
    for (const name of plain) files.push(await read(folder, name)) // the descriptors are for connections
    return files
  } catch {
    return undefined // not there, or just now removed for those of another key
  }
}

async function read(folder: string, name: string): Promise<BundleFile> {
  const contents = Object.values(codings).map((ending) => readFile(join(folder, name + ending)))
  const [plain, br, gzip] = (await Promise.all(contents)) as [Buffer, Buffer, Buffer]
  return { name, plain, br, gzip }
}

/** Keeps the files under this key, all or none, in the place of those of other keys. */
export async function keepFiles(cache: string, key: string, files: readonly BundleFile[]): Promise<void> {
  await mkdir(cache, { recursive: true })
  const made = await mkdtemp(join(cache, 'making-'))
  try {
    for (const file of files)
      for (const [coding, ending] of Object.entries(codings))
        await writeFile(join(made, file.name + ending), file[coding as keyof typeof codings])
    await chmod(made, 0o755) // in an image, another user serves it
    await rename(made, folderOf(cache, key))
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    if ((await keptFiles(cache, key)) === undefined) throw error // else another server kept the same
  }
  const others = (await readdir(cache)).filter((name) => /^console-[0-9a-f]{16}$/.test(name))
  for (const name of others)
    if (join(cache, name) !== folderOf(cache, key))
      await rm(join(cache, name), { recursive: true, force: true })
}
