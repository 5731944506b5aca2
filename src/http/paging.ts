import { type Schema, Type } from './json-schema.ts'
import { Success } from './operation.ts'

/** How many entries a page has, where the request does not say. */
export const usualPerPage = 20

export const pageParameters = Type.Partial({
  page: Type.Integer({
    title: 'Page',
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: 'Which page, from 1; without it, the first',
    examples: [1],
  }),
  per_page: Type.Integer({
    title: 'PerPage',
    minimum: 1,
    maximum: 1000,
    default: usualPerPage,
    description: `How many on a page; without it, ${usualPerPage}`,
    examples: [usualPerPage],
  }),
})

/** A number of things, from 0. */
export const count = (description: string, example: number) =>
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
