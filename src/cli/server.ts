import { setTimeout as pause } from 'node:timers/promises'
import { ensureSigningKey } from '../access/signing-keys.ts'
import type { RegistrarApp } from '../app.ts'
import {
  administratorCommand,
  isLoopbackDoorOpen,
  makeConfiguredAdministrator,
  newAdministratorCommand,
  strangersRoleWarning,
} from '../auth/first-administrator.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { hasAdministrator } from '../roles/queries.ts'
import { type Listening, listen, mostConnections, tryAddress } from '../server/listen.ts'
import { countNeverGranted, neverGrantedText } from '../users/removal.ts'
import { CommandError } from './command.ts'
import { keepHouse, startHousekeeping } from './housekeeping.ts'
import { logStream } from './log-stream.ts'
import { openForServing } from './serving-database.ts'
import { sameSignalMs } from './signals.ts'

/** How long open requests may take to finish once the server is told to stop. */
const stopLimitMs = 10_000

/** How long to wait before unused schemas are compiled, so that the first requests do not wait. */
const compileAheadAfterMs = 250

/** How many descriptors a server needs besides those of its connections and of the database's. */
const ownDescriptors = 100
const leastConnections = 10

/**
 * Opens the database, brings it up to date, and serves it until a signal ends the process.
 * @param nameWarnings what to log of misspelt settings
 */
export async function startServer(config: Config, nameWarnings: readonly string[] = []): Promise<Listening> {
  const { host, port } = config
  const records = await openForServing(config, () => orExplain(config, () => tryAddress(host, port)))
  const { db } = records
  const clock = () => new Date()
  // Loaded here because loading blocks: SQLite's writing thread starts meanwhile, and nothing else is in progress.
  const { buildApp } = await import('../app.ts')
  const now = clock().toISOString()
  const advice = records.takesWrites ? await prepareAccounts(db, config, now) : undefined

  const openFiles = descriptorLimit() ?? Number.POSITIVE_INFINITY
  const maxConnections = Math.min(mostConnections, connectionsWithin(openFiles, config.databasePool))
  const app = await buildApp({ config, db, clock, logStream: logStream(), maxConnections })
  const neverGranted = records.takesWrites ? await countNeverGranted(db) : 0
  const listening = await orExplain(config, () => listen(app, host, port))
  app.log.info(`Registrar serves http://${urlHost(host)}:${listening.port} (reference: /api/docs)`)
  app.log.info(`the records are in ${records.place}`)
  if (advice !== undefined) app.log.info(advice)
  for (const warning of [...nameWarnings, strangersRoleWarning(config), ...records.warnings])
    if (warning !== undefined) app.log.warn(warning)
  if (neverGranted > 0) app.log.info(neverGrantedText(neverGranted))
  if (maxConnections < mostConnections) {
    const limits = { open_files: openFiles, max_connections: maxConnections }
    const advice = `holds fewer than ${mostConnections} connections: raise the limit of open files (ulimit -n)`
    app.log.warn(limits, advice)
  }

  void app.console.start()
  void pause(compileAheadAfterMs).then(app.compileAhead) // a faulty one, which no test lets pass, ends the server
  if (records.takesWrites) app.importJobs.start()
  const stopHousekeeping = records.takesWrites
    ? startHousekeeping(
        (stop) => keepHouse(db, clock, config.tokenTtlSeconds, stop),
        (error) => app.log.error({ fault: (error as Error).message }, 'housekeeping failed'),
      )
    : () => {}
  stopOnSignals(app, async () => {
    app.shutdown.drain()
    await pause(config.drainSeconds * 1000)
    // Load balancers know by now. Health tells the others until the last answer.
    if (config.drainSeconds === 0) app.shutdown.refuse()
    stopHousekeeping()
    await stopWithin(listening, app, stopLimitMs)
    await records.close()
  })
  return listening
}

/**
 * Creates what logins need: a signing key, and the administrator that the settings name.
 * @returns what to tell about it
 */
async function prepareAccounts(db: Db, config: Config, now: string): Promise<string | undefined> {
  await write(db, { command: 'serve' }, (db) => ensureSigningKey(db, now))
  if (await makeConfiguredAdministrator(db, config, now))
    return 'made the administrator that ADMIN_EMAIL names'
  return (await hasAdministrator(db)) ? undefined : firstAdministratorAdvice(config)
}

/** Stops listening, gives open requests time to finish, and then closes their connections. */
async function stopWithin(listening: Listening, app: RegistrarApp, limitMs: number): Promise<void> {
  const cut = setTimeout(() => listening.cut(), limitMs)
  await listening.stop()
  clearTimeout(cut)
  app.log.info('stopped')
}

/**
 * Stops in order on a signal, and when the launcher that started this process has ended (its channel closes). A
 * second signal ends the process at once, unless it comes soon: a signal to the whole process group arrives twice,
 * because the launcher passes it on.
 */
function stopOnSignals(app: RegistrarApp, stop: () => Promise<void>): void {
  let stoppingSince: number | undefined
  const begin = (reason: string) => {
    if (stoppingSince !== undefined) return
    stoppingSince = performance.now()
    app.log.info(`${reason}: finishing open requests`)
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.fatal({ fault: (error as Error).message }, 'the server did not stop cleanly')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      if (stoppingSince !== undefined && performance.now() - stoppingSince > sameSignalMs) process.exit(1)
      begin(signal)
    })
  }
  if (process.connected) process.once('disconnect', () => begin('the launcher has ended'))
}

async function orExplain<Result>({ host, port }: Config, listen: () => Promise<Result>): Promise<Result> {
  try {
    return await listen()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use. Stop the program that uses it, or take another port: set PORT, or add --port PORT.`,
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

/** How many descriptors this process may have open (`ulimit -n`); undefined where the system sets no limit or tells none. */
function descriptorLimit(): number | undefined {
  Object.assign(process.report, { excludeNetwork: true }) // else it looks up each connection's name
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const limit = userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : undefined
}

/** How many connections those descriptors leave room for. */
function connectionsWithin(descriptors: number, poolSize: number): number {
  return Math.max(leastConnections, descriptors - ownDescriptors - poolSize)
}
