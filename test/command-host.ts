import { Console } from 'node:console'
import { Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { resolveAsWritten } from '../src/cli/resolve-as-written.ts'

/*
 * Runs commands one after another in one process, as `command.ts` asks: to load the program takes longer than most
 * commands. Each has its own arguments, environment, folder, input and output. One that would keep a process of its
 * own from ending is an error here too. Threads are told where compiled code is kept by the environment alone, as the
 * launcher tells them.
 */

/** A command to run. */
export interface HostedCommand {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly script: string
  readonly stdin: string | Buffer
  /** The text of a `.env`, whose settings are in the environment. */
  readonly settingsFile: string | undefined
}

/** How a command ended. */
export interface HostedOutcome {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

resolveAsWritten()
const { runCommand } = await import('../src/cli/run.ts')

/** Collects what is written. */
function collector() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** Waits until nothing is open that was not before. @throws when that takes longer than 10 s */
async function nothingOpenBut(before: number): Promise<void> {
  const until = performance.now() + 10_000
  while (process.getActiveResourcesInfo().length > before) {
    if (performance.now() > until) throw new Error(`left open: ${process.getActiveResourcesInfo()}`)
    await setImmediate()
  }
}

async function run({ args, env, cwd, script, stdin, settingsFile }: HostedCommand): Promise<HostedOutcome> {
  const [stdout, stderr] = [collector(), collector()]
  const streams = { stdin: Readable.from([Buffer.from(stdin)]), stdout: stdout.stream, stderr: stderr.stream }
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true })
  globalThis.console = new Console(stdout.stream, stderr.stream)
  for (const name of Object.keys(process.env)) if (name !== 'NODE_COMPILE_CACHE') delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
  process.chdir(cwd)
  process.argv = [process.execPath, script, ...args]
  process.exitCode = undefined
  const before = process.getActiveResourcesInfo().length
  await runCommand(args, settingsFile)
  await nothingOpenBut(before)
  return { status: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
}

process.on('message', async (command: HostedCommand) => process.send!(await run(command)))
process.on('disconnect', () => process.exit(0))
process.send!('ready')
