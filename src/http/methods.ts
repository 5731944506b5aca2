import type { FastifyInstance } from 'fastify'
import { Problem } from '../problems.ts'
import { knownMethods } from './requests.ts'

/** Remembers which methods each path has, for `answerOtherMethods`. Call before the routes are added. */
export function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsOf.set(url, methods)
  })
  return methodsOf
}

/**
 * Gives each path its `OPTIONS` (204) and its 405, both with `Allow` (RFC 9110 §10.2.1). Call when all
 * other routes are there.
 */
export function answerOtherMethods(
  app: FastifyInstance,
  methodsOf: Map<string, Set<string>>,
  access: object,
): void {
  for (const [url, methods] of [...methodsOf]) {
    const allow = [...methods, 'OPTIONS'].join(', ')
    const others = knownMethods.filter((method) => !methods.has(method))
    app.route({
      url,
      method: others,
      schema: { hide: true },
      config: access,
      onRequest: async (request, reply) => {
        reply.header('Allow', allow)
        if (request.method === 'OPTIONS') return reply.code(204).send()
        throw new Problem('method_not_allowed', `This path takes ${allow}.`)
      },
      handler: async () => undefined,
    })
  }
}
