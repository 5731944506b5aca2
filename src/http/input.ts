import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { textFormats } from '../text/formats.ts'
import { codePoints, hasLongRunOfMarks } from '../text/normalise.ts'
import type { FileBody } from './context.ts'
import { bodyTooLarge, maxBodyBytes } from './errors.ts'
import type { ObjectSchema, Schema } from './json-schema.ts'
import { routeOf } from './requests.ts'

/** The media type of a merge patch (RFC 7396 §4). */
const mergePatchType = 'application/merge-patch+json'

/** JSON, and a `charset` only where it names UTF-8 or a part of it (RFC 8259 §8.1). */
const jsonType =
  /^application\/(json|merge-patch\+json)[ \t]*(?:;[ \t]*charset=(?:utf-?8|us-ascii|"(?:utf-?8|us-ascii)")[ \t]*)?;?$/i

/**
 * Reads what a request brings by one rule. A route whose schema has a body takes `application/json` in UTF-8 and
 * nothing else, one with a file takes that as it comes; any other route ignores what is sent, within the size limit.
 * A query parameter stands once, unless its schema is a list; an empty one is absent, as is one whose name begins with
 * `_`. Integers of the URL are plain digits; anything else stays text for the schema to refuse.
 */
export function readInput(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (request, bytes, done) => {
    if (!takesBody(request)) return done(null, undefined)
    try {
      done(null, bytes.length === 0 ? undefined : parseJson(bytes as Buffer))
    } catch (error) {
      done(error as Error, undefined)
    }
  })

  app.addContentTypeParser(fileType, (_request, payload, done) => done(null, payload))

  // Fastify picks a parser by its own reading of Content-Type; ours is made here, and leaves it nothing to read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { headers } = request
    const { file } = routeOf(request).schema ?? {}
    if (file !== undefined) {
      checkFile(request, file)
      headers['content-type'] = fileType
      return done()
    }
    if (Number(headers['content-length']) > maxBodyBytes) throw bodyTooLarge()
    if (takesBody(request)) checkMediaType(request)
    delete headers['content-type']
    done()
  })

  app.addHook('preValidation', (request, _reply, done) => {
    const { body, optionalBody, querystring, params } = routeOf(request).schema ?? {}
    if (body !== undefined) {
      if (request.body === undefined) request.body = bodyOfNone(optionalBody)
      normalise(body as BodySchema, request.body)
    }
    const mark = request.url.indexOf('?')
    if (querystring !== undefined && mark >= 0)
      request.query = parseQuery(request.url.slice(mark + 1), querystring as ObjectSchema)
    if (params !== undefined) readIds(request.params as Record<string, unknown>, params as ObjectSchema)
    done()
  })
}

/** What of a text's schema tells how it is normalised. */
interface TextSchema {
  readonly type?: string
  readonly format?: string
  readonly maxLength?: number
  readonly anyOf?: readonly TextSchema[]
}

/** The same of a body's schema. */
interface BodySchema extends TextSchema {
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly items?: BodySchema
}

function takesBody(request: FastifyRequest): boolean {
  return routeOf(request).schema?.body !== undefined
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** What the handler of a file gets its body by: the stream as it comes. */
const fileType = 'application/octet-stream'

/** @throws Problem malformed_request or unsupported_media_type */
function checkFile(request: FastifyRequest, { mediaTypes }: FileBody): void {
  if (!hasBody(request))
    throw new Problem('malformed_request', 'The body is empty; send the file as the body.')
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  if (!mediaTypes.includes(type.trim().toLowerCase())) {
    const accepted = mediaTypes.join(', ')
    const detail = `Send the file as the body, with one of these as Content-Type: ${accepted}.`
    throw new Problem('unsupported_media_type', detail, { headers: { Accept: accepted } })
  }
  checkCoding(request)
}

function checkMediaType(request: FastifyRequest): void {
  const { method, headers } = request
  const { 'content-type': type } = headers
  const needsNone = type === undefined || routeOf(request).schema?.optionalBody
  if (needsNone && !hasBody(request)) return
  const isPatch = method === 'PATCH'
  const subtype = jsonType.exec(type ?? '')?.[1]?.toLowerCase()
  if (subtype !== 'json' && !(isPatch && subtype !== undefined)) {
    const accepted = isPatch ? `application/json, ${mergePatchType}` : 'application/json'
    throw new Problem(
      'unsupported_media_type',
      'Send the body as JSON in UTF-8, with Content-Type: application/json.',
      { headers: { [isPatch ? 'Accept-Patch' : 'Accept']: accepted } },
    )
  }
  checkCoding(request)
}

function checkCoding({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', 'Send the body without a Content-Encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    })
  }
}

