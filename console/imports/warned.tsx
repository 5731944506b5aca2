import type { Import } from '../../client/src/index.ts'
import type { ImportRecord } from './record.ts'
import { texts } from './texts.ts'
import { ThatImport } from './that-import.tsx'
import { Said } from './told/said.tsx'
import { placed, warningSaid } from './told/told.ts'

/** Says above the rows, or a question, what a file would damage, what of it is lost, and what it does not name. */
export function Above({ record, imported: { id, warnings } }: { record: ImportRecord; imported: Import }) {
  const { above, notes } = placed(warnings)
  return (
    <>
      {above.length > 0 && (
        <div class="summary">
          {above.map((warning) => (
            <strong key={`${warning.code} ${warning.params?.heading} ${warning.params?.sheet}`}>
              <Said {...warningSaid(warning)} />
              <LeaveOut record={record} warning={warning} />
              {warning.params?.import !== undefined && <ThatImport id={warning.params.import} />}
            </strong>
          ))}
          {above.some(({ code }) => code === 'twins_left_out') && (
            <a href={`#/imports/${id}?show=left_out`}>− {texts().outcomes.left_out}</a>
          )}
          {/^other_(children|names|dates)$/.test(above[0]?.code ?? '') && (
            <a href={`#/imports/${id}?show=change`}>~ {texts().outcomes.change}</a>
          )}
        </div>
      )}
      {notes.map((note) => (
        <p class="said" key={note.code}>
          <Said {...warningSaid(note)} />
        </p>
      ))}
    </>
  )
}

/** Says below the rows what else one should know of the file. */
export function Warnings({ imported }: { imported: Import }) {
  const { below } = placed(imported.warnings)
  if (below.length === 0) return null
  return (
    <section class="section">
      <h2>{texts().warnings}</h2>
      <ul>
        {below.map((warning, i) => (
          <li key={i}>
            <Said {...warningSaid(warning)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The way out of a column that a spreadsheet has damaged. */
function LeaveOut({ record, warning }: { record: ImportRecord; warning: Import['warnings'][number] }) {
  const { heading } = warning.params ?? {}
  if (!['zeros_lost', 'digits_lost'].includes(warning.code) || heading === undefined) return null
  return (
    <>
      {' '}
      <button
        type="button"
        class="plain"
        aria-label={`${texts().leaveColumnOut}: ${heading}`}
        onClick={() => void record.patch({ answers: { [`column.${heading}`]: 'leave_out' } })}
      >
        {texts().leaveColumnOut}
      </button>
    </>
  )
}
