#!/usr/bin/env node
// The launcher: plain JavaScript that any Node can read. It finds a Node that can run Registrar, the one that
// npm installed beside it or the one that runs this, reads .env, and hands over.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import util from 'node:util'

const leastMajor = 24
const here = dirname(fileURLToPath(import.meta.url))
const installed = join(
  here,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)
const major = (version) => Number.parseInt(version.replace(/^v/, ''), 10)

function findNode() {
  if (major(process.version) >= leastMajor) return process.execPath
  if (!existsSync(installed)) return undefined
  const { stdout } = spawnSync(installed, ['--version'], { encoding: 'utf8' })
  return stdout && major(stdout) >= leastMajor ? installed : undefined
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
 * Keeps what Node compiles for the next start: beside the program, since in a folder that all may write to, such
 * as /tmp, it could be someone else's. Worker threads are told of it by the environment alone.
 */
function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ||= join(here, 'node_modules', '.cache', 'registrar')
  nodeModule.enableCompileCache?.()
}

const node = findNode()
const args = process.argv.slice(2)
if (node === undefined) {
  fail(
    `Registrar needs Node.js ${leastMajor} or newer, and this is ${process.version}: run "npm ci" with install scripts allowed for the package "node", or install Node.js ${leastMajor}.`,
  )
} else if (!existsSync(join(here, 'node_modules', 'fastify'))) {
  fail('Registrar is not installed yet: run "npm ci" in its folder.')
} else if (args[0] === '--node') {
  runInstead(node, args.slice(1))
} else if (node !== process.execPath) {
  runInstead(node, [process.argv[1], ...args]) // the name that it was called by
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