/** @throws Problem malformed_json where a body is needed */
function bodyOfNone(isOptional = false): object {
  if (isOptional) return {}
  throw new Problem('malformed_json', 'The body is empty; send a JSON object.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    const detail =
      cause instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.'
    throw new Problem('malformed_json', detail, { cause })
  }
}

/**
 * Brings each text whose schema names one of our formats into its stored form, before it is validated. What is far
 * too long, or a list of too many, stays as it is and is refused.
 */
function normalise(schema: BodySchema, value: unknown): void {
  if (Array.isArray(value)) {
    const { items, maxItems = Number.POSITIVE_INFINITY } = schema
    if (items === undefined || value.length > maxItems) return
    for (const [index, item] of value.entries()) {
      if (typeof item === 'string') value[index] = normalText(items, item)
      else normalise(items, item)
    }
    return
  }
  if (value === null || typeof value !== 'object') return
  const record = value as Record<string, unknown>
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const member = Object.hasOwn(record, name) ? record[name] : undefined
    if (typeof member === 'string') record[name] = normalText(property, member)
    else normalise(property, member)
  }
}

/** A text in its stored form, where the schema names one of our formats. */
export function normalText({ format, maxLength = 0, anyOf }: TextSchema, text: string): string {
  if (anyOf !== undefined) return normalText(anyOf.find(({ type }) => type === 'string') ?? {}, text)
  if (format === undefined || !(format in textFormats) || !isComposable(text.trim(), maxLength)) return text
  return textFormats[format as keyof typeof textFormats].normalise(text)
}

/**
 * Whether a text may have its length at most once it is composed, and is soon composed: what that takes grows with the
 * square of how many marks stand in a row. A text that is too long as it comes must have no more than languages need.
 */
function isComposable(text: string, maxLength: number): boolean {
  if (text.length > 8 * maxLength) return false
  return codePoints(text) <= maxLength || !hasLongRunOfMarks(text)
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

type QueryValue = string | number

/** @throws Problem malformed_request */
function parseQuery(text: string, schema: ObjectSchema): Record<string, QueryValue | QueryValue[]> {
  const query: Record<string, QueryValue | QueryValue[]> = {} // without a prototype it would be a dictionary, which is slow
  const seen = new Set<string>()
  for (const pair of text.split('&')) {
    const [name, value] = decodePair(pair)
    if (name === '' || name.startsWith('_')) continue
    const isKnown = Object.hasOwn(schema.properties, name)
    const known = isKnown ? (schema.properties[name] as ListSchema) : undefined
    if (known?.type === 'array') {
      if (value === '') continue
      query[name] ??= []
      ;(query[name] as QueryValue[]).push(parsed(value, known.items))
      continue
    }
    if (seen.has(name)) throw new Problem('malformed_request', 'A query parameter stands more than once.')
    seen.add(name)
    if (value === '' && isKnown) continue
    query[name] = parsed(value, known)
  }
  return query
}

interface ListSchema extends Schema {
  readonly items?: Schema
}

function parsed(text: string, schema: Schema | undefined): QueryValue {
  return schema?.type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text
}

function decodePair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=')
  const name = equals < 0 ? pair : pair.slice(0, equals)
  const value = equals < 0 ? '' : pair.slice(equals + 1)
  try {
    return [decodeURIComponent(name.replaceAll('+', ' ')), decodeURIComponent(value.replaceAll('+', ' '))]
  } catch {
    throw new Problem('malformed_request', 'The query string is not percent-encoded UTF-8.')
  }
}
