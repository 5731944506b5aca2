import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../language/language.ts'
import { Name } from '../../parts/name.tsx'
import { columnChoices, columnLabel, usualColumns } from '../columns.ts'
import { found } from '../found.ts'
import { changeColumns } from '../query.ts'
import { texts } from './texts.ts'

/** Which columns are shown, and in which order. */
export function Screen() {
  const shownNow = () => found.value?.columns ?? []
  const inOrder = () => {
    const choices = columnChoices(found.value?.query.classIds ?? [])
    return [...shownNow(), ...choices.filter((column) => !shownNow().includes(column))]
  }
  /** All of them; one that is no longer shown keeps its place while the menu is open. */
  const order = useSignal<readonly string[]>(inOrder())
  const shown = useSignal<readonly string[]>(shownNow())
  const said = useSignal('')
  const moved = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    moved.current?.focus() // the browser takes it from what is put elsewhere
    moved.current = null
  }, [order.value])

  function put(nextOrder: readonly string[], nextShown: readonly string[]): void {
    order.value = nextOrder
    shown.value = nextShown
    changeColumns(nextOrder.filter((column) => nextShown.includes(column)))
  }

  function move(column: string, by: 1 | -1, button: HTMLElement): void {
    const next = [...order.value]
    const at = next.indexOf(column)
    if (next[at + by] === undefined) return
    next.splice(at + by, 0, ...next.splice(at, 1))
    moved.current = button
    put(next, shown.value)
    said.value = texts().place(columnLabel(column), at + by + 1)
  }

  function asUsual(): void {
    const { rows = [], query } = found.value ?? {}
    const usual = usualColumns(rows, query?.classIds ?? [])
    changeColumns(undefined)
    shown.value = usual
    order.value = [...usual, ...order.value.filter((column) => !usual.includes(column))]
  }

  const last = order.value.length - 1
  return (
    <fieldset class="chooser">
      <legend class="unseen">{t().students.columns}</legend>
      <p class="hint">{texts().columnsHint}</p>
      <p class="unseen" role="status">
        {said.value}
      </p>
      <ol>
        {order.value.map((column, at) => {
          const label = columnLabel(column)
          return (
            <li key={column} class="choice">
              <input
                type="checkbox"
                id={`column-${column}`}
                checked={shown.value.includes(column)}
                onChange={({ currentTarget: { checked } }) =>
                  put(
                    order.value,
                    checked ? [...shown.value, column] : shown.value.filter((one) => one !== column),
                  )
                }
              />
              <label for={`column-${column}`}>
                <Name>{label}</Name>
              </label>
              {([-1, 1] as const).map((by) => (
                <button
                  key={by}
                  type="button"
                  aria-label={by === -1 ? texts().up(label) : texts().down(label)}
                  aria-disabled={at === (by === -1 ? 0 : last)}
                  onClick={(event) => move(column, by, event.currentTarget)}
                >
                  {by === -1 ? '↑' : '↓'}
                </button>
              ))}
            </li>
          )
        })}
      </ol>
      <button type="button" onClick={asUsual}>
        {texts().usual}
      </button>
    </fieldset>
  )
}
