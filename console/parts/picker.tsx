import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'

/** Something that can be chosen. */
export interface Option {
  readonly id: string
  readonly label: string
}

interface PickerProps<One extends Option> {
  readonly label: string
  /** What is offered for what was typed. */
  readonly offer: (typed: string) => readonly One[]
  readonly onChosen: (one: One) => void
  /** What is said where nothing is offered. */
  readonly none: string
  /** Told when Esc closes it. */
  readonly onClose: () => void
}

/** So many are shown; typing narrows them. */
const mostShown = 60

/** A field with a list of what fits, by the pattern "editable combobox with list autocomplete" of the APG. */
export function Picker<One extends Option>({ label, offer, onChosen, none, onClose }: PickerProps<One>) {
  const typed = useSignal('')
  const at = useSignal(0)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const shown = offer(typed.value).slice(0, mostShown)
  const active = Math.min(at.value, shown.length - 1)
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, typed.value])

  function choose(one: One | undefined): void {
    if (one === undefined) return
    typed.value = ''
    at.value = 0
    onChosen(one)
    field.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Record<string, () => void> = {
      ArrowDown: () => (at.value = Math.min(active + 1, shown.length - 1)),
      ArrowUp: () => (at.value = Math.max(active - 1, 0)),
      Enter: () => choose(shown[active]),
      Escape: onClose,
    }
    const step = steps[event.key]
    if (step === undefined || event.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    step()
  }

  return (
    <div class="picker">
      <input
        ref={field}
        type="text"
        role="combobox"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        placeholder={label}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          at.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={`${id}-list`} aria-label={label} tabIndex={-1}>
        {shown.map((one, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and takes the keys
          <div
            role="option"
            key={one.id}
            id={`${id}-${place}`}
            tabIndex={-1}
            aria-selected={place === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(one)}
          >
            <bdi>{one.label}</bdi>
          </div>
        ))}
      </div>
      <p class="hint" role="status">
        {shown.length === 0 && none}
      </p>
    </div>
  )
}
