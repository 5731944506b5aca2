import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page, PageRequest } from '../db/pages.ts'
import { listsTag } from './conditions.ts'
import { usualPerPage } from './paging.ts'
import { routeOf } from './requests.ts'

/*
 * How a handler answers, one way each: a page of a list, a record, a creation, a change, a removal. They set the
 * headers, and return the body.
 */

/** The page of a list that the query asks for, with `Link` (RFC 8288) and the total. */
export async function page<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  read: (where: PageRequest) => Promise<Page<Item>>,
) {
  const { items, total } = await read(pageRequest(request.query as object))
  return { success: true as const, data: items, pagination: paginate(request, reply, total) }
}

const beforeItems = Buffer.from('{"success":true,"data":')

/**
 * The same, where the items are a JSON array in UTF-8 already. It is sent as it is, past the answer's schema, by which
 * handlers are typed.
 */
export function jsonPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, total }: { readonly json: Uint8Array; readonly total: number },
): never {
  reply.type('application/json; charset=utf-8')
  const afterItems = Buffer.from(`,"pagination":${JSON.stringify(paginate(request, reply, total))}}`)
  return Buffer.concat([beforeItems, json, afterItems]) as never
}

/** A record with its entity tag, or 304 and no body where the client has just this (RFC 9110 §13.1.2). */
export function record<Shown>(request: FastifyRequest, reply: FastifyReply, tag: string, data: Shown) {
  reply.header('ETag', tag)
  const header = request.headers['if-none-match']
  if (header === undefined || !listsTag(header, tag, 'weak')) return { success: true as const, data }
  reply.code(304)
  return undefined
}

/** 201, and where the new record is (RFC 9110 §10.2.2). */
export function creation(request: FastifyRequest, reply: FastifyReply, id: number) {
  reply.code(201).header('Location', `${routeOf(request).url}/${id}`)
  return { success: true as const, data: { id } }
}

/** What is shown of a record after its change, and its new entity tag. */
export function change<Shown>(reply: FastifyReply, tag: string, data: Shown) {
  reply.header('ETag', tag)
  return { success: true as const, data }
}

/** @param message what was removed, for people */
export function removal(message: string) {
  return { success: true as const, message }
}

/** Which page the query asks for. */
export function pageRequest(query: { page?: number; per_page?: number }): PageRequest {
  return { page: query.page ?? 1, perPage: query.per_page ?? usualPerPage }
}

/**
 * Sets `Link` (RFC 8288): first, prev, next and last page, as references relative to the host.
 * @returns where the page stands in the list
 */
function paginate(request: FastifyRequest, reply: FastifyReply, total: number) {
  const { page, perPage } = pageRequest(request.query as object)
  const last = Math.max(1, Math.ceil(total / perPage))
  const others = Object.entries(request.query as object).filter(
    ([name]) => name !== 'page' && name !== 'per_page',
  )
  const rest = others
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('')
  const params = request.params as Readonly<Record<string, string | number>>
  const path = routeOf(request).url!.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name]!))
  const link = (rel: string, to: number) => `<${path}?page=${to}&per_page=${perPage}${rest}>; rel="${rel}"`
  const links = [link('first', 1)]
  if (page > 1) links.push(link('prev', Math.min(page - 1, last)))
  if (page < last) links.push(link('next', page + 1))
  links.push(link('last', last))
  reply.header('Link', links.join(', '))
  return { total, page, per_page: perPage, total_pages: Math.ceil(total / perPage) }
}
