import type { App } from './context.ts'
import { routeNotFound } from './errors.ts'
import { checkFraming } from './framing.ts'
import { commonHeaders } from './headers.ts'
import { checkMethod } from './methods.ts'

/** Lets a request in: the common headers, then its frame, method and path, before anything else is looked at. */
export function admitRequests(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders)
    reply.header('x-request-id', request.id)
    const { access } = request.routeOptions.config
    checkFraming(request.raw, access !== undefined && access !== 'open')
    checkMethod(request.method)
    if (request.is404) throw routeNotFound()
    done()
  })
}
