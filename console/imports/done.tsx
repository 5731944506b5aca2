import { useSignal } from '@preact/signals'
import type { Import } from '../../client/src/index.ts'
import { address, studentsPath } from '../frame/address.ts'
import { dayInWords } from '../language/dates.ts'
import { Later } from '../parts/later.tsx'
import { useReturn } from '../parts/leaving.ts'
import { school } from '../session/session.ts'
import { Download } from './download.tsx'
import { KeptRows } from './kept.tsx'
import { lastDay, lastMoment } from './last-day.ts'
import type { ImportRecord } from './record.ts'
import { Rows } from './rows.tsx'
import { texts } from './texts.ts'
import { pathOf } from './words.ts'

/** Who takes more rows back than these types how many. */
const fewRows = 50

const loadMissing = async () => ({ Screen: (await import('./missing.tsx')).Missing })
const loadConfirm = async () => ({ Screen: (await import('./confirm.tsx')).Confirm })

/** How an import ended, and what can be done about it. */
export function Done({ record, imported }: { record: ImportRecord; imported: Import }) {
  const { state, counts, failure, emptied, updated_at, kind, change_set_id } = imported
  const isBack = state === 'undone' || (state === 'failed' && counts !== null)
  const shown = unwritten.find((outcome) => outcome === address.value.query.get('show'))
  const hasWritten = change_set_id !== null || (counts !== null && counts.create + counts.change > 0)
  const told = useSignal<readonly string[] | undefined>(undefined)
  useReturn(told.value !== undefined, () => document.querySelector('.atwork .actions button'))
  const written = (counts?.create ?? 0) + (counts?.change ?? 0)
  async function takeBack(): Promise<void> {
    const { beforeTakeBack } = await import('./before-take-back.ts')
    const all = await beforeTakeBack(imported)
    if (written > fewRows) told.value = all
    else if (confirm(all.join('\n\n'))) await record.takeBack()
  }
  return (
    <>
      <div class="section atwork">
        {state === 'applied' && counts && (
          <p class="said">
            <strong>✓ {texts().states.applied}:</strong>{' '}
            {hasWritten ? texts().written(counts.create, counts.change) : texts().nothingWritten}
          </p>
        )}
        {state === 'applied' && !emptied && <Unwritten imported={imported} />}
        {state === 'undone' && (
          <p class="said">
            ↶ {texts().takenBack} {counts && undoneWords(counts)}
          </p>
        )}
        {state === 'cancelled' && <p>{texts().discarded}</p>}
        {(state === 'failed' || state === 'refused') && (
          <p class="fault" role="alert">
            × {state === 'refused' ? texts().notImported : failedWords(imported)}
          </p>
        )}
        {failure && <Later load={() => import('./failure.tsx')} given={failure} />}
        {emptied && state !== 'cancelled' && state !== 'refused' && <p class="quiet">{texts().emptied}</p>}
        {!emptied &&
          (state === 'applied' || state === 'undone') &&
          unwritten.map(
            (outcome) =>
              counts !== null &&
              counts[outcome] > 0 && <Download key={outcome} imported={imported} outcome={outcome} />,
          )}
        <div class="actions">
          {state === 'applied' && hasWritten && lastMoment(updated_at) >= new Date() && (
            <>
              <button type="button" aria-disabled={record.isBusy.value} onClick={() => void takeBack()}>
                {texts().takeBack}
              </button>
              <span class="hint">
                {texts().until(dayInWords(lastDay(updated_at, school.value?.time_zone)))}
              </span>
            </>
          )}
          {state === 'applied' ? (
            <a href={kind === 'classes' ? '#/classes' : studentsPath}>
              {kind === 'classes' ? texts().toClasses : texts().toStudents}
            </a>
          ) : (
            <a class="button" href={pathOf(kind)}>
              {texts().again}
            </a>
          )}
        </div>
      </div>
      {state === 'applied' && told.value && (
        <Later
          load={loadConfirm}
          given={{
            step: 'takeBack' as const,
            count: written,
            told: told.value,
            onConfirmed: () => void record.takeBack(),
            onCancelled: () => (told.value = undefined),
          }}
        />
      )}
      {state === 'applied' && !emptied && counts !== null && counts.missing > 0 && (
        <Later key="missing" load={loadMissing} given={{ imported }} />
      )}
      {state === 'applied' && !emptied && shown && <Rows key={shown} imported={imported} outcome={shown} />}
      {isBack && !emptied && <KeptRows imported={imported} />}
    </>
  )
}

/** Without counts nothing was planned, so nothing was written; or its rows are erased, and nobody can tell. */
function failedWords({ counts, emptied }: Import): string {
  return counts === null && !emptied ? texts().nothingKept : texts().failedBack
}

/** How many rows went and went back; to whoever is not told of it, how many had been written. */
function undoneWords({ create, change, kept_create, kept_change }: NonNullable<Import['counts']>): string {
  if (kept_create === undefined || kept_change === undefined) return texts().hadWritten(create, change)
  const [removed, back, kept] = [create - kept_create, change - kept_change, kept_create + kept_change]
  return kept === 0 ? texts().undoneAll(removed, back) : texts().undone(removed, back, kept)
}

/** The outcomes of which nothing was written, for want of the file or by choice. */
const unwritten = ['refused', 'left_out'] as const

/** How many rows were not written, with the way to them. */
function Unwritten({ imported: { id, counts } }: { imported: Import }) {
  const say = { left_out: texts().leftOut, refused: texts().notPossible }
  const shown = address.value.query.get('show')
  const some = unwritten.filter((outcome) => (counts?.[outcome] ?? 0) > 0)
  if (some.length === 0) return null
  return (
    <ul class="counts">
      {some.map((outcome) => (
        <li key={outcome}>
          <a href={`#/imports/${id}?show=${outcome}`} aria-current={outcome === shown ? 'true' : undefined}>
            {say[outcome](counts![outcome])}
          </a>
        </li>
      ))}
    </ul>
  )
}
