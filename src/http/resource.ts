import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditions.ts'
import { type Page, type PageRequest, pageLinks, pagination } from './paging.ts'
import { routeOf } from './requests.ts'

/*
 * How a handler answers, one way each: a page of a list, a record, a creation, a change, a removal. They set the
 * headers, and return the body.
 */

/** A page of a list, with `Link` (RFC 8288) and the total. */
export function pageAnswer<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  where: PageRequest,
  { items, total }: Page<Item>,
) {
  setLinks(request, reply, where, total)
  return { success: true as const, data: items, pagination: pagination(where, total) }
}

const beforeItems = Buffer.from('{"success":true,"data":')

/**
 * The same, where the items are a JSON array in UTF-8 already. It is sent as it is, past the answer's schema, by which
 * handlers are typed.
 */
export function jsonPageAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  where: PageRequest,
  { json, total }: { readonly json: Uint8Array; readonly total: number },
): never {
  setLinks(request, reply, where, total)
  reply.type('application/json; charset=utf-8')
  const afterItems = Buffer.from(`,"pagination":${JSON.stringify(pagination(where, total))}}`)
  return Buffer.concat([beforeItems, json, afterItems]) as never
}

function setLinks(request: FastifyRequest, reply: FastifyReply, where: PageRequest, total: number): void {
  reply.header('Link', pageLinks(routeOf(request).url!, request.query as object, where, total))
}

/** A record with its entity tag, or 304 where the client has just this (RFC 9110 §13.1.2). */
export function recordAnswer<Shown>(request: FastifyRequest, reply: FastifyReply, tag: string, data: Shown) {
  return isNotModified(request, reply, tag) ? undefined : { success: true as const, data }
}

/** 201, and where the new record is (RFC 9110 §10.2.2). */
export function creationAnswer(request: FastifyRequest, reply: FastifyReply, id: number) {
  reply.code(201).header('Location', `${routeOf(request).url}/${id}`)
  return { success: true as const, data: { id } }
}

/** What is shown of a record after its change, and its new entity tag. */
export function changeAnswer<Shown>(reply: FastifyReply, tag: string, data: Shown) {
  reply.header('ETag', tag)
  return { success: true as const, data }
}

/** @param message what was removed, for people */
export function removalAnswer(message: string) {
  return { success: true as const, message }
}
