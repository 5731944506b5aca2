/** What a list may be sorted by, and the columns that this means; each has an index, and ends in the id. */
const columns = {
  id: [],
  name: ['folded_name', 'name'],
  admission_number: ['admission_key'],
  created_at: ['created_at'],
} as const

type SortKey = keyof typeof columns

/** A key, with `-` before it for descending. */
export type Sort = SortKey | `-${SortKey}`

/** Every sort. */
export const sorts = (Object.keys(columns) as SortKey[]).flatMap((key): Sort[] => [key, `-${key}`])

/** A column that a sort looks at before the id. */
export type SortColumn = (typeof columns)[SortKey][number]

/** The columns that a sort looks at before the id, and which way. */
export interface Order {
  readonly columns: readonly SortColumn[]
  readonly direction: 'asc' | 'desc'
}

/** What a sort means. */
export function orderOf(sort: Sort): Order {
  const key = sort.replace('-', '') as SortKey
  return { columns: columns[key], direction: key === sort ? 'asc' : 'desc' }
}
