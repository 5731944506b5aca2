import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Import } from '../../client/src/index.ts'
import { address, show } from '../frame/address.ts'
import { dayInWords } from '../language/dates.ts'
import { code, textsOf } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { Later } from '../parts/later.tsx'
import { useReturn } from '../parts/leaving.ts'
import { school } from '../session/session.ts'
import { Columns } from './columns.tsx'
import { lastDay } from './last-day.ts'
import { leavingIn } from './left-out.tsx'
import type { ImportRecord } from './record.ts'
import type { Outcome } from './row-parts.tsx'
import { Rows } from './rows.tsx'
import { texts } from './texts.ts'

/** The outcomes, with a sign each; what needs a person stands first where nothing was chosen. */
const signs = {
  ...{ create: '+', change: '~', unchanged: '=', doubtful: '?', refused: '×', left_out: '−', missing: '!' },
} as const
type Shown = keyof typeof signs
const outcomes = Object.keys(signs) as Shown[]

const loadDoubts = async () => ({ Screen: (await import('./doubts.tsx')).Doubts })
const loadConfirm = async () => ({ Screen: (await import('./confirm.tsx')).Confirm })
const loadNotices = async () => ({ Screen: (await import('./notices.tsx')).Notices })
const loadWarnings = async () => ({ Screen: (await import('./warned.tsx')).Warnings })
const loadFind = async () => ({ Screen: (await import('./find.tsx')).Find })
const loadDownload = async () => ({ Screen: (await import('./download.tsx')).Download })
const loadAnswers = async () => ({ Screen: (await import('./answers.tsx')).Answers })

/** Where a file of whole classes changes nothing, the list of who is missing in it is kept all the same. */
const finish = textsOf<string>({
  en: 'Finish and keep the list',
  de: 'Abschließen und die Liste behalten',
  ar: 'إنهاء مع الاحتفاظ بالقائمة',
})

/** So many are looked through faster than typed. */
const fewRows = 25

