import { type Schema, Type } from './json-schema.ts'
import { Success } from './operation.ts'

/** Where in a list: `page` from 1, `perPage` from 1 to 1000. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
}

/** One page of a list, and how many there are in all at the same moment. */
export interface Page<Item> {
  readonly items: Item[]
  readonly total: number
}

export const pageParameters = {
  page: Type.Optional(
    Type.Integer({
      title: 'Page',
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
      description: 'Which page, from 1; without it, the first',
      examples: [1],
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      title: 'PerPage',
      minimum: 1,
      maximum: 1000,
      default: 20,
      description: 'How many on a page; without it, 20',
      examples: [20],
    }),
  ),
}

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })

const Pagination = Type.Object(
  {
    total: count('How many match in all', 200),
    page: count('This page', 1),
    per_page: count('How many on a page', 20),
    total_pages: count('How many pages there are', 10),
  },
  { title: 'Pagination' },
)

/** A page of a list; `Link` names the others. */
export const PageOf = <Item extends Schema>(item: Item, keywords: { readonly maxItems?: number } = {}) => ({
  ...Type.Object({ success: Success, data: Type.Array(item, keywords), pagination: Pagination }),
  headers: ['Link'] as const,
})

export function pageRequest(query: { page?: number; per_page?: number }): PageRequest {
  return { page: query.page ?? 1, perPage: query.per_page ?? 20 }
}

export function pagination({ page, perPage }: PageRequest, total: number) {
  return { total, page, per_page: perPage, total_pages: Math.ceil(total / perPage) }
}

/** The `Link` header (RFC 8288): first, prev, next and last page, as references relative to the host. */
export function pageLinks(
  path: string,
  query: object,
  { page, perPage }: PageRequest,
  total: number,
): string {
  const last = Math.max(1, Math.ceil(total / perPage))
  const others = Object.entries(query).filter(([name]) => name !== 'page' && name !== 'per_page')
  const rest = others
    .map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('')
  const link = (rel: string, to: number) => `<${path}?page=${to}&per_page=${perPage}${rest}>; rel="${rel}"`
  const links = [link('first', 1)]
  if (page > 1) links.push(link('prev', Math.min(page - 1, last)))
  if (page < last) links.push(link('next', page + 1))
  links.push(link('last', last))
  return links.join(', ')
}
