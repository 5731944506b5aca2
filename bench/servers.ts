import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const launcher = join(import.meta.dirname, '..', 'registrar.js')

/** A server as a process of its own. */
export interface ServerProcess {
  readonly pid: number
  readonly port: number
  /** Throws away what it has logged so far, where it logs to a file. */
  emptyLog?(): void
  stop(): Promise<void>
}

export interface Registrar extends ServerProcess {
  /** From the start of the process to the first healthy answer, in milliseconds. */
  readonly startMs: number
  emptyLog(): void
}

/** Starts Registrar on an existing database, logging each request to a file of its own in `folder`. */
export async function startRegistrar(
  databaseUrl: string,
  folder: string,
  profile?: string,
): Promise<Registrar> {
  const logPath = join(folder, `server-${randomUUID()}.log`)
  const log = openSync(logPath, 'a', 0o600)
  const { PATH, HOME, TMPDIR } = process.env
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]), launcher, 'serve'],
    {
      cwd: folder,
      env: {
        ...{ PATH, HOME, TMPDIR, DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' },
        ...{ HOST: '127.0.0.1', PORT: '0', FIRST_ADMIN: 'off', REGISTRATION: 'closed' },
      },
      stdio: ['ignore', log, log],
    },
  )
  const stop = stopping(child, () => child.kill('SIGTERM'))
  let port: string | undefined
  while (port === undefined) {
    if (child.exitCode !== null) throw new Error(`the server ended:\n${readFileSync(logPath, 'utf8')}`)
    await sleep(2)
    port = /Registrar serves http:\/\/[^ ]+:(\d+) /.exec(readFileSync(logPath, 'utf8'))?.[1]
  }
  const health = await fetch(`http://127.0.0.1:${port}/api/health`)
  if (!health.ok) throw new Error(`the server is not healthy: ${await health.text()}`)
  return {
    pid: child.pid!,
    port: Number(port),
    startMs: performance.now() - began,
    emptyLog: () => ftruncateSync(log),
    async stop() {
      await stop()
      closeSync(log)
    },
  }
}

export interface BareServer extends ServerProcess {
  /** Sets how long its answers are. */
  answerWith(bytes: number): Promise<void>
}

/** Starts the bare `node:http` server. */
export async function startBare(): Promise<BareServer> {
  const child = fork(join(import.meta.dirname, 'bare.ts'))
  return {
    ...(await started(child)),
    async answerWith(bytes) {
      child.send(bytes)
      await once(child, 'message')
    },
  }
}

/** Starts Registrar on a disk whose flushes take `flushDelayMs`. */
export async function startOnSlowDisk(databaseUrl: string, flushDelayMs: number): Promise<ServerProcess> {
  return started(fork(join(import.meta.dirname, 'slow-disk.ts'), [databaseUrl, String(flushDelayMs)]))
}

/** Waits until a process of ours says where it listens; it ends when it is let go. */
export async function started(child: ChildProcess): Promise<ServerProcess> {
  const stop = stopping(child, () => child.disconnect())
  const exited = once(child, 'exit').then(() => {
    throw new Error('the server ended before it listened')
  })
  const [{ port }] = (await Promise.race([once(child, 'message'), exited])) as [{ port: number }]
  exited.catch(() => {})
  return { pid: child.pid!, port, stop }
}

/** Whatever ends this process ends its children. */
function stopping(child: ChildProcess, ask: () => void): () => Promise<void> {
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit')
  return async () => {
    if (child.exitCode === null && child.signalCode === null) ask()
    await exited
    process.off('exit', kill)
  }
}
