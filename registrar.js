#!/usr/bin/env node
// The launcher: plain JavaScript that any Node can read. It finds a Node that can run Registrar, the one that
// runs this or the one that npm installed with it, reads .env, and hands over.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import util from 'node:util'

const leastMajor = 24
const here = dirname(fileURLToPath(import.meta.url))
const major = (version) => Number.parseInt(version.replace(/^v/, ''), 10)

/** The folders of packages that this program may load from: its own, and those that it is installed in. */
const packageFolders = [join(here, 'node_modules')]
for (let folder = here; folder !== dirname(folder); folder = dirname(folder))
  if (basename(folder) === 'node_modules') packageFolders.push(folder)

/** @returns the path of a package's file, wherever npm put the package */
function findInstalled(...path) {
  return packageFolders.map((folder) => join(folder, ...path)).find((found) => existsSync(found))
}

/** @returns the program to run Registrar with, or why there is none and what to do */
function findNode() {
  if (major(process.version) >= leastMajor) return { program: process.execPath }
  const windows = process.platform === 'win32'
  const platform = `${windows ? 'win' : process.platform}-${process.arch}`
  const program = findInstalled(`node-${platform}`, 'bin', windows ? 'node.exe' : 'node')
  if (program === undefined) {
    const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
    const isBrought = Object.hasOwn(manifest.optionalDependencies ?? {}, `node-${platform}`)
    return {
      remedy: isBrought
        ? `install its packages without omitting optional ones, or install Node.js ${leastMajor}.`
        : `it brings none for ${platform}, so install Node.js ${leastMajor}.`,
    }
  }
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (stdout && major(stdout) >= leastMajor) return { program }
  return { remedy: `the one that it brings does not run here, so install Node.js ${leastMajor}.` }
}

/**
 * Runs a program in this one's place: its signals and its exit status are passed on. A signal to both reaches the
 * program twice, which a server knows. The channel tells it when this process is gone.
 */
function runInstead(program, args) {
  const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`Registrar can't start Node: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/**
 * Puts the settings of .env into the environment, which wins. Node would take the next line for the value of a name
 * that only blanks follow, and a byte order mark for a part of the first name.
 * @returns the text of .env
 */
function readSettings() {
  try {
    if (!existsSync('.env')) return undefined
    const text = readFileSync('.env', 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll(/[ \t\r]+(?=\n|$)/g, '')
    for (const [name, value] of Object.entries(util.parseEnv(text))) process.env[name] ??= value
    return text
  } catch {
    fail("The settings in .env can't be read: make it a text file that this user may read, or remove it.")
  }
}

/**
 * Keeps what Node compiles for the next start: beside the packages, since in a folder that all may write to, such
 * as /tmp, it could be someone else's. Where that folder can't be written to, nothing is kept. Worker threads are
 * told of it by the environment alone.
 */
function keepCompiled() {
  const beside = findInstalled('fastify')
  process.env.NODE_COMPILE_CACHE ||= join(dirname(beside), '.cache', 'registrar')
  nodeModule.enableCompileCache?.()
}

const { program, remedy } = findNode()
const args = process.argv.slice(2)
if (program === undefined) {
  fail(`Registrar needs Node.js ${leastMajor} or newer, and this is ${process.version}: ${remedy}`)
} else if (findInstalled('fastify') === undefined) {
  fail('Registrar is not installed yet: run "npm ci" in its folder.')
} else if (args[0] === '--node') {
  runInstead(program, args.slice(1))
} else if (program !== process.execPath) {
  runInstead(program, [process.argv[1], ...args]) // the name that it was called by
} else {
  const settingsFile = readSettings()
  keepCompiled()
  const { boundMemory } = await import('./src/cli/memory.ts')
  boundMemory([process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' '))
  const { resolveAsWritten } = await import('./src/cli/resolve-as-written.ts')
  resolveAsWritten()
  const { runCommand } = await import('./src/cli/run.ts')
  await runCommand(args, settingsFile)
}
