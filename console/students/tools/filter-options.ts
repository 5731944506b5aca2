import type { Option } from '../../parts/combobox.tsx'
import { classes, ownFields, seesSensitive } from '../../session/session.ts'
import { filterWords } from '../filter-words.ts'
import { type Filter, type ListQuery, optionalChoices, valueFilters } from '../query.ts'
import { texts } from './texts.ts'

/** A filter that asks for a value. */
export type Asking = (typeof valueFilters)[number]

/** A filter to add: a class, one with its value, or one whose value is asked for. */
type FilterOption = Option &
  ({ readonly classId: number } | { readonly filter: Filter } | { readonly asks: Asking })

const withWords = (filter: Filter): FilterOption => ({
  id: filter.join('='),
  label: filterWords(filter),
  filter,
})

/** All filters that may be added to a list: first those that ask, then classes, values, and what is missing. */
export function filterOptions({ classIds, filters }: ListQuery): readonly FilterOption[] {
  const seesAll = seesSensitive(classIds)
  const asking = (seesAll ? valueFilters : []).map((asks) => ({ id: asks, label: texts().asks[asks], asks }))
  const ofClasses = classes.value
    .filter(({ id }) => !classIds.includes(id))
    .map(({ id, label, archived }) => ({ id: `${id}`, label: archived ? `${label} ·` : label, classId: id }))
  const own = ownFields.value.filter(({ sensitive }) => seesAll || !sensitive)
  const values = own.flatMap(({ key, kind, options }) =>
    (kind === 'yes_no' ? ['true', 'false'] : (options ?? [])).map((value) =>
      withWords([`fields.${key}`, value]),
    ),
  )
  const missing = optionalChoices(classIds).flatMap((field) =>
    ['true', 'false'].map((isEmpty) => withWords([`${field}.empty`, isEmpty])),
  )
  const isThere = ({ id }: Option) => filters.some((filter) => filter.join('=') === id)
  return [...asking, ...ofClasses, ...values, ...missing].filter((one) => !isThere(one))
}
