import type { Import } from '../../client/src/index.ts'
import { AllSame } from './all-same.tsx'
import { placeOf } from './decided.ts'
import { Doubtful } from './doubtful.tsx'
import type { ImportRecord } from './record.ts'
import { Rows } from './rows.tsx'

interface DoubtsProps {
  readonly record: ImportRecord
  readonly imported: Import
  /** Whether rows that nothing is chosen for are marked. */
  readonly isMissed: boolean
}

/** The rows that need a choice: for all that are plainly of one child at once, or for each. */
export const Doubts = ({ record, imported, isMissed }: DoubtsProps) => (
  <>
    <AllSame record={record} />
    <Rows
      imported={imported}
      outcome="doubtful"
      isOpen={(row) => !(placeOf(row) in record.choices.value)}
      choice={(row) => <Doubtful key={row.row} row={row} choices={record.choices} isMissed={isMissed} />}
    />
  </>
)
