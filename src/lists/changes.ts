import type { Instant } from '../db/tables.ts'
import { updateRow } from '../db/versions.ts'
import { violatesUnique } from '../db/violations.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Tx } from '../events/log.ts'
import { Problem } from '../problems.ts'
import { uniqueKey } from '../text/normalise.ts'
import { type FiltersPatch, mergeFilters } from './parameters.ts'
import { type ListContent, maxLists, type NamedList, type Print } from './queries.ts'

/** A list to be made: all but its name may be left out. */
export type NewList = Pick<ListContent, 'name'> &
  Partial<Omit<ListContent, 'print'>> & { readonly print?: Partial<Print> }

/** What of a list is to be changed (RFC 7396). */
export type ListPatch = Partial<Omit<ListContent, 'filters' | 'print'>> & {
  readonly filters?: FiltersPatch
  readonly print?: Partial<Print>
}

const logged = ['name', 'filters', 'columns', 'order', 'print'] as const

const usualPrint: Print = { title: null, orientation: 'portrait', rows_per_page: null }

/**
 * Call behind `lockPlatform`, so that two at once do not pass the limit.
 * @returns the new list's id
 * @throws Problem list_name_taken or too_many_lists
 */
export async function insertList(tx: Tx, given: NewList, now: Instant): Promise<number> {
  const { name, filters = {}, columns = null, order = 'id', print } = given
  const content: ListContent = { name, filters, columns, order, print: { ...usualPrint, ...print } }
  await requireRoom(tx)
  const { id } = await explainTaken(() =>
    tx
      .insertInto('named_lists')
      .values({ ...columnsOf(content), created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const fields = changedFields(logged, undefined, content)
  tx.record({ record: 'list', id, action: 'created', at: now, fields })
  return id
}

/** Changes what differs. If nothing does, the version stays. Call behind `lockPlatform`. @throws Problem list_name_taken */
export async function updateList(tx: Tx, before: NamedList, patch: ListPatch, now: Instant): Promise<void> {
  const { id, name, filters, columns, order, print } = before
  const content: ListContent = {
    ...{ name, columns, order, ...patch },
    filters: mergeFilters(filters, patch.filters ?? {}),
    print: { ...print, ...patch.print },
  }
  const fields = changedFields(logged, before, content)
  if (Object.keys(fields).length === 0) return
  await explainTaken(() => updateRow(tx, 'named_lists', id, columnsOf(content), now))
  tx.record({ record: 'list', id, action: 'changed', at: now, fields })
}

/** Removes a list. */
export async function deleteList(tx: Tx, before: NamedList, now: Instant): Promise<void> {
  await tx.deleteFrom('named_lists').where('id', '=', before.id).execute()
  const fields = changedFields(logged, before, undefined)
  tx.record({ record: 'list', id: before.id, action: 'removed', at: now, fields })
}

function columnsOf({ name, filters, columns, order, print }: ListContent) {
  return {
    name,
    name_key: uniqueKey(name),
    filters: JSON.stringify(filters),
    columns: columns && JSON.stringify(columns),
    sorted_by: order,
    print: JSON.stringify(print),
  }
}

/** @throws Problem too_many_lists */
async function requireRoom(tx: Tx): Promise<void> {
  const { lists } = await tx
    .selectFrom('named_lists')
    .select((q) => q.fn.countAll<number>().as('lists'))
    .executeTakeFirstOrThrow()
  if (lists < maxLists) return
  throw new Problem('too_many_lists', `There may be at most ${maxLists} lists; delete one that nobody needs.`)
}

/** @throws Problem list_name_taken */
async function explainTaken<Result>(statement: () => Promise<Result>): Promise<Result> {
  try {
    return await statement()
  } catch (error) {
    if (!violatesUnique(error, 'named_lists.name_key')) throw error
    throw new Problem('list_name_taken', 'Another list has this name; names that look alike count as one.', {
      errors: [{ pointer: '/name', code: 'taken', detail: 'is the name of another list' }],
      cause: error,
    })
  }
}
