import { listImportRows, type PlannedRow } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'

/** How many are read at once: a thousand with long notes are more than one answer holds. */
const perPage = 100

/** All rows that wait for a choice. */
export async function doubtfulRows(id: number): Promise<readonly PlannedRow[] | Failure> {
  const rows: PlannedRow[] = []
  for (let page = 1, of = 1; page <= of; page++) {
    const query = { outcome: 'doubtful', per_page: perPage, page } as const
    const came = await call(() => listImportRows({ path: { id }, query }))
    if (came.is === 'failed') return came.failure
    of = came.data.pagination.total_pages
    for (const row of came.data.data) if (!('first' in row)) rows.push(row) // equal rows together: not asked for
  }
  return rows
}
