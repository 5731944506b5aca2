import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A production dependency, as package.json names it. */
export interface Package {
  readonly name: string
  readonly version: string
  /** Whether the server goes without it. */
  readonly isOptional: boolean
  /** What it takes on disk: itself, and with all that it brings, which others may bring too. */
  readonly ownKb: number
  readonly wholeKb: number
  /** How many packages it brings. */
  readonly brings: number
}

export interface Packages {
  readonly direct: readonly Package[]
  /** All that is installed without development, optional ones left out: each counted once. */
  readonly count: number
  readonly totalKb: number
}

/** A package of the lock file: what it needs, by name. */
export interface Locked {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The packages of a lock file, by their folder. */
export type Lock = Readonly<Record<string, Locked>>

/** The production dependencies of the lock file, with the sizes of what is installed. */
export function productionPackages(project: string): Packages {
  const lock: Lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).packages
  const { dependencies = {}, optionalDependencies = {} } = lock['']!
  const sizes = new Map<string, number>()
  const kilobytes = (folders: Iterable<string>) => {
    let bytes = 0
    for (const folder of folders) {
      if (!sizes.has(folder)) sizes.set(folder, bytesIn(join(project, folder)))
      bytes += sizes.get(folder)!
    }
    return Math.round(bytes / 1024)
  }
  const needed = new Set<string>()
  const isHere = (name: string) => existsSync(join(project, 'node_modules', name)) // else of other platforms
  const names = [...Object.keys(dependencies), ...Object.keys(optionalDependencies).filter(isHere)].sort()
  const direct = names.map((name) => {
    const isOptional = name in optionalDependencies
    const folder = `node_modules/${name}`
    const whole = installedWith(lock, project, folder)
    if (!isOptional) for (const one of whole) needed.add(one)
    const version = lock[folder]!.version!
    const sizes = { ownKb: kilobytes([folder]), wholeKb: kilobytes(whole) }
    return { name, version, isOptional, ...sizes, brings: whole.size - 1 }
  })
  return { direct, count: needed.size, totalKb: kilobytes(needed) }
}

/** A package's folder and those of all that it needs, as far as they are installed on this platform. */
function installedWith(lock: Lock, project: string, folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder) || !existsSync(join(project, folder))) return found
  found.add(folder)
  const { dependencies, optionalDependencies } = lock[folder]!
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = placeOf(lock, folder, name)
    if (place !== undefined) installedWith(lock, project, place, found)
  }
  return found
}

/** Where Node finds a package that another one needs: in its own folder, or in one above. */
export function placeOf(lock: Lock, folder: string, name: string): string | undefined {
  const above = folder
    .split('/node_modules/')
    .map((_, i, parts) => parts.slice(0, i + 1).join('/node_modules/'))
  return [...above.map((place) => `${place}/node_modules/${name}`).reverse(), `node_modules/${name}`].find(
    (place) => place in lock,
  )
}

/** The bytes of a package's own files; packages inside it count for themselves. */
function bytesIn(folder: string): number {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => (entry.isDirectory() ? bytesIn : sizeOf)(join(folder, entry.name)))
    .reduce((sum, bytes) => sum + bytes, 0)
}
