import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyServerOptions, LogController } from 'fastify'
import { about } from './about.ts'
import { clientOf } from './access/clients.ts'
import type { Clock } from './access/clock.ts'
import { guardRoutes, open } from './access/guard.ts'
import type { SessionUses } from './access/session-uses.ts'
import { createTokens } from './access/tokens.ts'
import { authRoutes } from './auth/routes.ts'
import { classRoutes } from './classes/routes.ts'
import type { Config } from './config.ts'
import { checkServes } from './db/engine.ts'
import { sqliteReadersOf, sqliteStateOf } from './db/sqlite.ts'
import type { Db } from './db/tables.ts'
import { healthRoutes } from './health/routes.ts'
import { readBodies } from './http/body.ts'
import { type CompileAhead, compileWhenUsed } from './http/compile-when-used.ts'
import { tellNoLengthOfNotModified } from './http/conditions.ts'
import type { App } from './http/context.ts'
import { allowOrigins, crossOriginHeaders } from './http/cors.ts'
import { answerProblems, asProblem, maxBodyBytes, sendProblem } from './http/errors.ts'
import { originForm } from './http/framing.ts'
import { commonHeaders } from './http/headers.ts'
import { type LogStream, loggerOptions, logRequests } from './http/logging.ts'
import { answerOtherMethods, collectMethods } from './http/methods.ts'
import { type Describe, describeRoutes } from './http/openapi.ts'
import { Outages } from './http/outages.ts'
import { shedOverload } from './http/overload.ts'
import { readParameters } from './http/parameters.ts'
import { serveReferencePage } from './http/reference-page.ts'
import { problemRefusal } from './http/refusals.ts'
import { logOfRequest } from './http/request-log.ts'
import { admitRequests } from './http/requests.ts'
import { endInOrder, type Shutdown } from './http/shutdown.ts'
import { roleRoutes } from './roles/routes.ts'
import { goInStages } from './server/batches.ts'
import { createHttpServer, mostConnections } from './server/listen.ts'
import { studentRoutes } from './students/routes.ts'
import { HashingLine } from './users/hashing-line.ts'
import { userRoutes } from './users/routes.ts'

/** What an app is made of. The caller opens the database, and closes it after the app. */
export interface AppParts {
  readonly config: Config
  readonly db: Db
  readonly clock?: Clock
  /** Where the log goes, line by line; else to standard output. */
  readonly logStream?: LogStream
  /** How many connections it holds at the most; else `mostConnections`. */
  readonly maxConnections?: number
}

export interface RegistrarApp extends App {
  readonly shutdown: Shutdown
  readonly describe: Describe
  readonly sessionUses: SessionUses
  readonly compileAhead: CompileAhead
}

/** Fastify treats a number of hops as no trust at all, so they are counted here. */
function trustedProxies(trust: Config['trustProxy']): NonNullable<FastifyServerOptions['trustProxy']> {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust
}

/** Builds the app: first how every request is handled, then one line for each room. */
export async function buildApp({
  config,
  db,
  clock = () => new Date(),
  logStream = process.stdout,
  maxConnections = mostConnections,
}: AppParts): Promise<RegistrarApp> {
  const crossOrigin = crossOriginHeaders(config.corsOrigins)
  const app: App = Fastify({
    serverFactory: (handler) =>
      createHttpServer(handler, {
        maxConnections,
        refuse: problemRefusal,
        beforeRequests: () => sqliteReadersOf(db)?.endSnapshot(),
      }),
    clientErrorHandler: () => {}, // the server answers by itself
    logger: loggerOptions(config.logLevel, logStream),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    childLoggerFactory: logOfRequest,
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: maxBodyBytes,
    return503OnClosing: false,
    pluginTimeout: 0, // closing waits for the open requests, as long as serve lets it
    rewriteUrl: ({ url = '/' }) => originForm(url),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 16_384,
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...commonHeaders, 'X-Request-Id': request.id, ...crossOrigin(request) })
      sendProblem(reply, asProblem(error))
    },
  })
  sqliteStateOf(db)?.logTo(app.log)
  const compileAhead = compileWhenUsed(app)
  const tokens = createTokens({ db, ttlSeconds: config.tokenTtlSeconds, secret: config.tokenSecret })
  const methodsOf = collectMethods(app)

  const outages = new Outages(app, clock, () => checkServes(db))
  answerProblems(app, outages)
  if (config.corsOrigins.length > 0) allowOrigins(app, crossOrigin)
  admitRequests(app)
  tellNoLengthOfNotModified(app)
  const shutdown = endInOrder(app)
  shedOverload(app)
  const sessionUses = guardRoutes(app, { db, tokens, clock })
  goInStages(app)
  logRequests(app, config.logLevel, logStream, clientOf)
  readBodies(app)
  readParameters(app)
  const describe = describeRoutes(app, about, open())
  serveReferencePage(app, open())

  healthRoutes(app, { db, outages, isShuttingDown: shutdown.hasBegun })
  const hashingLine = new HashingLine()
  authRoutes(app, { config, db, clock, tokens, hashingLine, sessionUses })
  userRoutes(app, { config, db, clock, hashingLine })
  roleRoutes(app, { db, clock })
  classRoutes(app, { db, clock })
  studentRoutes(app, { db, clock })

  answerOtherMethods(app, methodsOf, open())
  await app.ready()
  return Object.assign(app, { shutdown, describe, sessionUses, compileAhead })
}
