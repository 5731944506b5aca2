import type { RowValues } from './row-values.ts'

/** The number in the example of a template: no child has it. Without digits at its end it begins no series. */
export const exampleNumber = 'EXAMPLE'

/** The label in the example of a template of classes. */
export const exampleLabel = `${exampleNumber} 7 B`

/** What is read of a row with one of these: that it is left out, and nothing else. */
export function exampleRow(column: 'admission_number' | 'label', to: string): RowValues {
  const detail = 'is the example of the template: write over it to import the row'
  return { values: {}, faults: [], leftOut: { column, to, code: 'example_row', detail } }
}
