import { listImportRows, type PlannedRow } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { show } from '../frame/address.ts'
import { t, textsOf } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { usePages } from '../parts/load.ts'
import { Pager } from '../parts/pager.tsx'
import { faultWords } from './fault-words.ts'
import { keptNames } from './kept-names.ts'
import { inWords, useStudent } from './known.tsx'
import type { ImportRecord } from './record.ts'
import { RowNumber } from './row-parts.tsx'
import { texts } from './texts.ts'

/** Of a row that was decided about nobody is told why it was doubtful: a new child says what came of each such choice. */
const decidedTexts = textsOf<{ readonly title: string; readonly again: string; readonly isNew: string }>({
  en: {
    title: 'Your choices for rows',
    again: 'Your choice is taken back. If the row is asked about, choose anew.',
    isNew: 'A new child',
  },
  de: {
    title: 'Ihre Entscheidungen zu Zeilen',
    again: 'Ihre Entscheidung ist zurückgenommen. Wenn nach der Zeile gefragt wird, entscheiden Sie neu.',
    isNew: 'Ein neues Kind',
  },
  ar: {
    title: 'اختياراتك للأسطر',
    again: 'أُلغي اختيارك. إن سُئلت عن السطر فاختر من جديد.',
    isNew: 'طالب جديد',
  },
})

/** What was chosen for rows; each choice can be taken back. */
export function DecidedRows({ record }: { record: ImportRecord }) {
  const { items, page, of, failure, load } = usePages((asked) =>
    call(() => listImportRows({ path: { id: record.id }, query: { decided: 'true', ...asked } })),
  )
  const rows = (items ?? []).flatMap((one) => ('first' in one ? [] : [one]))
  async function askAgain({ row = 0, sheet }: PlannedRow): Promise<void> {
    const taken = { row, ...(sheet && { sheet }), decision: null }
    const isTaken = await record.patch({ decisions: [taken] }, () => decidedTexts().again)
    if (isTaken) show(new URLSearchParams({ show: 'doubtful' }))
  }
  if (failure) return <Failed what={t().failed.load} failure={failure} again={() => void load(page)} />
  if (rows.length === 0) return null
  return (
    <section class="section" aria-labelledby="decided">
      <h2 id="decided">{decidedTexts().title}</h2>
      <ul>
        {rows.map((row) => (
          <li key={`${row.sheet} ${row.row}`}>
            <RowNumber row={row} /> · <bdi>{row.called}</bdi>: <Decision row={row} />{' '}
            {row.outcome === 'refused' && <span class="under">× {faultsOf(row)}</span>}
            <button
              type="button"
              class="plain"
              aria-label={texts().changeOne(texts().rowOf(row.row ?? 0, row.sheet ?? ''))}
              onClick={() => void askAgain(row)}
            >
              {texts().change}
            </button>
          </li>
        ))}
      </ul>
      <Pager page={page} of={of} to={(next) => void load(next)} />
    </section>
  )
}

/** Why a row is not possible all the same, as with a number that two rows have. */
const faultsOf = ({ cells }: PlannedRow) =>
  cells.flatMap((cell) => (cell.code === undefined ? [] : faultWords(cell))).join(' ')

function Decision({ row }: { row: PlannedRow }) {
  const { decision, id } = row
  if (decision === 'new') return decidedTexts().isNew
  if (decision === 'leave_out') return texts().leaveOut
  const say = decision === 'same' ? texts().same : keptNames().one
  return id === undefined ? say('…') : <SameAs id={id} say={say} />
}

function SameAs({ id, say }: { id: number; say: (who: string) => string }) {
  const student = useStudent(id)
  return say(student ? inWords(student) : '…')
}
