import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Failure } from '../api/calls.ts'
import { code, t } from '../language/language.ts'
import { Failed } from './failed.tsx'
import { useLeaving } from './leaving.ts'
import { Name } from './name.tsx'

/** A record that stands in an order with others. */
interface Placed {
  readonly id: number
  readonly label: string
  readonly position: number
  readonly archived: boolean
}

/** The places of records in this order: those that they have now, dealt out anew, each greater than the one before. */
export function placesOf<One extends Placed>(order: readonly One[]): readonly (readonly [One, number])[] {
  const places = order.map(({ position }) => position).sort((a, b) => a - b)
  let last = -1
  return order.map((one, i) => {
    last = Math.max(places[i]!, last + 1)
    return [one, last] as const
  })
}

interface OrderProps<One> {
  /** The records as they stand now. */
  readonly records: () => readonly One[]
  /** What is said of the order. */
  readonly say: {
    readonly orderText: string
    readonly byName: string
    readonly up: (label: string) => string
    readonly down: (label: string) => string
    readonly place: (label: string, place: number) => string
  }
  /** Gives one another place. @returns why not */
  readonly put: (one: One, position: number) => Promise<Failure | undefined>
  /** Reads the records anew. */
  readonly load: () => Promise<unknown>
  /** Told which were moved. */
  readonly onMoved: (moved: readonly number[]) => void
  readonly close: () => void
}

/** Orders records: by moving one, or all by name. Nothing is saved before one says so. */
export function Order<One extends Placed>({ records, say, put, load, onMoved, close }: OrderProps<One>) {
  const order = useSignal<readonly One[]>(records())
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  const said = useSignal('')
  const form = useRef<HTMLFormElement>(null)
  const changed = () => placesOf(order.value).filter(([{ position }, place]) => position !== place)
  useLeaving(() => changed().length > 0)
  useLayoutEffect(() => form.current?.querySelector('button')?.focus(), [])

  const shown = () => order.value.filter(({ archived }) => !archived)

  /** Moves one among those that are shown. The archived ones stay where they are. */
  function move(one: One, by: 1 | -1): void {
    const inUse = [...shown()]
    const at = inUse.indexOf(one)
    const other = inUse[at + by]
    if (other === undefined) return
    const next = order.value.map((each) => (each === one ? other : each === other ? one : each))
    order.value = next
    said.value = say.place(one.label, at + by + 1)
  }

  function byName(): void {
    const { compare } = new Intl.Collator(code.value, { numeric: true })
    const sorted = [...shown()].sort((a, b) => compare(a.label, b.label))
    order.value = order.value.map((one) => (one.archived ? one : sorted.shift()!))
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    isSaving.value = true
    failure.value = undefined
    const moved: number[] = []
    for (const [one, position] of changed()) {
      failure.value = await put(one, position)
      if (failure.value !== undefined) break
      moved.push(one.id)
    }
    isSaving.value = false
    await load()
    if (failure.value !== undefined) order.value = records()
    else close()
    if (moved.length > 0) onMoved(moved)
  }

  return (
    <form ref={form} data-save onSubmit={save}>
      <p class="quiet">{say.orderText}</p>
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
      <div class="tools">
        <button type="button" onClick={byName}>
          {say.byName}
        </button>
        <button type="submit" class="primary" aria-disabled={isSaving.value} aria-keyshortcuts="Control+S">
          {isSaving.value ? t().student.saving : t().student.save}
        </button>
        <button type="button" data-cancel onClick={close}>
          {t().student.cancel}
        </button>
      </div>
      <p class="unseen" role="status">
        {said.value}
      </p>
      <ol class="rows">
        {shown().map((one, at, all) => (
          <li key={one.id}>
            <button
              type="button"
              aria-label={say.up(one.label)}
              aria-disabled={at === 0}
              onClick={() => move(one, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              aria-label={say.down(one.label)}
              aria-disabled={at === all.length - 1}
              onClick={() => move(one, 1)}
            >
              ↓
            </button>
            <Name>{one.label}</Name>
          </li>
        ))}
      </ol>
    </form>
  )
}
