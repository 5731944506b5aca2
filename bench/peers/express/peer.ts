import { execFileSync, fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, existsSync, ftruncateSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Seeded } from '../../seed.ts'
import { type ServerProcess, started } from '../../servers.ts'

const here = import.meta.dirname

/** The peer, with a log of its own. */
export interface PeerServer extends ServerProcess {
  /** Throws away what it has logged so far. */
  emptyLog(): void
}

/**
 * Starts the peer on a database of its own in `folder`, with the people of a Registrar database. Installs
 * what it depends on when it is first asked for.
 * @returns the process, and `seeded` with tokens of the peer's own sessions
 */
export async function startPeer(
  folder: string,
  registrarDatabasePath: string,
  seeded: Seeded,
): Promise<{ server: PeerServer; seeded: Seeded }> {
  installOnce()
  const { PATH, HOME, TMPDIR } = process.env
  const run = randomUUID()
  const env = {
    ...{ PATH, HOME, TMPDIR, NODE_ENV: 'production', PORT: '0' },
    DATABASE: join(folder, `peer-${run}.db`),
    JWT_SECRET: randomBytes(32).toString('hex'),
  }
  const sessions = { viewer: seeded.viewerTokens.length, registrar: seeded.registrarTokens.length }
  const printed = execFileSync(
    process.execPath,
    [join(here, 'seed.js'), registrarDatabasePath, JSON.stringify(sessions)],
    { env, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 },
  )
  const tokens = JSON.parse(printed) as Record<keyof typeof sessions, string[]>

  const log = openSync(join(folder, `peer-${run}.log`), 'a', 0o600)
  const child = fork(join(here, 'server.js'), { cwd: folder, env, stdio: ['ignore', log, log, 'ipc'] })
  const { pid, port, stop } = await started(child)
  return {
    seeded: { ...seeded, viewerTokens: tokens.viewer, registrarTokens: tokens.registrar },
    server: {
      pid,
      port,
      emptyLog: () => ftruncateSync(log),
      async stop() {
        await stop()
        closeSync(log)
      },
    },
  }
}

/** npm writes node_modules/.package-lock.json last: where it is missing or older, the install is not whole. */
function installOnce(): void {
  const wanted = join(here, 'package-lock.json')
  const installed = join(here, 'node_modules', '.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  console.log('installing what the peer depends on (npm ci in bench/peers/express)')
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}
