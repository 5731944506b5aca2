import { setTimeout as pause } from 'node:timers/promises'
import { ensureSigningKey } from '../access/signing-keys.ts'
import type { RegistrarApp } from '../app.ts'
import {
  administratorCommand,
  isLoopbackDoorOpen,
  makeConfiguredAdministrator,
  newAdministratorCommand,
} from '../auth/first-administrator.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { type Listening, listen, tryAddress } from '../http/listen.ts'
import { hasAdministrator } from '../roles/queries.ts'
import { CommandError } from './command.ts'
import { keepHouse, startHousekeeping } from './housekeeping.ts'
import { logStream } from './log-stream.ts'
import { openForServing } from './serving-database.ts'

/** How long open requests may take to finish once the server is told to stop. */
const stopLimitMs = 10_000

/** How long the schemas that no request has used yet wait to be compiled: who comes first waits for none of them. */
const compileAheadAfterMs = 250

/** A server that runs until a signal ends it. */
export interface RunningServer {
  readonly app: RegistrarApp
  readonly db: Db
  readonly port: number
}

/** Opens the database, brings it up to date, and serves it. */
export async function startServer(config: Config): Promise<RunningServer> {
  const { host, port } = config
  const records = await openForServing(config, () => orExplain(config, () => tryAddress(host, port)))
  const { db } = records
  const clock = () => new Date()
  // Loaded here, since SQLite's writing thread starts meanwhile; with nothing under way, since loading blocks.
  const { buildApp } = await import('../app.ts')
  const now = clock().toISOString()
  await write(db, { command: 'serve' }, (db) => ensureSigningKey(db, now))
  const madeAdministrator = await makeConfiguredAdministrator(db, config, now)

  const app = await buildApp({ config, db, clock, logStream: logStream() })
  const advice = madeAdministrator
    ? 'made the administrator that ADMIN_EMAIL names'
    : (await hasAdministrator(db)) || firstAdministratorAdvice(config)
  const listening = await orExplain(config, () => listen(app, host, port))
  app.log.info(`Registrar serves http://${urlHost(host)}:${listening.port} (reference: /api/docs)`)
  app.log.info(`the records are in ${records.place}`)
  if (advice !== true) app.log.info(advice)

  void pause(compileAheadAfterMs).then(app.compileAhead) // a faulty one, which no test lets pass, ends the server
  const stopHousekeeping = startHousekeeping(
    (stop) => keepHouse(db, clock, config.tokenTtlSeconds, stop),
    (error) => app.log.error({ fault: (error as Error).message }, 'housekeeping failed'),
  )
  stopOnSignals(app, async () => {
    app.shutdown.drain()
    await pause(config.drainSeconds * 1000)
    // Those who watch its health know by now; for the others it goes on telling until the last answer.
    if (config.drainSeconds === 0) app.shutdown.refuse()
    stopHousekeeping()
    await stopWithin(listening, app, stopLimitMs)
    await records.close()
  })
  return { app, db, port: listening.port }
}

/** Stops listening, and gives the open requests their time; then cuts what is left. */
async function stopWithin(listening: Listening, app: RegistrarApp, limitMs: number): Promise<void> {
  const cut = setTimeout(() => listening.cut(), limitMs)
  await listening.stop()
  clearTimeout(cut)
  app.log.info('stopped')
}

function stopOnSignals(app: RegistrarApp, stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    app.log.info(`${signal}: finishing open requests`)
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.fatal({ fault: (error as Error).message }, 'the server did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

async function orExplain<Result>({ host, port }: Config, listen: () => Promise<Result>): Promise<Result> {
  try {
    return await listen()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`,
      EACCES: `This user may not listen on port ${port}. Set PORT to one above 1023.`,
      EADDRNOTAVAIL: `HOST=${host} is not an address of this machine. Set HOST=localhost, or 0.0.0.0 for all addresses.`,
      ENOTFOUND: `HOST=${host} can't be resolved. Set HOST=localhost, or 0.0.0.0 for all addresses.`,
    }
    throw new CommandError(reasons[code ?? ''] ?? `The server can't listen on ${host}:${port}: ${message}`)
  }
}

function firstAdministratorAdvice(config: Config): string {
  if (config.registration === 'closed')
    return `there is no administrator yet; run: ${newAdministratorCommand}`
  return isLoopbackDoorOpen(config)
    ? 'there is no administrator yet: the first account that registers from this machine becomes one'
    : `there is no administrator yet: register, then run: ${administratorCommand}`
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
