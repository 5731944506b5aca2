import { type Lock, placeOf } from '../bench/packages.ts'

/** What package.json says of the project. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly engines: Readonly<Record<string, string>>
}

/** What only the build of the console needs: the package carries what came of it. */
const buildOnly = ['@preact/signals', 'esbuild', 'preact']

/** package.json of the server as it is packed. */
export function serverManifest({ name, version, description, license, ...project }: Manifest) {
  const { engines, optionalDependencies } = project
  const dependencies = Object.fromEntries(
    Object.entries(project.dependencies).filter(([name]) => !buildOnly.includes(name)),
  )
  return {
    ...{ name, version, description, license },
    type: 'module',
    bin: { registrar: 'registrar.js' },
    exports: {
      './client': { types: './client/index.d.ts', default: './client/index.js' },
      './package.json': './package.json',
    },
    ...{ engines, dependencies, optionalDependencies },
  }
}

/** package.json of the client as it is packed: of the server's version, without dependencies. */
export function clientManifest({ version, license, engines }: Manifest) {
  return {
    name: 'registrar-client',
    version,
    description: 'A typed client for the API of Registrar, a student-records server',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
    engines,
  }
}

/** npm-shrinkwrap.json of a package: of the lock file, what the package needs, at the same versions and digests. */
export function shrinkwrapOf(manifest: ReturnType<typeof serverManifest>, lock: Lock) {
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = manifest
  const root = { name, version, license, bin, engines, dependencies, optionalDependencies }
  const found = new Set<string>()
  const follow = (folder: string, needs: Pick<Lock[string], 'dependencies' | 'optionalDependencies'>) => {
    for (const name of Object.keys({ ...needs.dependencies, ...needs.optionalDependencies })) {
      const place = placeOf(lock, folder, name)
      if (place === undefined)
        throw new Error(`package-lock.json has no ${name}, which ${folder || 'it'} needs`)
      if (found.has(place)) continue
      found.add(place)
      follow(place, lock[place]!)
    }
  }
  follow('', manifest)
  const packages = { '': root, ...Object.fromEntries([...found].sort().map((place) => [place, lock[place]])) }
  return { name, version, lockfileVersion: 3, requires: true, packages }
}
