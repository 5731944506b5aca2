import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Class } from '../../client/src/index.ts'
import type { Failure } from '../api/calls.ts'
import { code, t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { useLeaving } from '../parts/leaving.ts'
import { Name } from '../parts/name.tsx'
import { classes } from '../session/session.ts'
import { act, load, tell } from './changes.ts'
import { texts } from './texts.ts'

/** The places of classes in this order: those that they have now, dealt out anew, each greater than the one before. */
export function placesOf(order: readonly Class[]): readonly (readonly [Class, number])[] {
  const places = order.map(({ position }) => position).sort((a, b) => a - b)
  let last = -1
  return order.map((one, i) => {
    last = Math.max(places[i]!, last + 1)
    return [one, last] as const
  })
}

/** Orders the classes: by moving one, or all by name. Nothing is saved before one says so. */
export function Order({ close }: { close: () => void }) {
  const order = useSignal<readonly Class[]>(classes.value)
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  const said = useSignal('')
  const form = useRef<HTMLFormElement>(null)
  const changed = () => placesOf(order.value).filter(([{ position }, place]) => position !== place)
  useLeaving(() => changed().length > 0)
  useEffect(() => form.current?.querySelector('button')?.focus(), [])

  const shown = () => order.value.filter(({ archived }) => !archived)

  /** Moves one among those that are shown. The archived ones stay where they are. */
  function move(one: Class, by: 1 | -1): void {
    const inUse = [...shown()]
    const at = inUse.indexOf(one)
    const other = inUse[at + by]
    if (other === undefined) return
    const next = order.value.map((each) => (each === one ? other : each === other ? one : each))
    order.value = next
    said.value = texts().place(one.label, at + by + 1)
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
      failure.value = await act(one, { position })
      if (failure.value !== undefined) break
      moved.push(one.id)
    }
    isSaving.value = false
    await load()
    if (failure.value !== undefined) order.value = classes.value
    else close()
    if (moved.length > 0) await tell(texts().ordered, moved)
  }

  return (
    <form ref={form} data-save onSubmit={save}>
      <p class="quiet">{texts().orderText}</p>
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
      <div class="tools">
        <button type="button" onClick={byName}>
          {texts().byName}
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
              aria-label={texts().up(one.label)}
              aria-disabled={at === 0}
              onClick={() => move(one, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              aria-label={texts().down(one.label)}
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
