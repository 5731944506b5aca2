import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { atEnd, temporaryFolder } from './cleanup.ts'
import { migratedDatabaseUrl } from './engine.ts'

export const projectFolder = join(import.meta.dirname, '..')
export const launcher = join(projectFolder, 'registrar.js')

/** A server as a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly databaseUrl: string
  readonly process: ChildProcess
  /** Every line of its log so far. */
  readonly log: readonly string[]
  /** Ends it with a signal. @returns its exit status, or the signal that ended it */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/** The environment of a test's processes: nothing of this one's settings, the system's choice of port. */
export function serverEnvironment(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, DATABASE_URL: databaseUrl, PORT: '0', HOST: '127.0.0.1', ...env }
}

/** A folder that holds the program and nothing else: there its messages say `./registrar.js`. */
export function programInFolder(): { cwd: string; script: string } {
  const cwd = temporaryFolder()
  symlinkSync(launcher, join(cwd, 'registrar.js'))
  return { cwd, script: './registrar.js' }
}

/**
 * Starts a server, on a database that holds its schema unless one is given, and waits until it says where it listens.
 * It ends with the test file.
 * @param under a command that becomes the one that follows it, such as `unshare`
 */
export async function startServer(
  givenUrl?: string,
  env: Readonly<Record<string, string>> = {},
  under: readonly string[] = [],
  cwd?: string,
): Promise<ServerProcess> {
  const databaseUrl = givenUrl ?? (await migratedDatabaseUrl())
  const place = cwd === undefined ? programInFolder() : { cwd, script: launcher }
  const [program, ...args] = [...under, process.execPath, place.script, 'serve']
  const child = spawn(program!, args, {
    cwd: place.cwd,
    env: serverEnvironment(databaseUrl, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return whenServing(child, databaseUrl)
}

/** A server that was just started, when it says where it listens. It ends with the test file. */
export async function whenServing(
  child: ChildProcessByStdio<null, Readable, Readable>,
  databaseUrl: string,
): Promise<ServerProcess> {
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const log: string[] = []
  const errors = createInterface({ input: child.stderr })
  errors.on('line', (line) => log.push(line))
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.push(line)
      const match = /Registrar serves http:\/\/[^ ]+:(\d+) /.exec(line)
      if (match) resolve(Number(match[1]))
    })
    exited.then(([code]) => reject(new Error(`the server exited with ${code}:\n${log.join('\n')}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    databaseUrl,
    process: child,
    log,
    async end(signal) {
      child.kill(signal)
      const [code, endedBy] = await exited
      return code ?? endedBy!
    },
  }
}

/** Registers the first account at a server on a fresh database, which makes it administrator. @returns its token */
export async function firstAdministrator({ url }: Pick<ServerProcess, 'url'>): Promise<string> {
  const account = { email: 'first@school.example', password: 'correct horse battery' }
  /** A busy machine sheds requests: this one is sent again as the server says. */
  const post = async (path: string, body: object): Promise<Response> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 503) return answer
    await setTimeout(Number(answer.headers.get('retry-after')) * 1000)
    return post(path, body)
  }
  await post('/api/auth/register', { name: 'First', ...account })
  const login = await post('/api/auth/login', account)
  if (!login.ok) throw new Error(`login: ${login.status} ${await login.text()}`)
  return ((await login.json()) as { data: { token: string } }).data.token
}
