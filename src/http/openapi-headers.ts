import type { FastifySchema, HTTPMethods } from 'fastify'
import { mergePatchType } from './body.ts'
import { type Schema, Type } from './json-schema.ts'

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] })

const ifMatch = text(8_192, 'The ETag of the record as it was read; `*` for any version', '"1.1"')
const ifNoneMatch = text(8_192, 'ETags; the answer is 304 when the record has one of them', '"1.1"')
const idempotencyKey = text(
  257,
  'Made anew for each record that is to be created, a UUID say: the same request with the same key within a day gets the same answer, and nothing is created twice',
  '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
)
const entityTag = text(200, 'Strong; it stays as long as what is shown', '"1.1"')

/** Adds the headers to a route's description that its answers tell of, and the media types that a patch takes. */
export function describeHeaders(schema: FastifySchema, method: HTTPMethods | HTTPMethods[]): FastifySchema {
  if (schema.hide) return schema
  const response = schema.response as Record<string, Schema>
  const { problems = [] } = schema
  const changesVersion = problems.includes('precondition_required') && method !== 'DELETE'
  const tagged = '304' in response || changesVersion
  return {
    ...schema,
    headers: Type.Object({
      ...(problems.includes('precondition_required') && { 'If-Match': ifMatch }),
      ...('304' in response && { 'If-None-Match': Type.Optional(ifNoneMatch) }),
      ...(problems.includes('idempotency_key_reused') && {
        'Idempotency-Key': Type.Optional(idempotencyKey),
      }),
    }),
    ...(method === 'PATCH' && { consumes: ['application/json', mergePatchType] }),
    response: { ...response, ...(tagged && { 200: { ...response['200'], headers: { ETag: entityTag } } }) },
  }
}
