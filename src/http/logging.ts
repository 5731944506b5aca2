import type { FastifyServerOptions } from 'fastify'
import type { App } from './context.ts'
import { instantWriter } from './instants.ts'

/**
 * Logs hold ids only. No request or response is ever logged by itself: the line of `logRequests` is all
 * there is, and an error is its name, message and stack, without what a driver adds of values.
 */
export function loggerOptions(
  level: string,
  stream?: { write(line: string): void },
): NonNullable<FastifyServerOptions['logger']> {
  const textOf = instantWriter()
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${textOf(Date.now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      req: () => ({}),
      res: () => ({}),
      err: ({ name, message, stack }: Error) => ({ type: name, message, stack: stack ?? '' }),
    },
    ...(stream && { stream }),
  }
}

/** One line a request: who, which route, what came of it. The route is the pattern, never the URL. */
export function logRequests(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    app.log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.caller?.userId ?? null,
      },
      'request',
    )
    done()
  })
}
