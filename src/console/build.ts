import { setPriority } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import { type BundleFile, keepFiles } from './bundle.ts'
import { cacheFolder, project, sourceKey } from './sources.ts'

/*
 * A program: builds the console, keeps it if it can, hands it to the process that started it, and ends. An image is
 * built with it ahead of the first start.
 */

try {
  setPriority(10) // below the server, which is starting meanwhile
} catch {
  // A service may not be allowed to: `SystemCallFilter=~@resources`.
}

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** Scripts and styles, with a hash of their content in their names. */
async function buildFiles(): Promise<BundleFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: { main: 'console/main.tsx' },
    tsconfig: 'console/tsconfig.json',
    outdir: 'console-bundle', // of names alone: nothing is written there
    write: false,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return Promise.all(
    outputFiles.map(async ({ path, contents }) => {
      const plain = Buffer.from(contents)
      const [br, gzip] = await Promise.all([
        asBrotli(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
        asGzip(plain, { level: 9 }),
      ])
      return { name: path.slice(join(project, 'console-bundle').length + 1), plain, br, gzip }
    }),
  )
}

const cache = process.argv[2] ?? cacheFolder
const files = await buildFiles()
const isOwnProgram = process.send === undefined
try {
  await keepFiles(cache, await sourceKey(), files)
} catch (error) {
  if (isOwnProgram) throw error // where it may not be kept, it is held in memory
}
process.send?.(files, () => process.disconnect())
