import type { FastifyInstance } from 'fastify'
import { Problem } from '../problems.ts'
import type { ObjectSchema } from './json-schema.ts'
import { routeOf } from './requests.ts'

/**
 * Reads what stands in the URL by one rule. A query parameter stands once; an empty one is absent, as is one
 * whose name begins with `_`. Integers are plain digits; anything else stays text for the schema to refuse.
 */
export function readParameters(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { querystring, params } = routeOf(request).schema ?? {}
    const mark = request.url.indexOf('?')
    if (querystring !== undefined && mark >= 0)
      request.query = parseQuery(request.url.slice(mark + 1), querystring as ObjectSchema)
    if (params !== undefined) readIds(request.params as Record<string, unknown>, params as ObjectSchema)
    done()
  })
}

/** An id that is a number: of digits; one that no record can have, too large or not written plainly, is 0. */
function readIds(params: Record<string, unknown>, schema: ObjectSchema): void {
  for (const name in schema.properties) {
    if (schema.properties[name]?.type !== 'integer') continue
    const text = String(params[name])
    if (!/^\d+$/.test(text)) continue
    const id = text.startsWith('0') ? 0 : Number(text)
    params[name] = Number.isSafeInteger(id) ? id : 0
  }
}

/** @throws Problem malformed_request */
function parseQuery(text: string, schema: ObjectSchema): Record<string, string | number> {
  const query: Record<string, string | number> = {} // without a prototype it would be a dictionary, which is slow
  const seen = new Set<string>()
  for (const pair of text.split('&')) {
    const [name, value] = decodePair(pair)
    if (name === '' || name.startsWith('_')) continue
    if (seen.has(name)) throw malformed('A query parameter stands more than once.')
    seen.add(name)
    if (value === '' && Object.hasOwn(schema.properties, name)) continue
    const isInteger = schema.properties[name]?.type === 'integer'
    query[name] = isInteger && /^\d{1,15}$/.test(value) ? Number(value) : value
  }
  return query
}

function decodePair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=')
  const name = equals < 0 ? pair : pair.slice(0, equals)
  const value = equals < 0 ? '' : pair.slice(equals + 1)
  try {
    return [decodeURIComponent(name.replaceAll('+', ' ')), decodeURIComponent(value.replaceAll('+', ' '))]
  } catch {
    throw malformed('The query string is not percent-encoded UTF-8.')
  }
}

function malformed(detail: string): Problem {
  return new Problem('malformed_request', detail)
}
