import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Instant } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import type { App } from './context.ts'

/** What a record's version is told by: after a restore, a version's number may come again, but at another time. */
export interface Versioned {
  readonly version: number
  readonly updated_at: Instant
}

/** Longer tags are hashed: an account may hold a thousand roles. */
const maxTagLength = 100

/**
 * A strong entity tag (RFC 9110 §8.8.3) of the versions of what is shown, and of how much of it is shown: equal
 * where the answer is, and known without making it.
 */
export function entityTag(versions: readonly Versioned[], view = ''): string {
  const texts = versions.map(({ version, updated_at }) => `${version}.${updated_at.slice(2, -1)}`)
  const tag = `${texts.join('.')}${view && `-${view}`}`
  return `"${tag.length > maxTagLength ? hash('sha256', tag, 'base64url') : tag}"`
}

/** Whether a header lists an entity tag, or `*`. A weak tag is no member of a strong comparison (RFC 9110 §8.8.3.2). */
export function listsTag(header: string, tag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true
  return tagsIn(header).some((one) => (comparison === 'weak' ? one.replace(/^W\//, '') : one) === tag)
}

const entityTagPattern = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/** Entity tags and nothing else, with commas between (RFC 9110 §5.6.1.2). */
const tagList = new RegExp(`^[ \\t,]*(?:${entityTagPattern.source}[ \\t]*(?:,[ \\t,]*|$))+$`)

/** None where the header is no list of entity tags. */
function tagsIn(header: string): string[] {
  return tagList.test(header) ? header.match(entityTagPattern)! : []
}

/** Why no tag in `If-Match` is that of the record. */
function mismatch(header: string): string {
  const tags = tagsIn(header)
  if (tags.length === 0) return 'If-Match holds no entity tag: send the ETag with its quotation marks.'
  if (tags.every((one) => one.startsWith('W/')))
    return 'If-Match holds a weak entity tag, which never matches: send the ETag without W/.'
  return 'The record was changed since you read it: read it again, and send its new ETag in If-Match.'
}

/**
 * Removes the `Content-Length: 0` that Fastify adds to a 304 answering HEAD: it would be that of the 200 (RFC 9110
 * §8.6). Call before the routes are added.
 */
export function correctNotModified(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return
    route.onSend = [route.onSend ?? []].flat().concat((_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length')
      done(null, payload)
    })
  })
}

/** Which version of a record a change is meant for: what stands in `If-Match` (RFC 9110 §13.1.1). */
export interface Precondition {
  /** @throws Problem precondition_failed unless this is the version that was meant */
  check(tag: string): void
}

/** @throws Problem precondition_required when the request does not say which version it changes (RFC 6585 §3) */
export function preconditionOf(request: FastifyRequest): Precondition {
  const header = request.headers['if-match']
  if (header === undefined) {
    throw new Problem(
      'precondition_required',
      "Send If-Match with the ETag of the record as you read it, so that nobody else's change is lost; * for any.",
    )
  }
  return {
    check(tag) {
      if (listsTag(header, tag, 'strong')) return
      throw new Problem('precondition_failed', mismatch(header))
    },
  }
}

/** The same, where a change need not say it: what it says holds (RFC 9110 §13.1.1). */
export function statedVersionOf(request: FastifyRequest): Precondition {
  return request.headers['if-match'] === undefined ? { check() {} } : preconditionOf(request)
}

/**
 * The same, where the caller must have looked at what is changed: `*` names no version.
 * @throws Problem precondition_required
 */
export function seenVersionOf(request: FastifyRequest): Precondition {
  const header = request.headers['if-match']?.trim()
  if (header !== undefined && header !== '*') return preconditionOf(request)
  throw new Problem(
    'precondition_required',
    'Send If-Match with the ETag of what you looked at; * is not taken here, since it names no version.',
  )
}
