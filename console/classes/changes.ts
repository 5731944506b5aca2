import {
  type Class,
  type ClassPatch,
  createClass,
  deleteClass,
  getClass,
  type ListAuditResponses,
  listAudit,
  updateClass,
} from '../../client/src/index.ts'
import { call, codeOf, type Failure, type Outcome } from '../api/calls.ts'
import { notice } from '../frame/notice.tsx'
import { asShown, type ReadRecord } from '../parts/edit-form.tsx'
import { classes, loadClasses, mayIn } from '../session/session.ts'
import { undone } from '../student/record.ts'

/** Whether the account may order and archive this class. */
export const mayManage = (id: number) => mayIn('classes.manage', id)

/** Reads the classes anew, for every screen. @returns why not */
export async function load(): Promise<Failure | undefined> {
  const came = await loadClasses()
  return came.is === 'failed' ? came.failure : undefined
}

/** A class, with the tag that a change of it names. */
export async function fetchClass(id: number): Promise<Outcome<ReadRecord<Class>>> {
  const came = await call(() => getClass({ path: { id } }))
  return came.is === 'failed' ? came : { ...came, data: { record: came.data.data, tag: came.tag } }
}

/** Changes a class as it was read. @returns why not */
export async function change(id: number, body: ClassPatch, tag: string): Promise<Failure | undefined> {
  const came = await call(() => updateClass({ path: { id }, body, headers: { 'If-Match': tag } }))
  return came.is === 'failed' ? came.failure : undefined
}

/** Changes or removes a class of the version that the list shows. @returns why not */
export async function act(shown: Class, what: ClassPatch | 'remove'): Promise<Failure | undefined> {
  const read = await fetchClass(shown.id)
  if (read.is === 'failed') return read.failure
  const headers = asShown(read.data, shown)
  const path = { id: shown.id }
  const came =
    what === 'remove'
      ? await call(() => deleteClass({ path, headers }))
      : await call(() => updateClass({ path, body: what, headers }))
  return came.is === 'failed' ? came.failure : undefined
}

/** The classes in use that have none of these labels, and nobody in them. */
export const unusedBut = (labels: readonly string[]): readonly Class[] =>
  classes.value.filter(
    ({ label, archived, students }) => !archived && students === 0 && !labels.includes(label),
  )

/** Removes those of them in which nobody ever was. @returns which, and why it ended */
export async function removeUnused(
  labels: readonly string[],
): Promise<{ ids: readonly number[]; failure: Failure | undefined }> {
  const ids: number[] = []
  for (const one of unusedBut(labels)) {
    const failure = await act(one, 'remove')
    if (failure === undefined) ids.push(one.id)
    else if (codeOf(failure) !== 'class_in_use') return { ids, failure } // somebody was in it: it stays
  }
  return { ids, failure: undefined }
}

/** A class that is to be made: its key makes it once, however often it is sent. */
interface Wanted {
  readonly label: string
  readonly key: string
}

/** @returns its id */
export async function make({ label, key }: Wanted): Promise<Outcome<number>> {
  const came = await call(() => createClass({ body: { label }, headers: { 'Idempotency-Key': key } }))
  return came.is === 'failed' ? came : { ...came, data: came.data.data.id }
}

/** Says what was done, and offers to take it back: the newest change of each class, where this account made it. */
export async function tell(text: () => string, ids: readonly number[]): Promise<void> {
  const sets = new Map<number, number>()
  const query = { actor: 'me', record: 'class', per_page: Math.min(100, ids.length) } as const
  for (let before: string | null = ''; before !== null && sets.size < ids.length; ) {
    const came: Outcome<AuditPage> = await call(() =>
      listAudit({ query: { ...query, ...(before && { before }) } }),
    )
    if (came.is === 'failed') break
    const { data, next } = came.data
    for (const { record_id, change_set_id } of data)
      if (ids.includes(record_id) && !sets.has(record_id)) sets.set(record_id, change_set_id)
    before = sets.size > 0 && data.length > 0 ? next : null
  }
  const undo = async () => {
    let said = () => ''
    for (const set of sets.values()) said = await undone(set)
    await loadClasses()
    notice.value = { text: said }
  }
  notice.value = { text, ...(sets.size === ids.length && { undo: () => void undo() }) }
}

type AuditPage = ListAuditResponses[200]
