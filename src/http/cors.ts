import type { FastifyInstance } from 'fastify'
import { isLoopbackOrigin } from './headers.ts'

/**
 * Lets pages of the allowed origins read the answers (Fetch, "CORS protocol"); never with credentials.
 * An allowed origin gets its header on errors too; other origins get none.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const any = origins.includes('*')
  const isAllowed = (origin: string) =>
    origins.includes(origin) || (origins.includes('local') && isLoopbackOrigin(origin))

  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (!any) reply.header('Vary', 'Origin')
    if (origin === undefined || !(any || isAllowed(origin))) return
    reply.header('Access-Control-Allow-Origin', any ? '*' : origin)
    reply.header(
      'Access-Control-Expose-Headers',
      'Link, Location, Retry-After, WWW-Authenticate, X-Request-Id',
    )
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      reply.header('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      reply.header('Access-Control-Allow-Headers', 'Authorization, Content-Type')
      reply.header('Access-Control-Max-Age', '600')
    }
  })
}
