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
import { type Choices, type Chosen, mostDecisions, placeOf } from './decided.ts'
import type { Place } from './left-out.tsx'
import { texts } from './texts.ts'
import { newFields } from './words.ts'

const isAtWork = (imported: Import | undefined) =>
  imported !== undefined && ['reading', 'applying', 'undoing'].includes(imported.state)

/** Whether rows may wait for a choice, or may again once it is planned anew. */
const takesChoices = ({ state }: Import) => ['reading', 'question', 'planned'].includes(state)

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
  /** How many choices went, since their rows wait for none in the plan that is there now. */
  readonly dropped = signal(0)
  /** How many questions were put here and answered: those that follow are counted on from them. */
  readonly asked = signal(0)
  /** Whether the server wants the counts repeated. */
  readonly mustConfirm = signal(false)
  /** Where a row was left out, until one goes on there. */
  leftAt: Place | undefined
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
    if (!takesChoices(came.data.data)) this.choices.value = {}
    if (came.data.data.state === 'planned' && came.tag !== this.#tag && !(await this.#dropDecided())) return
    this.#tag = came.tag
    const { value: before } = this.read
    this.read.value = came.data.data
    newFields.value = came.data.data.new_fields
    const { state } = came.data.data
    // It may have made classes and fields, or taken some away, and the children of others, and names in parts.
    if (before !== undefined && before.state !== state && !isAtWork(came.data.data))
      void Promise.all([loadClasses(), loadNameParts(), loadOwnFields()])
    if (isAtWork(came.data.data))
      this.#timer = setTimeout(() => void this.load(Math.min(wait * 1.5, latestLook)), wait)
  }

  /**
   * Sends answers or decisions; the file is planned anew with them. As many choices as one request takes go along: the
   * new plan may ask about their rows no more.
   */
  patch({ decisions = [], ...answers }: ImportPatch, told?: () => string): Promise<boolean> {
    const all = Object.values(this.choices.value)
    const sent = this.read.value?.state === 'planned' ? all.slice(0, mostDecisions - decisions.length) : []
    const body = { ...answers, decisions: [...decisions, ...sent] }
    const send = () => updateImport({ path: { id: this.id }, body, headers: { 'If-Match': this.#tag } })
    return this.#act(send, told, sent)
  }

  /** Sends as many choices as one request takes; the others stay. Rows that nothing is chosen for go on waiting. */
  async decide(): Promise<void> {
    const { sentAtOnce: count } = this
    const isAll = count === this.read.value?.counts?.doubtful
    await this.patch({}, () => (isAll ? texts().choicesTaken : texts().choicesSaved(count)))
  }

  /** How many choices one request takes of those that were made. */
  get sentAtOnce(): number {
    return Math.min(Object.keys(this.choices.value).length, mostDecisions)
  }

  async leaveOut({ row = 0, sheet }: PlannedRow, place: Place): Promise<void> {
    const decisions = [{ row, ...(sheet && { sheet }), decision: 'leave_out' as const }]
    this.leftAt = place
    if (!(await this.patch({ decisions }, () => texts().choicesTaken))) this.leftAt = undefined
  }

  /** Where a row was just left out. */
  takeLeftAt(): Place | undefined {
    const { leftAt } = this
    this.leftAt = undefined
    return leftAt
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

  /** Drops choices for rows that wait for none: somebody else's decision stands. @returns false where it cannot be told which */
  async #dropDecided(): Promise<boolean> {
    if (Object.keys(this.choices.value).length === 0) return true
    const { doubtfulRows } = await import('./doubtful-rows.ts')
    const came = await doubtfulRows(this.id)
    if ('is' in came) this.failure.value = came
    else {
      const places = new Set(came.map(placeOf))
      const all = Object.entries(this.choices.value)
      const open = all.filter(([place]) => places.has(place))
      this.choices.value = Object.fromEntries(open)
      this.dropped.value = all.length - open.length
    }
    return !('is' in came || this.#isLeft)
  }

  /** @param sent the choices that are saved where it is done */
  async #act(
    send: () => Promise<Changed>,
    told?: () => string,
    sent: readonly Chosen[] = [],
  ): Promise<boolean> {
    if (this.isBusy.value) return false
    this.isBusy.value = true
    const came = await call(send)
    this.isBusy.value = false
    this.mustConfirm.value = false
    this.failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') return false
    const open = Object.entries(this.choices.value).filter(([, one]) => !sent.includes(one))
    this.choices.value = Object.fromEntries(open)
    this.dropped.value = 0
    await this.load()
    this.told.value = told // of the plan that is there now
    return true
  }
}
