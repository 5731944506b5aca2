import type { Authority } from '../../access/authority.ts'
import { isInScope } from '../../access/scope.ts'
import { insertClass } from '../../classes/changes.ts'
import { openClasses } from '../../classes/queries.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import { lockRows } from '../../db/row-locks.ts'
import type { Db, Instant } from '../../db/tables.ts'
import type { Tx } from '../../events/log.ts'
import { type Definitions, lockDefinitions } from '../../fields/definitions.ts'
import { Problem } from '../../problems.ts'
import { changedColumns, checkSeesNoMore, type StudentPatch } from '../../students/changes.ts'
import { type ComingStudent, insertStudents } from '../../students/many.ts'
import { changeStudents } from '../../students/many-changes.ts'
import { type GivenFields, type OwnFields, readOwnFieldsBy } from '../../students/own-fields.ts'
import type { StudentRow } from '../../students/record.ts'
import { settlePair } from '../../students/settled-pairs.ts'
import { uniqueKey } from '../../text/normalise.ts'
import {
  givenBy,
  isSensitive,
  openFieldsOf,
  type PlannedChanges,
  partsOf,
  valueIn,
} from '../cells/flat-student.ts'
import { guardianColumn, plannedGuardianOf } from '../columns/guardian-columns.ts'
import { fieldsPrefix } from '../columns/prefixes.ts'
import type { ImportRow } from '../model.ts'
import { recordsById } from '../planning/matching.ts'
import type { Newcomers } from '../planning/newcomers.ts'
import { type Coming, type DueRow, ends } from './due-rows.ts'
import { classesFor } from './make-classes.ts'
import { checkStillMatched } from './still-matched.ts'

/** What a slice is applied with, inside its write. */
export interface Applying {
  readonly tx: Tx
  readonly changeSet: number
  readonly authority: Authority
  /** Whom the account sees, whether it imports for them or not. */
  readonly sight: Authority
  /** The account that applies; null: a command. */
  readonly by: number | null
  readonly now: Instant
  readonly newcomers: Newcomers
  /** Called when the rows are about to be written. */
  readonly onReady: () => void
}

/**
 * Applies rows. What each has made stands in the log, at the row's place.
 * @throws ImportEnds where a planned cell is found changed, or the account may not do it any more; Problem where the
 * records' rooms refuse it
 */
export async function applyRows(
  applying: Applying,
  imported: ImportRow,
  rows: readonly DueRow[],
): Promise<void> {
  const { tx, now, onReady } = applying
  if (imported.kind === 'students') return applyStudents(applying, imported, rows)
  onReady()
  for (const { place, changes } of rows)
    await insertClass(tx, { label: String(changes.label![1]), place }, now)
}

async function applyStudents(
  applying: Applying,
  imported: ImportRow,
  rows: readonly DueRow[],
): Promise<void> {
  const { tx, sight, newcomers, now, onReady } = applying
  const isForFields = rows.some(({ changes }) =>
    Object.keys(changes).some((one) => one.startsWith(fieldsPrefix)),
  )
  const definitions = isForFields ? await lockDefinitions(tx) : undefined
  const placed = await withClassIds(applying, rows)
  const changing = placed.filter(({ record_id }) => record_id !== null)
  const students = await lockedRecords(
    tx,
    changing.map(({ record_id }) => record_id!),
  )
  await checkStillMatched(tx, imported, changing, students)
  const moved = placed.flatMap(({ changes }) => (changes.class_id?.[1] as number | undefined) ?? [])
  const context = { ...applying, definitions, open: await openClasses(tx, moved) }
  if (changing.length < placed.length) await newcomers.look(tx, sight)

  const coming = placed.flatMap((row) =>
    row.coming === undefined ? [] : [comingOf(context, row, row.coming)],
  )
  onReady()
  const ids = await insertStudents(tx, coming, now)
  const made = new Map(ids.map((id, i) => [coming[i]!.place, id]))
  await changeStudents(
    tx,
    changing.map((row) => changingOf(context, row, students.get(row.record_id!))),
    now,
  )
  for (const { place, cells } of placed) await settle(applying, imported.id, made, { place, cells })
}

/** The rows with the id of each class that the import makes; in the plan it stands by its label. */
async function withClassIds(
  { tx, changeSet, authority, now }: Applying,
  rows: readonly DueRow[],
): Promise<DueRow[]> {
  const labels = rows.flatMap(({ changes }) =>
    typeof changes.class_id?.[1] === 'string' ? changes.class_id[1] : [],
  )
  const ids = await classesFor(tx, changeSet, authority, labels, now)
  return rows.map((row) => {
    const [from, to] = row.changes.class_id ?? []
    if (typeof to !== 'string') return row
    return { ...row, changes: { ...row.changes, class_id: [from ?? null, ids.get(uniqueKey(to))!] } }
  })
}

/** Students whom nobody else changes until the write ends. */
async function lockedRecords(tx: Tx, ids: readonly number[]): Promise<Map<number, StudentRow>> {
  await lockRows(tx, 'students', ids)
  return recordsById(tx, ids)
}

