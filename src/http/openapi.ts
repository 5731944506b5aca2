import Fastify, { type FastifySchema, type RouteOptions } from 'fastify'
import { Problem, type ProblemCode, problemBody, problemTable } from '../problems.ts'
import type { Access, App } from './context.ts'
import { type Schema, Type } from './json-schema.ts'
import { describeHeaders } from './openapi-headers.ts'
import { Id, operation } from './operation.ts'
import { maxFaults } from './validation.ts'

/** Problems that any request can meet. */
const everywhere: ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'body_too_large',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'database_unavailable',
  'shutting_down',
]

const text = (maxLength: number, description: string) => Type.String({ maxLength, description })

const ProblemSchema = Type.Object(
  {
    success: Type.Boolean({ const: false }),
    type: text(100, 'A URN that names the code'),
    title: text(100, 'The code in words'),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status' }),
    detail: text(10_000, 'What would be right'),
    message: text(10_000, 'The same as `detail`'),
    code: Type.Enum(Object.keys(problemTable) as ProblemCode[], {
      description: 'Stable: what programs should look at',
    }),
    request_id: text(100, "The X-Request-Id of this answer, and of the server's log"),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: text(1000, 'JSON Pointer (RFC 6901) to the field, or / and the parameter'),
          code: text(50, 'What is wrong'),
          detail: text(1000, 'What would be right'),
        }),
        { maxItems: maxFaults, description: `Every bad field; of very many, the first ${maxFaults}` },
      ),
    ),
    ids: Type.Optional(
      Type.Array(Id('A record that the problem is about'), {
        maxItems: maxFaults,
        description: 'Of `possible_duplicate`: the students that may be the same',
      }),
    ),
  },
  { $id: 'Problem', title: 'Problem', description: 'Problem details (RFC 9457)' },
)

const getOpenApi = operation({
  operationId: 'getOpenApi',
  tags: ['documentation'],
  summary: 'Read this document',
  response: { 200: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI 3.1 document' }) },
})

export interface OpenApiSettings {
  readonly version: string
  /** What `GET /api/openapi.json` itself declares. */
  readonly access: { access: Access }
}

/** Makes the OpenAPI 3.1 document, at the first call, of the routes that are there by then. */
export type Describe = () => Promise<object>

/** Derives the OpenAPI 3.1 document from the routes and serves it. Call before the routes are added. */
export function describeRoutes(app: App, { version, access }: OpenApiSettings): Describe {
  const routes: RouteOptions[] = []
  app.addSchema(ProblemSchema)
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })

  let document: Promise<object> | undefined
  const describe = () => {
    document ??= derive(routes, version)
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

/**
 * The document of these routes. What derives it is loaded here, and reads them in an app of its own: most
 * servers are never asked, and neither wait for it when they start nor hold it in memory.
 */
async function derive(routes: readonly RouteOptions[], version: string): Promise<object> {
  const { default: swagger } = await import('@fastify/swagger')
  const reader = Fastify({ exposeHeadRoutes: false })
  reader.setValidatorCompiler(() => () => true).setSerializerCompiler(() => () => '')
  reader.addSchema(ProblemSchema)
  await reader.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Registrar',
        version,
        summary: 'A student-records server',
        description:
          'Accounts, permissions and student records. Every success carries `success: true`; every failure is a problem (RFC 9457) with a stable `code`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'auth', description: 'Accounts, login and logout' },
        { name: 'users', description: 'Accounts as administrators see them, and what they hold' },
        { name: 'roles', description: 'Named sets of permissions' },
        { name: 'students', description: 'Student records' },
        { name: 'classes', description: 'What students are in' },
        { name: 'users', description: 'Accounts, as administrators see them' },
        { name: 'roles', description: 'What accounts may do' },
        { name: 'health', description: 'Whether the platform works' },
        { name: 'documentation', description: 'This document' },
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The token of POST /api/auth/login',
          },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
    transform: ({ schema, url, route }) => ({
      schema: describeHeaders(describeOperation(schema, route.config ?? {}), route.method),
      url,
    }),
  })
  for (const { url, method, schema, config } of routes) {
    if (schema?.hide) continue
    reader.route({ url, method, schema: schema!, config: { ...config }, handler: () => {} })
  }
  await reader.ready()
  const document = reader.swagger()
  await reader.close()
  return document
}

interface Declared {
  readonly access?: Access
  readonly admitsFirstPassword?: boolean
}

function describeOperation(schema: FastifySchema, declared: Declared): FastifySchema {
  if (schema.hide) return schema
  const answers = Object.entries(schema.response as Record<string, Schema>).map(
    ([status, answer]) => [status, { description: schema.summary, ...answer }] as const,
  )
  const response = { ...describeProblems(problemsOf(schema, declared)), ...Object.fromEntries(answers) }
  return { ...schema, response, security: isGuarded(declared) ? [{ bearer: [] }] : [] }
}

function isGuarded({ access }: Declared): boolean {
  return access !== 'open' && access !== undefined
}

function problemsOf(
  { body, params, querystring, problems = [] }: FastifySchema,
  declared: Declared,
): ProblemCode[] {
  const codes = new Set<ProblemCode>([...everywhere, ...problems])
  if (isGuarded(declared)) codes.add('token_missing').add('token_invalid')
  if (isGuarded(declared) && !declared.admitsFirstPassword) codes.add('password_change_required')
  if (typeof declared.access === 'object') codes.add('permission_denied')
  if (body) codes.add('malformed_json').add('unsupported_media_type')
  if (body || params || querystring) codes.add('validation_failed')
  return [...codes]
}

/** One answer for each status, with an example for each code that it can carry. */
function describeProblems(codes: readonly ProblemCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => problemTable[code][0])
  const answers = [...byStatus].map(([status, codes]) => {
    const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]))
    const description = codes.map((code) => `\`${code}\`: ${problemTable[code][1]}`).join('\n\n')
    return [
      status,
      { description, content: { 'application/problem+json': { schema: { $ref: 'Problem#' }, examples } } },
    ]
  })
  return Object.fromEntries(answers)
}

function exampleOf(code: ProblemCode): object {
  const errors =
    code === 'validation_failed' ? [{ pointer: '/name', code: 'required', detail: 'is required' }] : undefined
  const detail = errors ? '/name is required.' : `${problemTable[code][1]}.`
  return problemBody(new Problem(code, detail, errors && { errors }), '5a1e0f2c-7d0f-4f5c-9b43-0d5a6c2f8a11')
}
