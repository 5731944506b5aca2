import type { Authority, CallerScopes } from '../access/authority.ts'
import { commonScope, includesScope } from '../access/scope.ts'
import type { Db } from '../db/tables.ts'
import { sensitiveMembers } from '../students/details.ts'
import type { ListQuery } from '../students/list-query.ts'
import { listRequest } from '../students/list-request.ts'
import { type ListRequest, within } from '../students/lists/asked.ts'
import { listColumns } from '../students/lists/columns.ts'
import { askableFields, ownColumns, sensitiveNames } from '../students/own-field-filters.ts'

/**
 * Returns a function that reads, for each slice, which list may be exported now. Its columns are those that are asked
 * for, or all that may be seen at first. Classes that come to be seen are in none.
 * @param readmit reads what the caller may do; undefined: all is exported
 * @throws Problem permission_denied
 */
export async function exportedList(
  db: Db,
  query: ListQuery,
  readmit?: () => Promise<Authority>,
): Promise<() => Promise<ListRequest>> {
  const scopesNow = async () => (readmit === undefined ? seesAll : scopesOf(await readmit()))
  const first = await scopesNow()
  const columns = query.columns ?? (await allColumns(db, query, first)).join()
  const asked = { ...query, columns }
  return async () => {
    const { scope, scopeBesides } = await scopesNow()
    return listRequest(db, asked, { scope: commonScope(first.scope, scope), scopeBesides })
  }
}

const seesAll: CallerScopes = { scope: 'all', scopeBesides: 'all' }

function scopesOf(authority: Authority): CallerScopes {
  const scope = commonScope(authority.require('students.export'), authority.require('students.view'))
  return { scope, scopeBesides: authority.scopeOf('students.sensitive') ?? [] }
}

/** The names of all columns that may be seen of the classes asked for. */
async function allColumns(
  db: Db,
  { class_id: classIds, guardian }: ListQuery,
  { scope, scopeBesides }: CallerScopes,
): Promise<string[]> {
  const fields = await askableFields(db)
  const names = [...listColumns, ...ownColumns(fields)].map(({ name }) => name)
  const isSeen = guardian !== undefined || includesScope(scopeBesides, within(scope, classIds))
  const hidden: readonly string[] = isSeen ? [] : [...sensitiveMembers, ...sensitiveNames(fields)]
  return names.filter((name) => !hidden.includes(name))
}
