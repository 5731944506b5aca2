import type { Layout, ListKind } from './layout.ts'

/*
 * How many students a page takes, where each has one line. A class of up to 40 has one page, upright on A4 and on
 * Letter: from some 35 on, its rows are lower, and its letters have 9 points.
 */

/** So many fit on a page in rows as usual, whichever paper it is. */
const usual = { portrait: 34, landscape: 24 } as const
/** So many fit in low rows. */
const most = { portrait: 40, landscape: 28 } as const

/** A sheet that is to fit on one page, as far as it can. */
const isOnePage = (kind: ListKind, { rowsPerPage }: Pick<Layout, 'rowsPerPage'>) =>
  kind !== 'list' && rowsPerPage === undefined

/** Whether a sheet has low rows. */
export const hasLowRows = (kind: ListKind, layout: Pick<Layout, 'paper' | 'rowsPerPage'>, count: number) =>
  isOnePage(kind, layout) && count > usual[layout.paper] && count <= most[layout.paper]

/** About how many pages a sheet takes. */
export function pagesOf(
  kind: ListKind,
  layout: Pick<Layout, 'paper' | 'rowsPerPage'>,
  count: number,
): number {
  if (hasLowRows(kind, layout, count)) return 1
  const { paper, rowsPerPage = usual[paper] } = layout
  const onEach = Math.ceil(Math.min(rowsPerPage, count) / usual[paper])
  return Math.ceil(count / rowsPerPage) * onEach
}
