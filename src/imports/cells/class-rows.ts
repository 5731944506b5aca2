import { createClass } from '../../classes/schema.ts'
import { mapColumns } from '../columns/column-mapping.ts'
import type { ReadingRules } from '../reading-rules.ts'
import { isFault, refusingErrors, textReader } from './cell-readers.ts'
import { exampleLabel, exampleRow } from './example-rows.ts'
import { faulty } from './faulty.ts'
import type { RowReader } from './row-values.ts'

/** Makes what reads the rows of classes: each tells a label. @param rules with what the file decided among the answers */
export function classRowReader(rules: ReadingRules): RowReader {
  const { mapped } = mapColumns(rules)
  const at = mapped.findIndex(({ column }) => column === 'label')
  const readLabel = refusingErrors(textReader(createClass.body.properties.label))
  return {
    read(_place, cells) {
      const cell = cells[at] ?? ''
      if (cell.trim() === '') return { values: {}, faults: [] }
      const label = readLabel(cell)
      if (label === exampleLabel) return exampleRow('label', label)
      if (!isFault(label)) return { values: { label }, faults: [] }
      return { values: {}, faults: [faulty('label', cell, label)] }
    },
    lacks: [],
    newFields: [],
  }
}
