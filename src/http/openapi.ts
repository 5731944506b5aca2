import type { RouteOptions } from 'fastify'
import type { Access, App } from './context.ts'
import { type Members, Type } from './json-schema.ts'
import { operation } from './operation.ts'

/** What the document says of the API as a whole. */
export interface About {
  readonly title: string
  readonly version: string
  readonly summary: string
  readonly description: string
  /** Where a bearer token comes from. */
  readonly token: string
  /** What operations are grouped by, in order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Members that problems have besides (RFC 9457 §3.2), which only rooms know. */
  readonly problemMembers: Members
}

const getOpenApi = operation({
  operationId: 'getOpenApi',
  tags: ['documentation'],
  summary: 'Read this document',
  response: { 200: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI 3.1 document' }) },
})

/** Makes the OpenAPI 3.1 document, at the first call, of the routes that are there by then. */
export type Describe = () => Promise<object>

/**
 * Derives the OpenAPI 3.1 document from the routes and serves it. Call before the routes are added. What derives it
 * is loaded when it is first asked for, since most servers never are.
 * @param access what `GET /api/openapi.json` itself declares
 */
export function describeRoutes(app: App, about: About, access: { access: Access }): Describe {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })

  let document: object | undefined
  const describe = async () => {
    const { documentOf } = await import('./openapi-document.ts')
    document ??= documentOf(routes, about)
    return document
  }
  let text: string | undefined
  app.get('/api/openapi.json', { schema: getOpenApi, config: access }, async (_request, reply) => {
    text ??= JSON.stringify(await describe())
    return reply
      .type('application/json; charset=utf-8')
      .serializer(() => text!)
      .send({})
  })
  return describe
}
