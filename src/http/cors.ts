import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoopbackOrigin } from './loopback.ts'

/**
 * The headers that let pages of the allowed origins read the answers (Fetch, "CORS protocol"), by request. Never with
 * credentials.
 * An allowed origin gets its headers on errors too; other origins get none.
 */
export function crossOriginHeaders(origins: readonly string[]) {
  const any = origins.includes('*')
  const isAllowed = (origin: string) =>
    any || origins.includes(origin) || (origins.includes('local') && isLoopbackOrigin(origin))

  return ({ headers, method }: Pick<FastifyRequest, 'headers' | 'method'>): Record<string, string> => {
    if (origins.length === 0) return {}
    const { origin } = headers
    const vary: Record<string, string> = any ? {} : { Vary: 'Origin' }
    if (origin === undefined || !isAllowed(origin)) return vary
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    return {
      ...vary,
      'Access-Control-Allow-Origin': any ? '*' : origin,
      'Access-Control-Expose-Headers':
        'Content-Disposition, ETag, Link, Location, Retry-After, WWW-Authenticate, X-Request-Id',
      ...(isPreflight && {
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'Access-Control-Allow-Headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
        'Access-Control-Max-Age': '600',
      }),
    }
  }
}

/** Puts them on every answer, where any origin is allowed. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const crossOrigin = crossOriginHeaders(origins)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(crossOrigin(request))
    done()
  })
}
