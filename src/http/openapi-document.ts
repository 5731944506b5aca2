import type { FastifySchema, RouteOptions } from 'fastify'
import type { ProblemCode } from '../problems.ts'
import type { Access, FileBody } from './context.ts'
import type { ObjectSchema, Schema } from './json-schema.ts'
import type { About } from './openapi.ts'
import { Components } from './openapi-components.ts'
import { type AnswerHeader, headersOf, requestHeadersOf } from './openapi-headers.ts'
import { describeProblems, problemSchema } from './openapi-problems.ts'

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
  'database_damaged',
  'database_file_gone',
  'shutting_down',
]

/** The OpenAPI 3.1 document of these routes. */
export function documentOf(routes: readonly RouteOptions[], about: About): object {
  const components = new Components()
  const paths: Record<string, Record<string, object>> = {}
  const problem = problemSchema(about.problemMembers)
  for (const { url, method, schema, config } of routes) {
    if (schema === undefined || schema.hide) continue
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    const operation = describeOperation(components, problem, schema, config!.access!)
    paths[path] = { ...paths[path], [String(method).toLowerCase()]: operation }
  }
  const { title, version, summary, description, token, tags } = about
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
  const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: token }
  return {
    openapi: '3.1.1',
    info: { title, version, summary, description, license },
    servers: [{ url: '/', description: 'This server' }],
    tags,
    paths,
    components: { securitySchemes: { bearer }, ...components.written() },
  }
}

function describeOperation(
  components: Components,
  problem: Schema,
  schema: FastifySchema,
  { isOpen, problems: ofGuard }: Access,
): object {
  const { operationId, tags, summary, description, params, querystring, body, problems = [] } = schema
  const isOptional = schema.optionalBody === true
  const parameters = [
    ...components.parameters('path', membersOf(params)),
    ...components.parameters('query', membersOf(querystring)),
    ...components.parameters('header', requestHeadersOf(schema)),
  ]
  const changesVersion = body !== undefined && problems.includes('precondition_required')
  const responses = schema.response as Record<string, Answer>
  const isTagged = changesVersion || '304' in responses
  const answers = Object.entries(responses).map(([status, answer]) => {
    const hasTag = isTagged && (status === '200' || status === '304')
    return [status, describeAnswer(components, status, { description: summary, ...answer }, hasTag)]
  })
  return {
    operationId,
    tags,
    summary,
    description,
    security: isOpen ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: !isOptional,
        content: { 'application/json': { schema: components.schema(body as Schema) } },
      },
    }),
    ...(schema.file !== undefined && { requestBody: describeFile(schema.file) }),
    responses: {
      ...describeProblems(components, problem, problemsOf(schema, ofGuard)),
      ...Object.fromEntries(answers),
    },
  }
}

function describeFile({ mediaTypes, description }: FileBody): object {
  return { required: true, description, content: contentOf(mediaTypes) }
}

function contentOf(mediaTypes: readonly string[]): object {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: { contentMediaType: type } }]))
}

function membersOf(schema: unknown): ObjectSchema {
  return (schema as ObjectSchema | undefined) ?? { type: 'object', properties: {} }
}

/** The schema of an answer, and the headers that it has besides those that follow from its status. */
type Answer = Schema & {
  readonly description?: string | undefined
  readonly headers?: readonly AnswerHeader[]
  readonly mediaTypes?: readonly string[]
}

function describeAnswer(components: Components, status: string, answer: Answer, hasTag: boolean): object {
  const { description, headers: named = [], mediaTypes, ...schema } = answer
  const headers = headersOf(components, status, hasTag ? [...named, 'ETag'] : named)
  if (schema.type === 'null') return { description, headers }
  const content =
    mediaTypes === undefined
      ? { 'application/json': { schema: components.schema(schema) } }
      : contentOf(mediaTypes)
  return { description, headers, content }
}

function problemsOf(
  { body, file, params, querystring, problems = [] }: FastifySchema,
  ofGuard: readonly ProblemCode[],
): Set<ProblemCode> {
  const codes = new Set<ProblemCode>([...everywhere, ...problems, ...ofGuard])
  if (body) codes.add('malformed_json').add('unsupported_media_type')
  if (file) codes.add('unsupported_media_type')
  if (body || params || querystring) codes.add('validation_failed')
  return codes
}