/** The third step: what would be written. Nothing is, before the button says so. */
export function Check({ record, imported }: { record: ImportRecord; imported: Import }) {
  const counts = imported.counts!
  const { choices } = record
  const skips = useSignal(true)
  const missed = useSignal<'rows' | 'refused' | undefined>(undefined)
  const summary = useRef<HTMLDivElement>(null)
  const asked = address.value.query.get('show') as Shown | null
  // Once all doubts are settled, what changes children who are there is looked at first.
  const isSettled = asked === 'doubtful' && counts.doubtful === 0
  const overwrites = imported.warnings.some(({ code }) => /^other_(children|names|dates)$/.test(code))
  const first =
    isSettled || (overwrites && counts.doubtful === 0)
      ? (['change', 'create'] as const)
      : (['doubtful', 'create', 'change', 'refused'] as const)
  const shown =
    (asked !== null && counts[asked] > 0 ? asked : undefined) ??
    first.find((one) => counts[one] > 0) ??
    'unchanged'
  const mayFind = imported.kind === 'students' && counts.rows > fewRows
  const isFinding = mayFind && address.value.query.has('find')
  const chosen = Object.values(choices.value)
  const until = lastDay(new Date().toISOString(), school.value?.time_zone)
  const open = counts.doubtful - chosen.length
  const toWrite = counts.create + counts.change
  const mayWrite = toWrite + counts.doubtful > 0
  const isStillMissed = missed.value === 'rows' ? open > 0 : missed.value !== undefined && !skips.value
  useLayoutEffect(() => summary.current?.focus(), [missed.value])
  useReturn(record.mustConfirm.value, () => document.querySelector('.in-sight .primary'))

  function go(): void {
    missed.value = undefined
    if (open > 0) missed.value = 'rows'
    else if (chosen.length > 0) void record.decide()
    else if (counts.refused > 0 && !skips.value) missed.value = 'refused'
    else void record.apply()
    if (missed.value === 'rows') show(new URLSearchParams({ show: 'doubtful', open: `${open}` }))
  }
  return (
    <>
      {record.told.value && (
        <p class="check" role="status">
          {record.told.value()}
        </p>
      )}
      <p class="said">
        <strong>{texts().nothingYet}</strong> <span class="number">{texts().total(counts.rows)}</span>
      </p>
      <nav aria-label={texts().shown}>
        <ul class="counts">
          {outcomes
            .filter((one) => counts[one] > 0)
            .map((one) => (
              <li key={one}>
                <a
                  class={one}
                  href={`#/imports/${imported.id}?show=${one}`}
                  aria-current={one === shown && !isFinding ? 'true' : undefined}
                >
                  <span aria-hidden="true">{signs[one]}</span> {numberIn(code.value, counts[one])}{' '}
                  {texts().outcomes[one]}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      {isStillMissed && (
        <div class="summary" role="alert" tabIndex={-1} ref={summary}>
          <strong>{missed.value === 'rows' ? texts().rowsToChoose(open) : texts().skipFirst}</strong>
          <a
            href={missed.value === 'rows' ? '#row' : '#skips'}
            onClick={(event) => {
              event.preventDefault()
              const place = missed.value === 'rows' ? 'fieldset[aria-describedby] input' : '#skips'
              document.querySelector<HTMLElement>(place)?.focus()
            }}
          >
            {missed.value === 'rows' ? texts().chooseRow : texts().skipRefused(counts.refused)}
          </a>
        </div>
      )}
      <Later key="notices" load={loadNotices} given={{ record, imported }} />
      {mayFind && <Later key="find" load={loadFind} given={{ record, imported }} />}
      {isFinding ? null : shown === 'doubtful' ? (
        <Later
          key="doubts"
          load={loadDoubts}
          given={{ record, imported, isMissed: missed.value === 'rows' }}
        />
      ) : (
        <Rows key={shown} imported={imported} outcome={shown as Outcome} leaving={leavingIn(record)} />
      )}
      <Columns record={record} imported={imported} />
      {counts.refused > 0 && (
        <div class="section atwork">
          <div class="choice">
            <input
              type="checkbox"
              id="skips"
              checked={skips.value}
              onChange={() => (skips.value = !skips.value)}
            />
            <label for="skips">{texts().skipRefused(counts.refused)}</label>
          </div>
          <Later load={loadDownload} given={{ imported }} />
        </div>
      )}
      {record.mustConfirm.value ? (
        <Later
          key="confirm"
          load={loadConfirm}
          given={{
            step: 'change' as const,
            count: counts.change,
            onConfirmed: () => void record.apply(counts.change),
            onCancelled: () => (record.mustConfirm.value = false),
          }}
        />
      ) : (
        <div class="section actions in-sight">
          {mayWrite ? (
            <>
              {open > 0 && <strong class="doubt">? {texts().rowsToChoose(open)}</strong>}
              <button type="button" class="primary" aria-disabled={record.isBusy.value} onClick={go}>
                {open > 0
                  ? texts().toChoices
                  : chosen.length > 0
                    ? texts().takeChoices(chosen.length)
                    : texts().importRows(toWrite)}
              </button>
              {open > 0 && chosen.length > 0 && (
                <button
                  type="button"
                  aria-disabled={record.isBusy.value}
                  onClick={() => void record.decide()}
                >
                  {texts().saveChoices(record.sentAtOnce)}
                </button>
              )}
            </>
          ) : (
            <>
              <strong>{texts().nothingToWrite}</strong>
              {counts.missing > 0 && (
                <button type="button" class="primary" aria-disabled={record.isBusy.value} onClick={go}>
                  {finish()}
                </button>
              )}
            </>
          )}
          {mayWrite && <span class="hint">{texts().untilThen(dayInWords(until))}</span>}
          <button
            type="button"
            aria-disabled={record.isBusy.value}
            onClick={() => confirm(texts().discardAsk) && void record.cancel()}
          >
            {texts().discard}
          </button>
        </div>
      )}
      <Later key="warnings" load={loadWarnings} given={{ imported }} />
      <Later key="answers" load={loadAnswers} given={{ record, imported }} />
    </>
  )
}
