import { dayInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { classes } from '../session/session.ts'
import { ownText } from '../student/own-values.ts'
import { columnLabel } from './columns.ts'
import { change, type Filter, type ListQuery, valueFilters } from './query.ts'

export const classLabel = (id: number) => classes.value.find((one) => one.id === id)?.label ?? `#${id}`

/** A filter in words. */
export function filterWords([name, value]: Filter): string {
  const texts = t().students
  const field = name.replace(/\.(empty|from|to)$/, '')
  if (name.endsWith('.empty')) return texts.emptiness(columnLabel(field), value === 'true')
  if (name === 'guardian') return texts.is(columnLabel('guardians'), value)
  if ((valueFilters as readonly string[]).includes(name) && field !== name)
    return texts[name.endsWith('.from') ? 'from' : 'to'](columnLabel(field), dayInWords(value))
  const isYesNo = value === 'true' || value === 'false'
  return texts.is(
    columnLabel(field),
    field.startsWith('fields.')
      ? ownText(field.slice('fields.'.length), isYesNo ? value === 'true' : value)
      : value,
  )
}

/** Each filter in words, and what takes it away. */
export function chipsOf({
  classIds,
  filters,
}: ListQuery): { key: string; label: string; remove: () => void }[] {
  return [
    ...classIds.map((id) => ({
      key: `class ${id}`,
      label: classLabel(id),
      remove: () => change({ class: classIds.filter((one) => one !== id).map(String) }),
    })),
    ...filters.map((filter) => ({
      key: filter[0],
      label: filterWords(filter),
      remove: () => change({ [filter[0]]: undefined }),
    })),
  ]
}
