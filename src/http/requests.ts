import type { FastifyRequest } from 'fastify'
import type { RequestRouteOptions } from 'fastify/types/request.js'
import type { App } from './context.ts'
import { routeNotFound } from './errors.ts'
import { checkFraming } from './framing.ts'
import { commonHeaders } from './headers.ts'
import { checkMethod } from './methods.ts'

/** What a request's route declares, looked up once: each look at `routeOptions` makes an object anew. */
export function routeOf(request: FastifyRequest): Readonly<RequestRouteOptions> {
  request.route ??= request.routeOptions
  return request.route
}

/** Lets a request in: the common headers, then its frame, method and path, before anything else is looked at. */
export function admitRequests(app: App): void {
  app.decorateRequest('route', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders)
    reply.header('x-request-id', request.id)
    const { access } = routeOf(request).config
    checkFraming(request.raw, access !== undefined && access !== 'open')
    checkMethod(request.method)
    if (request.is404) throw routeNotFound()
    done()
  })
}
