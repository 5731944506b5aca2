import { type Signal, signal } from '@preact/signals'
import {
  applyImport,
  cancelImport,
  getImport,
  type Import,
  type ImportPatch,
  type PlannedRow,
  undoImport,
  updateImport,
} from '../../client/src/index.ts'
import { call, codeOf, type Failure } from '../api/calls.ts'
import { loadClasses, loadNameParts, loadOwnFields } from '../session/session.ts'
import { type Choices, mostDecisions } from './decided.ts'
import { texts } from './texts.ts'
import { newFields } from './words.ts'

const isAtWork = (imported: Import | undefined) =>
  imported !== undefined && ['reading', 'applying', 'undoing'].includes(imported.state)

/** Whether rows wait for a choice, or may again once it is planned anew. */
const hasDoubts = ({ state, counts }: Import) =>
  state === 'reading' || (state === 'planned' && (counts?.doubtful ?? 0) > 0)

/** How long it is until a step that is at work is looked at again, in milliseconds. */
const firstLook = 300
const latestLook = 2_000

/** What changing an import answers. */
interface Changed {
  readonly data?: object | undefined
  readonly error?: unknown
  readonly response?: Response | undefined
}

/** One import on the screen: it is looked at again and again while a step is at work. */
export class ImportRecord {
  readonly id: number
  readonly read: Signal<Import | undefined> = signal(undefined)
  readonly failure: Signal<Failure | undefined> = signal(undefined)
  /** What came of the last action, for the check. */
  readonly told: Signal<(() => string) | undefined> = signal(undefined)
  readonly isBusy = signal(false)
  /** What was chosen for doubtful rows, and is not sent: it stays while the file is planned anew. */
  readonly choices: Signal<Choices> = signal({})
  /** How many questions were put here and answered: those that follow are counted on from them. */
  readonly asked = signal(0)
  /** Whether the server wants the counts repeated. */
  readonly mustConfirm = signal(false)
  #tag = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLeft = false

  constructor(id: number) {
    this.id = id
  }

  /** Ends the looking. */
  leave(): void {
    this.#isLeft = true
    clearTimeout(this.#timer)
  }

  async load(wait = firstLook): Promise<void> {
    const came = await call(() => getImport({ path: { id: this.id } }))
    if (this.#isLeft) return
    clearTimeout(this.#timer)
    if (came.is === 'failed') {
      this.failure.value = came.failure
      const goesOn = isAtWork(this.read.value) && came.failure.is === 'offline'
      if (goesOn) this.#timer = setTimeout(() => void this.load(latestLook), latestLook)
      return
    }
    this.failure.value = undefined
    this.#tag = came.tag
    const { value: before } = this.read
    if (!hasDoubts(came.data.data)) this.choices.value = {}
    this.read.value = came.data.data
    newFields.value = came.data.data.new_fields
    const { state } = came.data.data
    // It may have made classes and fields, or taken some away, and the children of others, and names in parts.
    if (before !== undefined && before.state !== state && !isAtWork(came.data.data))
      void Promise.all([loadClasses(), loadNameParts(), loadOwnFields()])
    if (isAtWork(came.data.data))
      this.#timer = setTimeout(() => void this.load(Math.min(wait * 1.5, latestLook)), wait)
  }

  /** Sends answers or decisions; the file is planned anew with them. */
  patch(body: ImportPatch, told?: () => string): Promise<boolean> {
    const path = { id: this.id }
    return this.#act(() => updateImport({ path, body, headers: { 'If-Match': this.#tag } }), told)
  }

  /**
   * Sends as many choices as one request takes; the others stay. Rows that nothing is chosen for go on waiting. What was
   * chosen for rows that wait no more, since the plan was made anew, goes.
   */
  async decide(): Promise<void> {
    const all = Object.entries(this.choices.value)
    const sent = all.slice(0, mostDecisions)
    const isAll = sent.length === this.read.value?.counts?.doubtful
    const told = () => (isAll ? texts().choicesTaken : texts().choicesSaved(sent.length))
    if (await this.patch({ decisions: sent.map(([, one]) => one) }, told))
      this.choices.value = Object.fromEntries(all.slice(mostDecisions))
    else await this.#decideOthers(all)
  }

  /** How many choices one request takes of those that were made. */
  get sentAtOnce(): number {
    return Math.min(Object.keys(this.choices.value).length, mostDecisions)
  }

  leaveOut({ row = 0, sheet }: PlannedRow): Promise<boolean> {
    const decisions = [{ row, ...(sheet && { sheet }), decision: 'leave_out' as const }]
    return this.patch({ decisions }, () => texts().choicesTaken)
  }

  async #decideOthers(all: readonly [string, Choices[string]][]): Promise<void> {
    const { value: failure } = this.failure
    const faults = (failure?.is === 'problem' && failure.problem.errors) || []
    const others = all.filter((_, i) => !faults.some(({ pointer }) => pointer === `/decisions/${i}/row`))
    if (others.length === all.length) return
    this.failure.value = undefined
    this.choices.value = Object.fromEntries(others)
    if (others.length > 0) await this.decide()
  }

  /** Sends what was answered to so many questions. */
  async answer(answers: NonNullable<ImportPatch['answers']>, questions: number): Promise<boolean> {
    const isSent = await this.patch({ answers })
    if (isSent) this.asked.value += questions
    return isSent
  }

  /** @param change the number of changes, repeated where they are many */
  async apply(change?: number): Promise<void> {
    const counts = this.read.value?.counts
    const body = {
      ...(counts?.refused && { refused: 'skip' as const }),
      ...(change !== undefined && { confirm: { change } }),
    }
    const path = { id: this.id }
    await this.#act(() => applyImport({ path, body, headers: { 'If-Match': this.#tag } }))
    const { value } = this.failure
    const code = value && codeOf(value)
    if (code === 'threshold_exceeded') {
      this.failure.value = undefined
      this.mustConfirm.value = true
    }
    if (code === 'plan_outdated' || code === 'precondition_failed') {
      await this.load()
      this.told.value = () => texts().outdated
    }
  }

  takeBack = () => this.#act(() => undoImport({ path: { id: this.id } }))
  cancel = () => this.#act(() => cancelImport({ path: { id: this.id } }))

  async #act(send: () => Promise<Changed>, told?: () => string): Promise<boolean> {
    if (this.isBusy.value) return false
    this.isBusy.value = true
    const came = await call(send)
    this.isBusy.value = false
    this.mustConfirm.value = false
    this.failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return false
    await this.load()
    this.told.value = told // of the plan that is there now
    return true
  }
}
