import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { launcher, programInFolder, serverEnvironment } from './server.ts'

/** The password of every account that tests make by command. */
export const password = 'a long enough password'

/** Where and with what a command runs. */
export interface CommandSetting {
  readonly databaseUrl: string
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
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

/** Runs `./registrar.js` with these arguments, as a process of its own in a folder that holds nothing else. */
export async function runCommand(
  args: readonly string[],
  { databaseUrl, stdin = '', env = {}, cwd }: CommandSetting,
): Promise<CommandOutcome> {
  const place = cwd === undefined ? programInFolder() : { cwd, script: launcher }
  const child = spawn(process.execPath, [place.script, ...args], {
    cwd: place.cwd,
    env: serverEnvironment(databaseUrl, env),
  })
  child.stdin.on('error', () => {}) // a command that reads nothing has closed it
  child.stdin.end(stdin)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { status, stdout, stderr, json: () => JSON.parse(stdout) }
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
