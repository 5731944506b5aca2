import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Entry, listStudentHistory } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { dayInWords, instantInWords } from '../language/dates.ts'
import { listedApart, t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Name } from '../parts/name.tsx'
import { classes, may, ownFields, school } from '../session/session.ts'
import { guardianChanges } from './guardian-changes.ts'
import { ImportLink } from './import-link.tsx'
import { ownText } from './own-values.ts'
import type { StudentRecord } from './record.ts'

const perPage = 10

/** Who changed what, and when: the newest first. */
export function History({ record }: { record: StudentRecord }) {
  const entries = useSignal<readonly Entry[] | undefined>(undefined)
  const next = useSignal<string | null>(null)
  const failure = useSignal<Failure | undefined>(undefined)
  const { id } = record

  async function load(before?: string): Promise<void> {
    const query = { per_page: perPage, ...(before !== undefined && { before }) }
    const came = await call(() => listStudentHistory({ path: { id }, query }))
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return
    entries.value = before === undefined ? came.data.data : [...(entries.value ?? []), ...came.data.data]
    next.value = came.data.next
  }
  const { value: changes } = record.changes
  useEffect(() => void load(), [record, changes])

  const texts = t().history
  return (
    <section aria-label={t().sections.history}>
      <h2>{t().sections.history}</h2>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {entries.value?.length === 0 && <p class="quiet">{texts.none}</p>}
      <ol class="history">
        {entries.value?.map((entry) => (
          <Line key={`${entry.change_set_id} ${entry.action}`} entry={entry} record={record} />
        ))}
      </ol>
      {next.value !== null && (
        <button type="button" class="plain" onClick={() => void load(next.value!)}>
          {texts.earlier}
        </button>
      )}
    </section>
  )
}

const dayMs = 86_400_000
/** As long as the API undoes a change. */
const undoDays = 30

/** Whether the API still undoes what was made then. */
export const isRecent = (madeAt: string) => Date.now() - Date.parse(madeAt) < undoDays * dayMs

/** The import that made a change, or whose taking back did: neither is undone but as a whole, on its own screen. */
export function importOf({ import: file, kind, note }: Entry): number | undefined {
  const [, id] = (kind === 'undo' && /^of import (\d+)$/.exec(note ?? '')) || []
  return file?.id ?? (id === undefined ? undefined : Number(id))
}

/** How much of a change went back. */
export const undoneWords = (entry: Entry, howMuch: NonNullable<Entry['undone']>) =>
  t().history[importOf(entry) === undefined ? 'wasUndone' : 'takenBack'][howMuch]

function Line({ entry, record }: { entry: Entry; record: StudentRecord }) {
  const texts = t().history
  const { made_at, action, changes, hidden, undone_by, undone, kind } = entry
  const file = importOf(entry)
  const isOwn = action === 'changed' && file === undefined && may('students.update')
  const isUndoable = isOwn && undone_by === null && isRecent(made_at)
  return (
    <li>
      <p class="caption quiet">
        <time dateTime={made_at} class="number">
          {instantInWords(made_at, school.value?.time_zone ?? 'UTC')}
        </time>{' '}
        <Who entry={entry} />
        {entry.import && (
          <>
            {' · '}
            <ImportLink id={entry.import.id} said={rowWords(entry.import)} />
          </>
        )}
        {kind === 'undo' && file === undefined && ` · ${texts.undoing}`}
        {kind === 'undo' && file !== undefined && (
          <>
            {' · '}
            <ImportLink id={file} said={texts.import(file)} /> · {texts.takenBack.all}
          </>
        )}
        {undone && ` · ${undoneWords(entry, undone)}`}
      </p>
      {action !== 'changed' && <p>{action === 'created' ? texts.created : texts.removed}</p>}
      {action === 'changed' &&
        changes.map((change) => (
          <Change key={change.field} field={change.field} from={change.from} to={change.to} />
        ))}
      {action === 'changed' &&
        hidden.map((field) => (
          <span class="change" key={field}>
            {fieldLabel(field)}: <span class="quiet">{texts.hidden}</span>
          </span>
        ))}
      {isUndoable && (
        <button type="button" class="plain" onClick={() => void record.undo(entry.change_set_id)}>
          {kind === 'undo' ? texts.undoUndo : t().student.undo}
          <span class="unseen">: {changes.map(({ field }) => fieldLabel(field)).join(', ')}</span>
        </button>
      )}
    </li>
  )
}

/** An import, and the row of it that made a change. */
const rowWords = ({ id, row }: NonNullable<Entry['import']>) =>
  row === null ? t().history.import(id) : t().history.importRow(id, row)

/** Who made a change: an import is whoever applied it. */
export function Who({ entry: { by } }: { entry: Entry }) {
  const texts = t().history
  if (by.command !== undefined) return <>{texts.command(by.command)}</>
  return <Name>{by.name ?? texts.somebody}</Name>
}

export function fieldLabel(field: string): string {
  const key = /^fields\.(.*)/.exec(field)?.[1]
  if (key !== undefined) return ownFields.value.find((one) => one.key === key)?.label ?? key
  return (t().fields as Readonly<Record<string, string>>)[field] ?? field
}

/** What stood before, struck out, and what stands since. Of a list: what went, and what came. */
export function Change({ field, from, to }: { field: string; from: unknown; to: unknown }) {
  if (field === 'guardians')
    return guardianChanges(from, to).map((change) => <Difference key={change.label} {...change} />)
  const [before, after] = [partsOf(field, from), partsOf(field, to)]
  const gone = before.filter((part) => !after.includes(part)).join('; ')
  const come = after.filter((part) => !before.includes(part)).join('; ')
  return <Difference label={fieldLabel(field)} gone={gone} come={come} />
}

export function Difference({ label, gone, come }: { label: string; gone: string; come: string }) {
  return (
    <span class="change">
      <bdi>{label}</bdi>:{' '}
      {gone !== '' && (
        <del>
          <bdi>{gone}</bdi>
        </del>
      )}{' '}
      {come !== '' && (
        <ins>
          <bdi>{come}</bdi>
        </ins>
      )}
      {gone === '' && come === '' && t().history.changed}
    </span>
  )
}

/** A value as texts: each guardian, identifier or option one. */
function partsOf(field: string, value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.map(partText)
  if (field === 'class_id')
    return [classes.value.find(({ id }) => id === value)?.label ?? t().history.otherClass]
  if (field === 'name_joined') return [value ? t().student.yes : t().student.no]
  if (field === 'date_of_birth') return [dayInWords(String(value))]
  if (field.startsWith('fields.')) return [ownText(field.slice('fields.'.length), value)]
  return [String(value)]
}

const partText = (part: unknown) =>
  typeof part === 'object' && part !== null
    ? listedApart(Object.values(part).filter(Boolean).map(String))
    : String(part)
