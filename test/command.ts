import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { atEnd } from './cleanup.ts'
import type { HostedCommand, HostedOutcome } from './command-host.ts'
import { engine } from './engine.ts'
import {
  firstAdministrator,
  launcher,
  programInFolder,
  type ServerProcess,
  serverEnvironment,
  startServer,
} from './server.ts'

/** The password of every account that tests make by command. */
export const password = 'a long enough password'

/** Where and with what a command runs. */
export interface CommandSetting {
  readonly databaseUrl: string
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The text of a `.env`, in the place of a folder that holds one: it is given to the command, and no process starts. */
  readonly settingsFile?: string
  /** Runs it as a process of its own: where it ends only after other commands, which would wait for it. */
  readonly hasOwnProcess?: boolean
}

/** How a command ended, and what it said. */
export interface CommandOutcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** What it printed, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever is printed
  json(): any
}

/** The first words of the commands that ran in a process of their own, since this one began. */
const haveRun = new Set<string>()

/** Whether commands are seen as processes of their own: on one engine. Elsewhere what it left open would be told. */
const isAboutCommands = engine === 'sqlite' && (process.env.TEST_FILES ?? '').includes('src/cli/')

/**
 * Runs `./registrar.js` with these arguments, in a folder that holds nothing else. It runs as a process of its own
 * where it serves or is given a folder; in tests that are about commands, the first of each kind does (`user`, `class`).
 * Else it waits for its turn in a process that has loaded the program already.
 */
export async function runCommand(args: readonly string[], setting: CommandSetting): Promise<CommandOutcome> {
  const [name = ''] = args
  const isKnown = haveRun.has(name) || !isAboutCommands
  const isFree = isKnown && name !== 'serve' && setting.hasOwnProcess !== true && setting.cwd === undefined
  const isHosted = isFree || setting.settingsFile !== undefined
  haveRun.add(name)
  const outcome = await (isHosted ? inTurn(() => runHosted(args, setting)) : runAlone(args, setting))
  return { ...outcome, json: () => JSON.parse(outcome.stdout) }
}

async function runAlone(args: readonly string[], { databaseUrl, stdin = '', env = {}, cwd }: CommandSetting) {
  const place = cwd === undefined ? programInFolder() : { cwd, script: launcher }
  const child = spawn(process.execPath, [place.script, ...args], {
    cwd: place.cwd,
    env: serverEnvironment(databaseUrl, env),
  })
  child.stdin.on('error', () => {}) // a command that reads nothing has closed it
  child.stdin.end(stdin)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { status, stdout, stderr }
}

let host: Promise<ChildProcess> | undefined
let last: Promise<unknown> = Promise.resolve()

/** Begins when all that was given before has ended. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work)
  last = mine.catch(() => {})
  return mine
}

async function runHosted(
  args: readonly string[],
  { databaseUrl, stdin = '', env: given = {}, settingsFile }: CommandSetting,
) {
  host ??= startHost()
  const child = await host
  const { cwd, script } = programInFolder()
  const env = { ...parseEnv(settingsFile ?? ''), ...serverEnvironment(databaseUrl, given) }
  const command = { args, env, cwd, script: join(cwd, script), stdin, settingsFile }
  const [outcome] = await new Promise<[HostedOutcome]>((resolve, reject) => {
    const ended = () => reject(new Error(`${args.join(' ')}: the process that ran it has ended`))
    child.once('exit', ended)
    once(child, 'message').then((answer) => {
      child.off('exit', ended)
      resolve(answer as [HostedOutcome])
    }, reject)
    child.send(command satisfies HostedCommand)
  })
  return outcome
}

async function startHost(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'command-host.ts'), {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...serverEnvironment(''), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  })
  atEnd(async () => {
    child.disconnect()
    await once(child, 'exit')
  })
  await once(child, 'message')
  return child
}

/** Runs a command that must succeed. */
export async function runWell(args: readonly string[], setting: CommandSetting): Promise<CommandOutcome> {
  const outcome = await runCommand(args, setting)
  if (outcome.status !== 0)
    throw new Error(`${args.join(' ')} exited with ${outcome.status}: ${outcome.stderr}`)
  return outcome
}

/** Makes an account by command. */
export async function addUser(databaseUrl: string, email: string, role?: string): Promise<void> {
  const args = ['user', 'add', '--email', email, '--name', 'Some One']
  await runWell(role === undefined ? args : [...args, '--role', role], { databaseUrl, stdin: password })
}

/**
 * Starts a server for browsers, with accounts of these roles by their e-mail addresses.
 * @returns it, and the token of its first administrator
 */
export async function startServerWith(
  accounts: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ server: ServerProcess; token: string }> {
  const server = await startServer(undefined, { HOST: 'localhost', ...env })
  const token = await firstAdministrator(server)
  for (const [email, role] of Object.entries(accounts)) await addUser(server.databaseUrl, email, role)
  return { server, token }
}
