import type { Row } from '../sheets/sheet.ts'
import { guardianHeading, guardianParts, type HeadingLanguage, headingOf } from './headings.ts'

/* What stands in which column of an exported file. A file's thread makes its rows by it. */

/** The columns of a file. */
export interface SheetPlan {
  /** The columns of the list, in order. Guardians and identifiers stand in several columns. */
  readonly columns: readonly string[]
  /** For how many guardians there are columns. */
  readonly guardians: number
  /** The systems of identifiers; each has a column, whatever way its name is written in. */
  readonly systems: readonly { readonly name: string; readonly spellings: readonly string[] }[]
  /** In which language the columns are headed; none: by the names of the API's members. */
  readonly language?: HeadingLanguage | undefined
}

type Guardian = Readonly<Record<(typeof guardianParts)[number], string | null>>

/** A student as a slice has it: a value for each column. */
type Student = readonly unknown[]

/** How the columns are headed. */
export function headerOf({ columns, guardians, systems, language }: SheetPlan): Row {
  return columns.flatMap((column) => {
    if (column === 'guardians')
      return Array.from({ length: guardians }, (_, i) =>
        guardianParts.map((part) => guardianHeading(i + 1, part, language)),
      ).flat()
    return column === 'identifiers'
      ? systems.map(({ name }) => `identifiers.${name}`)
      : [headingOf(column, language)]
  })
}

/** What makes the row of each student. @throws where one has what came after the plan was made, and has no column */
export function rowMaker({ columns, guardians, systems }: SheetPlan): (student: Student) => Row {
  const places = new Map(systems.flatMap(({ spellings }, i) => spellings.map((one) => [one, i] as const)))

  function guardiansOf(list: readonly Guardian[]): string[] {
    if (list.length > guardians) throw new Error('a student has more guardians than there were')
    const cells = list.flatMap((guardian) => guardianParts.map((part) => guardian[part] ?? ''))
    return [...cells, ...Array(guardians * guardianParts.length - cells.length).fill('')]
  }

  function identifiersOf(list: readonly { readonly system: string; readonly value: string }[]): string[] {
    const cells: string[] = Array(systems.length).fill('')
    for (const { system, value } of list) {
      const place = places.get(system)
      if (place === undefined) throw new Error('a student has an identifier of a new system')
      cells[place] = cells[place] === '' ? value : `${cells[place]}\n${value}`
    }
    return cells
  }

  return (student) =>
    columns.flatMap((column, i) => {
      const value = student[i]
      if (column === 'guardians') return guardiansOf((value ?? []) as Guardian[])
      return column === 'identifiers' ? identifiersOf((value ?? []) as never) : cellOf(value)
    })
}

/** A value as a text: the items of a list a line each, whose texts have no line breaks. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join('\n') : String(value)
}
