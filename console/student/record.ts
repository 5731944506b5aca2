import { type Signal, signal } from '@preact/signals'
import {
  type Entry,
  type Guardian,
  getStudent,
  listStudentHistory,
  type Student,
  type StudentPatch,
  undoChangeSet,
  updateStudent,
} from '../../client/src/index.ts'
import { call, type Failure, type Outcome } from '../api/calls.ts'
import { notice } from '../frame/notice.tsx'
import { t } from '../language/language.ts'
import { sentenceOf } from '../parts/failed.tsx'
import { accountOf } from '../session/session.ts'
import { type GuardianFields, type SharedChange, type Sharer, sharedChanges, sharersOfAll } from './shared.ts'

/** A student as it was read, with the entity tag that a change of it names. */
export interface Read {
  readonly student: Student
  readonly tag: string
}

/** What somebody else made of it, who, and when. */
interface Newer {
  readonly read: Read
  readonly by: string
  readonly at: string
}

/** One student on the screen. */
export class StudentRecord {
  readonly id: number
  readonly read: Signal<Read | undefined> = signal(undefined)
  readonly failure: Signal<Failure | undefined> = signal(undefined)
  /** What somebody else made of it since it was read: it is shown when one asks for it. */
  readonly newer: Signal<Newer | undefined> = signal(undefined)
  /** For each guardian, by place, the other children who share them. */
  readonly shared: Signal<readonly (readonly Sharer[])[]> = signal([])
  #sharing: Promise<readonly (readonly Sharer[])[]> = Promise.resolve([])
  /** What was changed of guardians whom other children share, and is offered for these. */
  readonly offered: Signal<readonly SharedChange[]> = signal([])
  /** How many sections are forms now: each holds the version that it was opened with. */
  readonly openForms = signal(0)
  /** Counted up by each change that was made here: the history is read again. */
  readonly changes = signal(0)

  constructor(id: number) {
    this.id = id
  }

  async load(): Promise<void> {
    const came = await this.fetch()
    this.failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return
    this.read.value = came.data
    this.newer.value = undefined
  }

  /** Looks which other children have the guardians that are shown. */
  async findSharers(): Promise<void> {
    const guardians = (this.read.value?.student.guardians ?? []) as Guardian[]
    const sharing = sharersOfAll(guardians, this.id)
    this.#sharing = sharing
    const found = await sharing
    if (this.#sharing === sharing) this.shared.value = found
  }

  /** Offers what was changed of guardians for the other children who share them. */
  async offerToOthers(before: readonly GuardianFields[], after: readonly GuardianFields[]): Promise<void> {
    this.offered.value = sharedChanges(before, after, await this.#sharing)
  }

  /** Looks whether somebody else changed it. */
  async lookAgain(): Promise<void> {
    const { value: shown } = this.read
    const came = shown && (await this.fetch())
    if (came?.is !== 'done' || came.data.tag === shown?.tag || shown !== this.read.value) return
    const entry = await newestEntry(this.id)
    this.newer.value = { read: came.data, by: entry?.by.name ?? '', at: entry?.made_at ?? '' }
  }

  /** Shows what somebody else made of it. */
  showNewer(): void {
    this.read.value = this.newer.value?.read
    this.newer.value = undefined
    this.changes.value++
  }

  /** Reads it anew, and leaves what is shown. */
  async fetch(): Promise<Outcome<Read>> {
    const came = await call(() => getStudent({ path: { id: this.id } }))
    return came.is === 'failed' ? came : { ...came, data: { student: came.data.data, tag: came.tag } }
  }

  /** Saves what a form changes, of the version that it was opened with. */
  async save(patch: StudentPatch, tag: string): Promise<Failure | undefined> {
    const came = await call(() =>
      updateStudent({ path: { id: this.id }, body: patch, headers: { 'If-Match': tag } }),
    )
    if (came.is === 'failed') return came.failure
    await this.saved()
    return undefined
  }

  /** Shows what was saved, and offers to take it back. */
  async saved(): Promise<void> {
    await this.load()
    this.changes.value++
    const changeSet = await ownChangeSet(this.id)
    notice.value = {
      text: () => t().student.saved,
      ...(changeSet !== undefined && { undo: () => void this.undo(changeSet) }),
    }
  }

  /** Takes a change set back, and says what came of it. */
  async undo(changeSet: number): Promise<void> {
    notice.value = { text: await undone(changeSet) }
    await this.load()
    this.changes.value++
  }
}

/** Takes a change set back. @returns what came of it, in the language that is shown then */
export async function undone(changeSet: number): Promise<() => string> {
  const came = await call(() => undoChangeSet({ path: { id: changeSet } }))
  if (came.is === 'failed') return () => sentenceOf(came.failure)
  const { undone, kept } = came.data.data
  if (undone.length === 0) return () => t().student.notUndone
  return () => (kept.length > 0 ? t().student.undoneInPart : t().student.undone)
}

/** The newest change set of a student, if this account made it. */
export async function ownChangeSet(id: number): Promise<number | undefined> {
  const entry = await newestEntry(id)
  return entry?.by.user_id === accountOf()?.id ? entry?.change_set_id : undefined
}

async function newestEntry(id: number): Promise<Entry | undefined> {
  const came = await call(() => listStudentHistory({ path: { id }, query: { per_page: 1 } }))
  return came.is === 'done' ? came.data.data[0] : undefined
}
