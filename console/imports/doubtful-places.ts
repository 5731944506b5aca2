import { listImportRows } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { placeOf } from './decided.ts'

/** The most rows that a page of the API has. */
const perPage = 1_000

/** The places of all rows that wait for a choice. */
export async function doubtfulPlaces(id: number): Promise<ReadonlySet<string> | Failure> {
  const places = new Set<string>()
  for (let page = 1, of = 1; page <= of; page++) {
    const query = { outcome: 'doubtful', per_page: perPage, page } as const
    const came = await call(() => listImportRows({ path: { id }, query }))
    if (came.is === 'failed') return came.failure
    of = came.data.pagination.total_pages
    for (const row of came.data.data) if (!('first' in row)) places.add(placeOf(row))
  }
  return places
}
