import { execFile } from 'node:child_process'
import { chmod, cp, glob, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { asJavaScript, asOneModule, namingJavaScript } from './javascript.ts'
import { clientManifest, type Manifest, serverManifest, shrinkwrapOf } from './manifest.ts'

/*
 * A program: lays out the packages `registrar` and `registrar-client` in `dist`, or in the folder that it is given,
 * for `npm pack`. In them is JavaScript, so that they run below `node_modules`, where Node strips no types.
 */

const project = join(import.meta.dirname, '..')
const run = promisify(execFile)
const readJson = async (name: string) => JSON.parse(await readFile(join(project, name), 'utf8'))

/** What of the project is packed as it is. What stands beside these files may be somebody's own. */
const documents = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/openapi.json']
const forOperators =
  'haproxy.cfg nginx.conf pgbouncer.ini postgres-init.sql registrar.env registrar.service'.split(' ')

/** What the server loads of the console. */
const wordsOfFiles = join('console', 'imports', 'told', 'languages.ts')

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const putJson = (path: string, value: unknown) => put(path, `${JSON.stringify(value, null, 2)}\n`)

/** Writes the client into a folder: JavaScript, and its types beside it. */
async function compileClient(folder: string): Promise<void> {
  const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [tsc, '-p', join(project, 'client'), '--outDir', folder])
  for await (const file of glob('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file)
    await writeFile(path, namingJavaScript(await readFile(path, 'utf8')))
  }
}

async function stageClient(folder: string, manifest: Manifest): Promise<void> {
  await compileClient(folder)
  await putJson(join(folder, 'package.json'), clientManifest(manifest))
  await cp(join(project, 'LICENSE'), join(folder, 'LICENSE'))
  await cp(join(project, 'client', 'README.md'), join(folder, 'README.md'))
}

/** Writes the program as JavaScript: its layout stays, since threads and files are found by it. */
async function compileServer(folder: string): Promise<void> {
  for await (const file of glob('src/**/*.ts', { cwd: project })) {
    if (file.endsWith('.test.ts') || file === join('src', 'console', 'build.ts')) continue
    const source = await readFile(join(project, file), 'utf8')
    await put(join(folder, file.replace(/\.ts$/, '.js')), await asJavaScript(source))
  }
  await put(
    join(folder, wordsOfFiles.replace(/\.ts$/, '.js')),
    await asOneModule(join(project, wordsOfFiles)),
  )
  const launcher = join(folder, 'registrar.js')
  await put(launcher, namingJavaScript(await readFile(join(project, 'registrar.js'), 'utf8')))
  await chmod(launcher, 0o755)
}

/** Builds the console, as a server would that finds none. */
async function buildConsole(folder: string): Promise<void> {
  const made = await mkdtemp(join(folder, 'making-'))
  await run(process.execPath, [join(project, 'src', 'console', 'build.ts'), made])
  const [bundle] = await readdir(made)
  await rename(join(made, bundle!), join(folder, 'console-bundle'))
  await rm(made, { recursive: true })
}

async function stageServer(folder: string, manifest: Manifest, client: string): Promise<void> {
  await compileServer(folder)
  await buildConsole(folder)
  for await (const file of glob('**/*.{js,d.ts}', { cwd: client }))
    await cp(join(client, file), join(folder, 'client', file))
  const pages = await Array.fromAsync(glob('docs/*.md', { cwd: project }))
  for (const file of [...documents, ...pages, ...forOperators.map((name) => join('deploy', name))])
    await cp(join(project, file), join(folder, file))
  const packed = serverManifest(manifest)
  const { packages } = await readJson('package-lock.json')
  await putJson(join(folder, 'package.json'), packed)
  await putJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrapOf(packed, packages))
}

const out = resolve(process.argv[2] ?? join(project, 'dist'))
const [client, server] = [join(out, 'registrar-client'), join(out, 'registrar')]
for (const folder of [client, server]) await rm(folder, { recursive: true, force: true })
const manifest: Manifest = await readJson('package.json')
await stageClient(client, manifest)
await stageServer(server, manifest, client)
