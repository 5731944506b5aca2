import type { FastifySchema } from 'fastify'
import { type ObjectSchema, Type } from './json-schema.ts'
import type { Components } from './openapi-components.ts'

const text = (maxLength: number, description: string, example?: string, title?: string) =>
  Type.String({ maxLength, description, ...(example && { examples: [example] }), ...(title && { title }) })

const tag = '"1.26-09-01T08:00:00.000.1.26-08-01T08:00:00.000"'

const requestHeaders = {
  'If-Match': text(
    8_192,
    'The ETag of the record as it was read; `*` for any version, where the operation does not refuse that',
    tag,
    'IfMatch',
  ),
  'If-None-Match': Type.Optional(
    text(8_192, 'ETags; the answer is 304 when the record has one of them', tag, 'IfNoneMatch'),
  ),
  'Idempotency-Key': Type.Optional(
    text(
      257,
      'Made anew for each record that is to be created, a UUID say: the same request with the same key within a day gets the same answer, and nothing is created twice',
      '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
      'IdempotencyKey',
    ),
  ),
}

/** The same, where a change need not say which version it is meant for. */
const optionalMatch = Type.Optional(
  text(
    8_192,
    'The ETag of the record as it was read: nothing is done where it is another by now',
    tag,
    'OptionalIfMatch',
  ),
)

const answerHeaders = {
  'Set-Cookie': text(
    4096,
    'The cookie of the session',
    '__Host-registrar-4713=eyJhbGciOi…; HttpOnly; Secure; SameSite=Strict; Path=/',
  ),
  'Content-Disposition': text(200, 'The name of the file', 'attachment; filename="students-2026-09-01.csv"'),
  ETag: text(200, 'Strong; it stays as long as what is shown', tag),
  Link: text(8_192, 'The first, previous, next and last page (RFC 8288), as references relative to the host'),
  Location: text(200, 'Where the new record is, relative to the host'),
  'Retry-After': Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'When to come back, in seconds',
    examples: [1],
  }),
  'WWW-Authenticate': text(
    500,
    'What is lacking (RFC 6750): a token, or a permission, which `scope` names',
    'Bearer realm="registrar", error="insufficient_scope", scope="students.create"',
  ),
  Accept: text(500, 'Where the type is wrong: the media types that are taken', 'application/json'),
  'Accept-Patch': text(
    500,
    'The same for PATCH (RFC 5789)',
    'application/json, application/merge-patch+json',
  ),
  'Accept-Encoding': text(100, 'Where the body has a Content-Encoding: none is taken', 'identity'),
  'X-Request-Id': text(
    100,
    "What the server's log calls the request",
    '5a1e0f2c-7d0f-4f5c-9b43-0d5a6c2f8a11',
  ),
}

/** A header that only some answers have, or all. */
export type AnswerHeader = keyof typeof answerHeaders

/** The headers that a route reads, by what it can answer. */
export function requestHeadersOf({ problems = [], response }: FastifySchema): ObjectSchema {
  const reads: Record<keyof typeof requestHeaders, boolean> = {
    'If-Match': problems.includes('precondition_failed'),
    'If-None-Match': '304' in (response as object),
    'Idempotency-Key': problems.includes('idempotency_key_reused'),
  }
  const isNeeded = problems.includes('precondition_required')
  const known = isNeeded ? requestHeaders : { ...requestHeaders, 'If-Match': optionalMatch }
  const read = Object.entries(known).filter(([name]) => reads[name as keyof typeof reads])
  return Type.Object(Object.fromEntries(read))
}

/** Headers that only some answers of a status have. */
const sometimes: Readonly<Record<string, readonly AnswerHeader[]>> = {
  403: ['WWW-Authenticate'],
  415: ['Accept', 'Accept-Patch', 'Accept-Encoding'],
}

/** Headers that all answers of a status have, besides those that are named. */
const always: Readonly<Record<string, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The headers of an answer with this status, besides those that are named. */
export function headersOf(
  components: Components,
  status: string,
  named: readonly AnswerHeader[] = [],
): Record<string, object> {
  const described = (name: AnswerHeader, required: boolean) => {
    const { description, ...schema } = answerHeaders[name] as { description?: string }
    const header = { required, description, schema: components.schema(schema) }
    return [name, components.refer('headers', required ? name : `Optional${name}`, header)]
  }
  return Object.fromEntries([
    ...(sometimes[status] ?? []).map((name) => described(name, false)),
    ...[...named, ...(always[status] ?? []), 'X-Request-Id' as const].map((name) => described(name, true)),
  ])
}
