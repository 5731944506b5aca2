import Fastify, { type FastifyServerOptions, LogController } from 'fastify'
import { about } from './about.ts'
import { clientOf } from './access/clients.ts'
import type { Clock } from './access/clock.ts'
import { guardRoutes, open } from './access/guard.ts'
import type { SessionUses } from './access/session-uses.ts'
import { createTokens } from './access/tokens.ts'
import { auditRoutes } from './audit/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { classRoutes } from './classes/routes.ts'
import type { Config } from './config.ts'
import { Console } from './console/console.ts'
import { consoleRoutes } from './console/routes.ts'
import { checkServes } from './db/engine.ts'
import { sqliteReadersOf, sqliteStateOf } from './db/sqlite-readers.ts'
import type { Db } from './db/tables.ts'
import { type ExportLimits, exportRoutes } from './exports/routes.ts'
import { fieldRoutes } from './fields/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { type CompileAhead, compileWhenUsed } from './http/compile-when-used.ts'
import { correctNotModified } from './http/conditions.ts'
import type { App } from './http/context.ts'
import { allowOrigins, crossOriginHeaders } from './http/cors.ts'
import { answerProblems, asProblem, sendProblem } from './http/errors.ts'
import { readInput } from './http/input.ts'
import { type LogStream, loggerOptions, logRequests } from './http/logging.ts'
import { answerOtherMethods, collectMethods } from './http/methods.ts'
import { type Describe, describeRoutes } from './http/openapi.ts'
import { Outages } from './http/outages.ts'
import { serveReferencePage } from './http/reference-page.ts'
import { problemRefusal } from './http/refusals.ts'
import { admitRequests, commonHeaders, requestOptions, type Shutdown } from './http/requests.ts'
import type { ImportJobs } from './imports/jobs.ts'
import { importRoutes } from './imports/routes.ts'
import { listRoutes } from './lists/routes.ts'
import { roleRoutes } from './roles/routes.ts'
import { schoolRoutes } from './school/routes.ts'
import { goInStages } from './server/batches.ts'
import { Deadlines } from './server/deadlines.ts'
import { createHttpServer, mostConnections } from './server/listen.ts'
import { doubleRoutes } from './students/doubles/routes.ts'
import { openStudentLists } from './students/lists/lists.ts'
import { studentRoutes } from './students/routes.ts'
import { HashingLine } from './users/hashing-line.ts'
import { userRoutes } from './users/routes.ts'

/** What an app is made of. The caller opens the database, and closes it after the app. */
interface AppParts {
  readonly config: Config
  readonly db: Db
  readonly clock?: Clock
  /** Where the log goes, line by line; else to standard output. */
  readonly logStream?: LogStream
  /** How many connections it holds at the most; else `mostConnections`. */
  readonly maxConnections?: number
  /** The limits of exports; else the usual ones. */
  readonly exportLimits?: ExportLimits
}

export interface RegistrarApp extends App {
  readonly shutdown: Shutdown
  readonly describe: Describe
  readonly sessionUses: SessionUses
  readonly compileAhead: CompileAhead
  readonly importJobs: ImportJobs
  readonly console: Console
}

/** Builds the app: how each request is handled, step by step, then one line for each room. */
export async function buildApp(parts: AppParts): Promise<RegistrarApp> {
  const { config, db, clock = () => new Date(), logStream = process.stdout, exportLimits } = parts
  const deadlines = new Deadlines()
  const app = createApp(parts, logStream, deadlines)
  const outages = new Outages(app, clock, () => checkServes(db))
  const tokens = createTokens({ db, ttlSeconds: config.tokenTtlSeconds, secret: config.tokenSecret })
  const hashingLine = new HashingLine()
  const compileAhead = compileWhenUsed(app)
  const methodsOf = collectMethods(app)

  // A request meets these in this order. Whatever is thrown goes to `answerProblems`.
  answerProblems(app, outages)
  allowOrigins(app, config.corsOrigins) // May a page of another origin read the answer?
  const shutdown = admitRequests(app) // Are its frame, method and path good, and can the server serve?
  const sessionUses = guardRoutes(app, { db, tokens, clock }) // Who calls, and may they?
  goInStages(app) // From here on it goes with the others of its batch.
  readInput(app) // What do its body and its URL hold?
  correctNotModified(app) // The handler has answered: a 304 tells no length.
  logRequests(app, config.logLevel, logStream, clientOf) // It was answered: one line in the log.

  const lists = openStudentLists(db)
  app.addHook('onClose', async () => lists.close())
  const describe = describeRoutes(app, about, open())
  serveReferencePage(app, open())
  healthRoutes(app, { config, db, outages, isShuttingDown: shutdown.hasBegun })
  authRoutes(app, { config, db, clock, tokens, hashingLine, sessionUses })
  userRoutes(app, { config, db, clock, hashingLine })
  roleRoutes(app, { db, clock })
  schoolRoutes(app, { db, clock })
  fieldRoutes(app, { db, clock })
  classRoutes(app, { db, clock })
  studentRoutes(app, { db, clock, lists })
  doubleRoutes(app, { db, clock })
  listRoutes(app, { db, clock })
  exportRoutes(app, { db, clock, lists, ...(exportLimits && { limits: exportLimits }) })
  auditRoutes(app, { db, clock, lists })
  const importJobs = importRoutes(app, {
    db,
    clock,
    lists,
    deadlines,
    ending: shutdown.ending,
    maxBytes: config.importMaxBytes,
  })
  const console = new Console({
    onAbsent: (fault) => app.log.warn({ fault }, 'there is no console'),
    idleMinutes: config.consoleIdleMinutes,
  })
  app.addHook('onClose', async () => console.stop())
  consoleRoutes(app, open(), console)
  answerOtherMethods(app, methodsOf, open())

  await app.ready()
  return Object.assign(app, { shutdown, describe, sessionUses, compileAhead, importJobs, console })
}

/** Fastify with a server of ours, a log without requests, and problems for what it refuses by itself. */
function createApp(
  { config, db, maxConnections = mostConnections }: AppParts,
  logStream: LogStream,
  deadlines: Deadlines,
): App {
  const crossOrigin = crossOriginHeaders(config.corsOrigins)
  const readers = sqliteReadersOf(db)
  const app: App = Fastify({
    ...requestOptions,
    serverFactory: (handler) =>
      createHttpServer(handler, {
        maxConnections,
        deadlines,
        refuse: problemRefusal,
        ...(readers && { beforeRequests: readers.endSnapshot }),
      }),
    clientErrorHandler: () => {}, // the server answers by itself
    logger: loggerOptions(config.logLevel, logStream),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(config.trustProxy),
    return503OnClosing: false,
    pluginTimeout: 0, // closing waits for the open requests, as long as serve lets it
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...commonHeaders, 'X-Request-Id': request.id, ...crossOrigin(request) })
      sendProblem(reply, asProblem(error))
    },
  })
  sqliteStateOf(db)?.logTo(app.log)
  return app
}

/** Fastify treats a number of hops as no trust at all, so they are counted here. */
function trustedProxies(trust: Config['trustProxy']): NonNullable<FastifyServerOptions['trustProxy']> {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust
}
