import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Entry, type UndoResult, undoChangeSet } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { type RoomName, studentPath } from '../frame/address.ts'
import { instantInWords } from '../language/dates.ts'
import { code, t } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { Failed } from '../parts/failed.tsx'
import { rooms } from '../rooms.tsx'
import { may } from '../session/session.ts'
import { importOf, isRecent, undoneWords, Who } from '../student/history.tsx'
import { Changes, fieldLabel } from './changes.tsx'
import { calledOf, nameOf } from './names.ts'
import { put, zone } from './query.ts'
import { texts } from './texts.ts'

/** How many records of a change set are shown until one asks for all. */
const fewRecords = 5

/** The records of which a change set can be undone, and what its undo needs; the server decides all the same. */
const neededToUndo: Partial<Record<Entry['record'], string>> = {
  student: 'students.update',
  class: 'classes.manage',
  double: 'students.update',
}

interface ChangeSetProps {
  readonly entries: readonly Entry[]
  /** Outside of the log: it narrows nothing, of a new record it tells no fields, and of an import no records. */
  readonly isBrief: boolean
  /** What came of its undo, if that was asked for last. */
  readonly undone: UndoResult | undefined
  readonly onUndone: (result: UndoResult) => void
}

/** What one request, import or command changed: who, when, and record by record from what to what. */
export function ChangeSet({ entries, isBrief, undone, onUndone }: ChangeSetProps) {
  const isWhole = useSignal(false)
  const failure = useSignal<Failure | undefined>(undefined)
  const say = texts()
  const first = entries[0]!
  const { change_set_id: id, made_at, kind, note } = first
  const howMuch = howMuchOf(entries)
  const file = importOf(first)
  const told = isBrief && file !== undefined ? [] : entries
  const shown = isWhole.value ? told : told.slice(0, fewRecords)
  const more = told.length - shown.length

  async function undo(): Promise<void> {
    const came = await call(() => undoChangeSet({ path: { id } }))
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'done') onUndone(came.data.data)
  }

  return (
    <li>
      <p class="caption quiet">
        <time dateTime={made_at} class="number">
          {instantInWords(made_at, zone())}
        </time>{' '}
        <Maker entry={first} isBrief={isBrief} />
        {(kind === 'undo' || file !== undefined) && ' · '}
        {file !== undefined && <ImportLink id={file} />}
        {kind === 'undo' && file === undefined && t().history.undoing}
        {file !== undefined && kind === 'undo' && ` · ${t().history.takenBack.all}`}
        {howMuch && ` · ${undoneWords(first, howMuch)}`}
        {kind === 'export' && note !== null && (
          <>
            {' · '}
            <bdi>{note}</bdi>
          </>
        )}
      </p>
      {shown.map((entry) => (
        <RecordChange
          key={`${entry.record} ${entry.record_id} ${entry.action}`}
          entry={entry}
          isBrief={isBrief}
          isOneOfMany={entries.length > 1}
        />
      ))}
      {more > 0 && (
        <button type="button" class="plain" onClick={() => (isWhole.value = true)}>
          {say.more(numberIn(code.value, more))}
        </button>
      )}
      {isUndoable(entries) && (
        <button type="button" class="plain" onClick={() => void undo()}>
          {kind === 'undo' ? t().history.undoUndo : t().student.undo}
          <span class="unseen">: {calledOf(first)}</span>
        </button>
      )}
      {failure.value && <Failed what={t().failed.save} failure={failure.value} sentences={say.problems} />}
      {undone && <Undone result={undone} />}
    </li>
  )
}

/** How much of a change set went back, by those of its records that are shown; undefined: nobody undid it. */
function howMuchOf(entries: readonly Entry[]): Entry['undone'] {
  const [howMuch, ...others] = new Set(entries.map(({ undone }) => undone))
  return others.length === 0 ? howMuch : 'some'
}

const isUndoable = (entries: readonly Entry[]) =>
  entries.every((entry) => {
    const { record, undone_by, made_at } = entry
    const needed = neededToUndo[record]
    const isOurs = needed !== undefined && may(needed)
    return isOurs && undone_by === null && importOf(entry) === undefined && isRecent(made_at)
  })

/** Where an import is taken back, for who may go there. */
function ImportLink({ id }: { id: number }) {
  const name = t().history.import(id)
  return rooms.imports.isFor() ? <a href={`#/imports/${id}`}>{name}</a> : <span>{name}</span>
}

interface Told {
  readonly entry: Entry
  readonly isBrief: boolean
}

/** Who made it; for who may read the log, the way to all that they changed. */
function Maker({ entry, isBrief }: Told) {
  const { by } = entry
  if (by.user_id === undefined) {
    return by.command === undefined ? <span>{texts().nobody}</span> : <Who entry={entry} />
  }
  if (!may('audit.view') || isBrief) return <Who entry={entry} />
  return (
    <button
      type="button"
      class="plain"
      aria-label={texts().only(by.name ?? texts().account(by.user_id))}
      onClick={() => put({ actor: String(by.user_id) })}
    >
      <Who entry={entry} />
    </button>
  )
}

/** Where a record has a screen of its own, for who may see it. */
function pathOf(record: Entry['record'], id: number): string | undefined {
  if (record === 'student' && may('students.view')) return studentPath(id)
  const screens: Partial<Record<Entry['record'], RoomName>> = {
    account: 'accounts',
    role: 'roles',
    field: 'fields',
  }
  const room = screens[record]
  return room !== undefined && rooms[room].isFor() ? `#/${room}/${id}` : undefined
}

/** A record and what became of it. */
function RecordChange({ entry, isBrief, isOneOfMany }: Told & { readonly isOneOfMany: boolean }) {
  const say = texts()
  const { record, record_id: id, action, undone } = entry
  const name = nameOf(entry)
  const path = pathOf(record, id)
  return (
    <div class="record-change">
      <p>
        {say.records[record]}{' '}
        {path !== undefined && action !== 'removed' ? (
          <a href={path}>
            <bdi>{name || id}</bdi>
          </a>
        ) : (
          record !== 'school' && <bdi class="called">{name || id}</bdi>
        )}{' '}
        <span class="quiet">
          {say.actions[action]}
          {isOneOfMany && undone && undone !== 'all' && ` · ${undoneWords(entry, undone)}`}
        </span>
        {!isBrief && record !== 'school' && record !== 'export' && (
          <button
            type="button"
            class="plain only"
            aria-label={say.onlyThis(calledOf(entry))}
            onClick={() => put({ record, record_id: String(id) })}
          >
            {say.onlyShort}
          </button>
        )}
      </p>
      {!(isBrief && action === 'created') && <Changes entry={entry} />}
    </div>
  )
}

/** What an undo did, and what it left as it is. */
function Undone({ result: { undone, kept } }: { result: UndoResult }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.focus(), [])
  const texts_ = t().student
  const said = undone.length === 0 ? texts_.notUndone : kept.length > 0 ? texts_.undoneInPart : texts_.undone
  return (
    <div class={kept.length > 0 ? 'check' : 'done'} role="status" tabIndex={-1} ref={place}>
      <p>{said}</p>
      {kept.length > 0 && (
        <>
          <p>{texts().kept}</p>
          <ul>
            {kept.map(({ record, record_id, fields }) => (
              <li key={`${record} ${record_id}`}>
                <bdi>
                  {texts().keptFields(
                    calledOf({ record, record_id, changes: [] }),
                    fields.map((field) => fieldLabel(record, field)).join(', '),
                  )}
                </bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
