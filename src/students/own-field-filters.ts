import type { Db } from '../db/tables.ts'
import { hasOptions, isFiltered } from '../fields/kinds.ts'
import { type Field, findFields } from '../fields/queries.ts'
import { allOrFaults } from '../http/validation.ts'
import { invalidField } from '../problems.ts'
import type { ListColumn } from './lists/columns.ts'
import type { Condition } from './lists/filter.ts'

/** What the names of own fields begin with, among the parameters and the columns of a list. */
export const ownPrefix = 'fields.'

/** The fields that a list may be asked by: those of the school's own that are not archived. */
export async function askableFields(db: Db): Promise<Field[]> {
  return (await findFields(db)).filter(({ archived }) => !archived)
}

/** The columns of own fields. */
export function ownColumns(fields: readonly Field[]): ListColumn[] {
  return fields.map(({ key }) => ({ name: `${ownPrefix}${key}`, source: key, holds: 'own' }))
}

/** The names of the sensitive ones. */
export function sensitiveNames(fields: readonly Field[]): string[] {
  return fields.filter(({ sensitive }) => sensitive).map(({ key }) => `${ownPrefix}${key}`)
}

/**
 * The filters by own fields: `fields.KEY=value` where values are chosen, `fields.KEY.empty` for all kinds.
 * @param at where the filters stand in what was sent, as a pointer
 * @throws Problem validation_failed for an unknown field, and for a value that it can't have
 */
export function ownConditions(
  query: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  at = '',
): Condition[] {
  const conditionsOf = (name: string, value: unknown): Condition[] => {
    if (!name.startsWith(ownPrefix) || value === '' || value === null) return []
    const [key, isEmpty] = name.slice(ownPrefix.length).split('.')
    const field = fields.find((one) => one.key === key)
    const pointer = `${at}/${name}`
    if (field === undefined) {
      const detail = 'is not the key of a field, or the field is archived; GET /api/fields lists the fields'
      throw invalidField(pointer, {
        code: 'unknown_member',
        detail,
        params: { accepted: fields.map((one) => `${ownPrefix}${one.key}`) },
      })
    }
    const asked = { field: `${ownPrefix}${field.key}`, key: field.key }
    if (isEmpty !== undefined) {
      requireOneOf(pointer, String(value), ['true', 'false'])
      return [{ ...asked, test: value === 'true' ? 'is null' : 'is not null' }]
    }
    if (!isFiltered(field.kind)) {
      const detail =
        'is no filter: only fields of one_of, several_of and yes_no are. fields.KEY.empty is one for all'
      throw invalidField(pointer, { code: 'invalid', detail })
    }
    requireOneOf(pointer, String(value), hasOptions(field.kind) ? field.options! : ['true', 'false'])
    return [{ ...asked, test: 'has', id: field.id, value: String(value) }]
  }
  const works = Object.entries(query).map(
    ([name, value]) =>
      () =>
        conditionsOf(name, value),
  )
  return allOrFaults<Condition[][]>(...works).flat()
}

function requireOneOf(pointer: string, value: string, accepted: readonly string[]): void {
  if (accepted.includes(value)) return
  const detail = `must be one of: ${accepted.join(', ')}`
  throw invalidField(pointer, { code: 'not_allowed', detail, params: { accepted } })
}
