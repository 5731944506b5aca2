import type { FastifyServerOptions } from 'fastify'
import type { Config } from '../config.ts'
import type { App } from './context.ts'
import { type Static, Type } from './json-schema.ts'
import { routeOf } from './requests.ts'

/** Where a log goes, line by line. */
export interface LogStream {
  write(line: string): void
}

/**
 * Logs hold ids only. No request or response is ever logged by itself: the line of `logRequests` is all
 * there is, and an error is its name, message and stack, without what a driver adds of values.
 */
export function loggerOptions(
  level: Config['logLevel'],
  stream: LogStream,
): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      req: () => ({}),
      res: () => ({}),
      err: ({ name, message, stack }: Error) => ({ type: name, message, stack: stack ?? '' }),
    },
    stream,
  }
}

/**
 * What the log tells of a request: who, which route, what came of it. The route is the pattern, never the URL. The
 * client's address, as attempts are counted by it, stands in the lines of refused requests alone.
 */
const RequestLine = Type.Object({
  level: Type.Literal('info'),
  time: Type.String(),
  request_id: Type.String(),
  method: Type.String(),
  route: Type.Nullable(Type.String()),
  status: Type.Integer(),
  ms: Type.Number(),
  user: Type.Nullable(Type.Integer()),
  address: Type.Optional(Type.String()),
  msg: Type.Literal('request'),
})

/** What guessing, probing and floods are answered with: by these lines an attack is seen, and who to keep out. */
const refusals: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * One line a request, as pino would write it, but by the schema of all such lines: the logger, which looks at every
 * value to learn what it is, takes twice as long. Call after `compileWhenUsed`, which compiles the schema.
 */
export function logRequests(
  app: App,
  level: Config['logLevel'],
  stream: LogStream,
  clientOf: (address: string) => string,
): void {
  if (!['info', 'debug', 'trace'].includes(level)) return
  const write = app.serializerCompiler!({ schema: RequestLine, method: '', url: '' })
  app.decorateRequest('account', null)
  app.addHook('onResponse', (request, reply, done) => {
    const isRefused = refusals.has(reply.statusCode)
    const line: Static<typeof RequestLine> = {
      level: 'info',
      time: new Date().toISOString(),
      request_id: request.id,
      method: request.method,
      route: routeOf(request).url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: request.account,
      ...(isRefused && { address: clientOf(request.ip) }),
      msg: 'request',
    }
    stream.write(`${write(line)}\n`)
    done()
  })
}
