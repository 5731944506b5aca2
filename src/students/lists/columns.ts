import { detailNames } from '../details.ts'

/** What a list shows of each student, in this order, where no columns are asked for. */
export const studentColumns = [
  'students.id',
  'students.name',
  'students.admission_number',
  'students.class_id',
  'classes.label as class',
] as const

/** A column of a list: the member that it is in the answer, and where its value stands. */
export interface ListColumn {
  readonly name: string
  /** An expression of `students` and `classes` that both engines have. */
  readonly source: string
  /** `json`: a text that is JSON, and stands as such in the answer; `own`: an own field, whose key is the source. */
  readonly holds: 'value' | 'json' | 'instant' | 'own'
}

/** These columns. */
export const plainColumns: readonly ListColumn[] = studentColumns.map((column) => {
  const [source, name = source.split('.')[1]] = column.split(' as ') as [string, string?]
  return { name: name!, source, holds: 'value' }
})

const ofStudents = (name: string, holds: ListColumn['holds'] = 'value'): ListColumn => ({
  name,
  source: `students.${name}`,
  holds,
})

/** Every column that can be asked for. To add one: a line here. */
export const listColumns: readonly ListColumn[] = [
  ...plainColumns,
  ...detailNames.map((name) => ofStudents(name)),
  ofStudents('identifiers', 'json'),
  ofStudents('guardians', 'json'),
  ofStudents('created_at', 'instant'),
  ofStudents('updated_at', 'instant'),
]

/** The columns for statements in SQL. @param expressionOf what an engine selects of each; by default, its source */
export function selected(
  columns: readonly ListColumn[],
  expressionOf: (column: ListColumn) => string = ({ source }) => source,
): string {
  const named = columns.map((column) => {
    const expression = expressionOf(column)
    return expression.endsWith(`.${column.name}`) ? expression : `${expression} as ${asName(column)}`
  })
  return named.join(', ')
}

/** A column's name in SQL. */
export function asName({ name }: ListColumn): string {
  return /^\w+$/.test(name) ? name : `"${name}"`
}
