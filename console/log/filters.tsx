import { useSignal } from '@preact/signals'
import type { Entry } from '../../client/src/index.ts'
import { address } from '../frame/address.ts'
import { readDay, typedDay } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { accountOf, may } from '../session/session.ts'
import { accounts, calledOf } from './names.ts'
import { put } from './query.ts'
import { texts } from './texts.ts'

type Options = readonly (readonly [value: string, label: string])[]

/** What the log is narrowed to: all of it stands after `#`. */
export function Filters({ entries }: { entries: readonly Entry[] }) {
  const say = texts()
  const { query } = address.value
  const of = (name: string) => query.get(name) ?? ''
  const record = of('record') as Entry['record']
  return (
    <fieldset class="tools log-filters">
      <legend class="unseen">{say.filters}</legend>
      {may('audit.view') && (
        <Choice
          label={say.actor}
          name="actor"
          value={of('actor')}
          options={actorOptions(entries, of('actor'))}
        />
      )}
      <Choice
        label={say.record}
        name="record"
        value={record}
        options={[['', say.everything], ...Object.entries(say.records)]}
      />
      <Choice
        label={say.action}
        name="action"
        value={of('action')}
        options={[['', say.everyAction], ...Object.entries(say.actions)]}
      />
      <Day label={say.since} name="since" value={of('since')} />
      <Day label={say.until} name="until" value={of('until')} />
      {record !== undefined && of('record_id') !== '' && (
        <span class="chip">
          <bdi>{called(entries, record, Number(of('record_id')))}</bdi>
          <button
            type="button"
            aria-label={t().students.removeFilter(called(entries, record, Number(of('record_id'))))}
            onClick={() => put({ record_id: '' })}
          >
            ×
          </button>
        </span>
      )}
    </fieldset>
  )
}

/** A record is called by what the entries tell of it, where nothing else is known. */
const called = (entries: readonly Entry[], record: Entry['record'], id: number) =>
  calledOf(
    entries.find((entry) => entry.record === record && entry.record_id === id) ?? {
      ...{ record, record_id: id, changes: [] },
    },
  )

/** Everyone, oneself, the accounts that one may see, and those who are in the list. */
function actorOptions(entries: readonly Entry[], chosen: string): Options {
  const say = texts()
  const seen = new Map<string, string>()
  for (const { id, name } of accounts.value) seen.set(String(id), name)
  for (const { by } of entries)
    if (by.user_id !== undefined && !seen.has(String(by.user_id)))
      seen.set(String(by.user_id), by.name ?? say.account(by.user_id))
  if (/^\d+$/.test(chosen) && !seen.has(chosen)) seen.set(chosen, say.account(Number(chosen)))
  seen.delete(String(accountOf()?.id === Number(chosen) ? '' : accountOf()?.id))
  const sorted = [...seen].sort(([, a], [, b]) => a.localeCompare(b))
  return [['', say.everyone], ['me', say.me], ...sorted]
}

function Choice({
  label,
  name,
  value,
  options,
}: {
  label: string
  name: 'actor' | 'record' | 'action'
  value: string
  options: Options
}) {
  return (
    <div class="field">
      <label for={`log-${name}`}>{label}</label>
      <select
        id={`log-${name}`}
        value={value}
        onChange={({ currentTarget: { value } }) =>
          put(name === 'record' ? { record: value, record_id: '' } : { [name]: value })
        }
      >
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

const example = '2026-09-25'

/** A day as the reader types it; it counts when the field is left, or with Enter. */
function Day({ label, name, value }: { label: string; name: 'since' | 'until'; value: string }) {
  const isBad = useSignal(false)
  const id = `log-${name}`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        placeholder={typedDay(example)}
        value={value === '' ? '' : typedDay(value)}
        aria-invalid={isBad.value}
        aria-describedby={isBad.value ? `${id}-fault` : undefined}
        onChange={({ currentTarget: { value: typed } }) => {
          const day = typed.trim() === '' ? '' : readDay(typed)
          isBad.value = day === undefined
          if (day !== undefined) put({ [name]: day })
        }}
      />
      {isBad.value && (
        <span class="fault" id={`${id}-fault`} role="alert">
          × {texts().badDay} {texts().dayHint(typedDay(example))}
        </span>
      )}
    </div>
  )
}
