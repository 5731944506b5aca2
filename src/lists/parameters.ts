import type { Field } from '../fields/queries.ts'
import { type Schema, type Static, Type } from '../http/json-schema.ts'
import { Id } from '../http/operation.ts'
import { faultsProblem, tooMany } from '../http/validation.ts'
import { type Fault, type FieldFault, invalidField } from '../problems.ts'
import { type FilterName, fieldFilters } from '../students/list-query.ts'
import { sorts } from '../students/lists/asked.ts'
import { listColumns } from '../students/lists/columns.ts'
import { ownColumns, ownPrefix } from '../students/own-field-filters.ts'
import { maxSearchWords } from '../text/search-words.ts'

/* What a named list may ask of `GET /api/students`, by the names that it has there. */

const ownField = '^fields\\.[a-z][a-z0-9_]{0,39}'
const day = (which: string) =>
  Type.String({ format: 'date', maxLength: 10, description: `Born on this day or ${which}` })
const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

const byValue = {
  gender: text(50, 'As it is stored'),
  'date_of_birth.from': day('later'),
  'date_of_birth.to': day('earlier'),
} satisfies Record<Exclude<FilterName, `${string}.empty`>, Schema>

const emptiness = Object.keys(fieldFilters).filter((name) => name.endsWith('.empty'))

const filters = Type.Partial({
  search: text(100, `Words that must all be found, at most ${maxSearchWords} different ones`),
  class_id: Type.Array(Id('A class', 3), {
    minItems: 1,
    maxItems: 100,
    description: 'The students of these classes',
  }),
  ...byValue,
  guardian: text(
    100,
    `At most ${maxSearchWords} words of a name, an e-mail address, or digits of a phone number`,
  ),
  ...Object.fromEntries(emptiness.map((name) => [name, Type.Enum(['true', 'false'])])),
})

const describedFilters =
  'Parameters of `GET /api/students`, by their names there; `fields.KEY` asks for an own field. All who may read lists read them'

/** The parameters that choose the students of a list. */
export const Filters = Type.Object(filters, {
  title: 'ListFilters',
  description: describedFilters,
  additionalProperties: false,
  patternProperties: {
    [`${ownField}(\\.empty)?$`]: Type.String({ minLength: 1, maxLength: 100, examples: ['fields.KEY'] }),
  },
})

export type Filters = Static<typeof Filters>

/** The same in a patch (RFC 7396): null takes a parameter away. */
export const FiltersPatch = Type.Object(nullable(filters), {
  title: 'ListFiltersPatch',
  description: `${describedFilters}. What is left out stays; null takes one away`,
  additionalProperties: false,
  patternProperties: {
    [`${ownField}(\\.empty)?$`]: Type.Nullable(
      Type.String({ minLength: 1, maxLength: 100, examples: ['fields.KEY'] }),
    ),
  },
})

/** Filters to be changed, by name; null: to be taken away. */
export type FiltersPatch = Readonly<Record<string, unknown>>

/** Each of the schemas, or null. */
function nullable(schemas: Readonly<Record<string, Schema>>): Record<string, ReturnType<typeof text>> {
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const { type = 'string', ...keywords } = schema as { type?: string; enum?: string[] }
    const values = keywords.enum && { enum: [...keywords.enum, null] }
    return [name, Type.Optional({ ...keywords, type: [type, 'null'], ...values } as Schema)]
  })
  return Object.fromEntries(entries)
}

/** The filters after a patch. */
export function mergeFilters(before: Filters, patch: FiltersPatch): Filters {
  const merged = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}

/** What a list may be ordered by. */
export const orders = sorts

/** What a list may show of each student; own fields besides, as `fields.KEY`. */
export const columns: readonly string[] = listColumns.map(({ name }) => name)

/** All lists are read at once, so that each is to be short. */
const maxFilters = 50

/** @throws Problem validation_failed when there are too many filters */
export function checkNumber(filters: object): void {
  if (Object.keys(filters).length > maxFilters) throw invalidField('/filters', tooMany(maxFilters))
}

/**
 * @param own the school's own fields, where a column is one
 * @throws Problem validation_failed that names each column that is unknown, or stands twice
 */
export function checkColumns(asked: readonly string[], own: readonly Field[]): void {
  const accepted = ownColumns(own).map(({ name }) => name)
  const faults = asked.flatMap((column, index): FieldFault[] => {
    const fault = faultOf(column, asked.indexOf(column) < index, accepted)
    return fault === undefined ? [] : [{ pointer: `/columns/${index}`, ...fault }]
  })
  if (faults.length > 0) throw faultsProblem(faults)
}

function faultOf(column: string, stoodBefore: boolean, own: readonly string[]): Fault | undefined {
  if (stoodBefore) return { code: 'duplicate', detail: 'must not stand here twice' }
  if (columns.includes(column) || own.includes(column)) return undefined
  return column.startsWith(ownPrefix)
    ? { code: 'not_allowed', detail: `must be one of: ${own.join(', ')}`, params: { accepted: own } }
    : {
        code: 'not_allowed',
        detail: `must be fields.KEY or one of ${columns.join(', ')}`,
        params: { accepted: columns },
      }
}
