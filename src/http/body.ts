import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem } from '../problems.ts'
import { textFormats } from '../text/formats.ts'

/** The largest request body, in bytes. */
export const maxBodyBytes = 65_536

/** JSON, and a `charset` only where it names UTF-8 or a part of it (RFC 8259 §8.1). */
const jsonType =
  /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-?8|us-ascii|"(?:utf-?8|us-ascii)")[ \t]*)?;?$/i

/**
 * Reads JSON bodies by one rule. A route whose schema has a body takes `application/json` in UTF-8 and
 * nothing else; any other route ignores what is sent, within the size limit.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (request, bytes, done) => {
    if (!takesBody(request)) return done(null, undefined)
    try {
      done(null, parseJson(bytes as Buffer))
    } catch (error) {
      done(error as Error, undefined)
    }
  })

  // Fastify picks a parser by its own reading of Content-Type; ours is made here, and leaves it nothing to read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { headers } = request
    if (Number(headers['content-length']) > maxBodyBytes) throw bodyTooLarge()
    if (takesBody(request))
      checkMediaType(headers['content-type'], headers['content-encoding'], hasBody(request))
    delete headers['content-type']
    done()
  })

  app.addHook('preValidation', (request, _reply, done) => {
    const schema = request.routeOptions.schema?.body as TSchema | undefined
    if (schema !== undefined) {
      if (request.body === undefined) throw emptyBody()
      normalise(schema, request.body)
    }
    done()
  })
}

interface TextSchema {
  readonly format?: string
  readonly maxLength?: number
}

function takesBody(request: FastifyRequest): boolean {
  return request.routeOptions.schema?.body !== undefined
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function checkMediaType(type: string | undefined, coding: string | undefined, hasBody: boolean): void {
  if (type === undefined && !hasBody) return
  if (type === undefined || !jsonType.test(type)) {
    throw new Problem(
      'unsupported_media_type',
      'Send the body as JSON in UTF-8, with Content-Type: application/json.',
      {
        headers: { Accept: 'application/json' },
      },
    )
  }
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', 'Send the body without a Content-Encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    })
  }
}

/** The connection closes: what the client still sends would be read to no end. */
export function bodyTooLarge(cause?: unknown): Problem {
  return new Problem('body_too_large', `The body may have at most ${maxBodyBytes} bytes.`, {
    closeConnection: true,
    cause,
  })
}

function emptyBody(): Problem {
  return new Problem('malformed_json', 'The body is empty; send a JSON object.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw emptyBody()
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    const detail =
      cause instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.'
    throw new Problem('malformed_json', detail, { cause })
  }
}

/**
 * Brings each text whose schema names one of our formats into its stored form, before it is validated. One that
 * is far too long stays as it is, and is refused: composing thousands of marks would take seconds.
 */
function normalise(schema: TSchema, value: unknown): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return
  const properties = (schema as { properties?: Record<string, TextSchema> }).properties ?? {}
  const record = value as Record<string, unknown>
  for (const [name, { format, maxLength = 0 }] of Object.entries(properties)) {
    const text = Object.hasOwn(record, name) ? record[name] : undefined
    if (typeof text !== 'string' || format === undefined || !(format in textFormats)) continue
    if (text.trim().length <= 8 * maxLength) {
      record[name] = textFormats[format as keyof typeof textFormats].normalise(text)
    }
  }
}