interface Context extends Applying {
  readonly definitions: Definitions | undefined
  readonly open: ReadonlySet<number>
}

function comingOf(context: Context, row: DueRow, { student, fields }: Coming): ComingStudent {
  const classId = row.changes.class_id![1] as number
  requireFor(context, row, 'students.create', classId)
  requireOpen(context, row, classId)
  const placed = { ...student, class_id: classId }
  if (context.newcomers.mayHave(placed)) throw ends(row, 'newcomer')
  return { student: placed, own: ownFieldsOf(context, row, fields, null), place: row.place }
}

function changingOf(context: Context, due: DueRow, row: StudentRow | undefined) {
  if (row === undefined) throw ends(due, 'student_gone')
  const parts = partsOf(row)
  const isChanged = ([column, [from]]: [string, PlannedChanges[string]]) =>
    JSON.stringify(valueIn(parts, column)) !== JSON.stringify(from) || isOfSomeGuardian(column, due.changes)
  if (row.version !== due.record_version && Object.entries(due.changes).some(isChanged))
    throw ends(due, 'cell_changed')
  requireFor(context, due, 'students.update', row.class_id)
  const { plain, guardians, identifiers, fields } = givenBy(parts, due.changes)
  const to = plain.class_id
  if (to !== undefined) {
    requireFor(context, due, 'students.update', to)
    requireOpen(context, due, to)
    checkSeesNoMore(context.authority, row.class_id, to)
  }
  const own = ownFieldsOf(context, due, fields, row.own_fields)
  const lists = { ...(guardians && { guardians }), ...(identifiers && { identifiers }) }
  const changed = changedColumns(row, { ...plain, ...lists } as StudentPatch, own)
  return { row, changed, own, place: due.place }
}

/** @throws ImportEnds where a field is gone, archived, or has an option no more */
function ownFieldsOf(
  { definitions }: Context,
  due: DueRow,
  fields: GivenFields | undefined,
  before: string | null,
): OwnFields | undefined {
  try {
    return fields && readOwnFieldsBy(definitions!, fields, before, true)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw ends(due, 'value_refused')
  }
}

/** Whether a guardian's part changes and the name does not: nothing tells that the one at this place is still the same. */
function isOfSomeGuardian(column: string, changes: PlannedChanges): boolean {
  const guardian = plannedGuardianOf(column)
  return guardian !== undefined && !(guardianColumn(guardian.number, 'name') in changes)
}

function requireFor(
  { authority, definitions }: Context,
  due: DueRow,
  permission: 'students.create' | 'students.update',
  classId: number,
): void {
  const open = openFieldsOf(definitions?.fields ?? [])
  const isForSensitive = Object.keys(due.changes).some((column) => isSensitive(column, open))
  const needed = isForSensitive ? ([permission, 'students.sensitive'] as const) : [permission]
  for (const one of needed)
    if (!isInScope(authority.scopeOf(one), classId)) throw ends(due, 'permission_lost', one)
}

function requireOpen({ open }: Context, due: DueRow, classId: number): void {
  if (!open.has(classId)) throw ends(due, 'class_closed')
}

/** Remembers of a new student who it is not, as was decided: a student who is there, or one whom another row made. */
async function settle(
  { tx, by, now }: Applying,
  importId: number,
  made: ReadonlyMap<number, number>,
  { place, cells }: Pick<DueRow, 'place' | 'cells'>,
): Promise<void> {
  const id = made.get(place)
  if (id === undefined) return
  const places = cells.flatMap(({ places = [] }) => places)
  const ofRows = places.length === 0 ? [] : await recordsOfRows(tx, importId, places)
  const ids = cells.flatMap(({ ids = [] }) => ids)
  const madeHere = places.flatMap((other) => made.get(other) ?? [])
  const others = [...new Set([...ids, ...ofRows, ...madeHere])].filter((other) => other !== id)
  if (others.length === 0) return
  const there = tx
    .selectFrom('students')
    .select('id')
    .where(isOneOf(tx, 'id', others))
  for (const other of await there.execute()) await settlePair(tx, id, other.id, by, now)
}

/** The students of other rows: whom they match, and whom earlier slices made. */
async function recordsOfRows(db: Db, importId: number, places: readonly number[]): Promise<number[]> {
  const matched = db
    .selectFrom('import_plan')
    .select('record_id')
    .where('import_id', '=', importId)
    .where(isOneOf(db, 'place', places))
    .where('outcome', 'in', ['change', 'unchanged'])
    .where('record_id', 'is not', null)
    .$narrowType<{ record_id: number }>()
  const made = db
    .selectFrom('events')
    .select('record_id')
    .where('change_set_id', '=', (q) =>
      q.selectFrom('imports').select('change_set_id').where('id', '=', importId).$asScalar().$notNull(),
    )
    .where(isOneOf(db, 'place', places))
    .where('record', '=', 'student')
  const rows = await matched.unionAll(made).execute()
  return rows.map(({ record_id }) => record_id)
}
