import type { App } from './context.ts'
import { routeNotFound } from './errors.ts'
import { checkFraming } from './framing.ts'
import { commonHeaders } from './headers.ts'
import { checkMethod } from './methods.ts'

/** The first hook of every request: the common headers, then the frame, the method and the path. */
export function admitRequests(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders)
    reply.header('X-Request-Id', request.id)
    const { access } = request.routeOptions.config
    checkFraming(request.raw, access !== undefined && access !== 'open')
    checkMethod(request.method)
    if (request.is404) throw routeNotFound()
  })
}
