import { type ObjectSchema, Type } from '../http/json-schema.ts'
import { File, operation } from '../http/operation.ts'
import { listQuery } from '../students/list-query.ts'
import { headingLanguages } from './headings.ts'
import { mostInOrder } from './students-file.ts'

const { page: _page, per_page: _perPage, columns, sort, ...filters } = listQuery.properties

const parameters = {
  ...filters,
  sort: {
    ...sort,
    title: 'ExportSort',
    description: `As in the list. In another order than that of ids, or with a search, at most ${mostInOrder} students can be exported`,
  },
  columns: {
    ...columns,
    title: 'ExportColumns',
    description:
      "As in the list. Without it: every member of a student that the caller may see of all classes that are asked for, and the school's own fields",
  },
}

/** The query of the list without its pages, and more. */
const queryWith = <More extends object>(more: More) =>
  ({ ...listQuery, ...Type.Object({ ...parameters, ...more }) }) as ObjectSchema<typeof parameters & More>

const description = `All students of a list, in rows below headings. Guardians stand in columns \`guardian_1_name\` to \`guardian_10_note\`, as far as there are some; identifiers in a column \`identifiers.SYSTEM\` for each system. Where a cell holds several values, each has a line. Needs \`students.view\` too: students of classes for which both are held are exported. The change set that tells of the export names its filter and number, and nothing that was searched for.`

export const mediaTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

export const headings = {
  headings: Type.Optional(
    Type.Enum(headingLanguages, {
      description:
        'The language of the headings: `Vorname` in place of `given_name`. Without it, the names of members. Own fields, identifiers, ids and instants have their names. An import knows either',
      examples: ['de'],
    }),
  ),
}

/** How CSV is to be written. */
export const csvParameters = Type.Partial({
  delimiter: Type.Enum([',', ';'], {
    default: ',',
    description: 'What stands between cells',
    examples: [';'],
  }),
  bom: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether the file begins with U+FEFF, by which spreadsheets know that it is UTF-8',
    examples: ['off'],
  }),
})

export const getStudentsCsv = operation({
  operationId: 'getStudentsCsv',
  tags: ['students'],
  summary: 'Export students as CSV',
  description: `${description} A cell that begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a carriage return, behind any number of \`'\`, has one \`'\` more.`,
  querystring: queryWith({ ...csvParameters, ...headings }),
  response: { 200: File([mediaTypes.csv], 'CSV (RFC 4180) in UTF-8') },
})

export const getStudentsXlsx = operation({
  operationId: 'getStudentsXlsx',
  tags: ['students'],
  summary: 'Export students as a spreadsheet',
  description: `${description} Every cell is a text: no number loses its zeros, and nothing is run.`,
  querystring: queryWith(headings),
  response: { 200: File([mediaTypes.xlsx], 'XLSX (ECMA-376)') },
})
