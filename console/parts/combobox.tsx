import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import { Fault, faultAt, idOf } from './fields.tsx'

export type Option = readonly [value: string, label: string]

interface ComboboxProps {
  readonly label: string
  readonly pointer: string
  /** What is chosen; empty: nothing. */
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly Option[]
  /** Told what is typed, where the options are searched for elsewhere: they are shown as they come. */
  readonly onText?: (text: string) => void
  readonly faults?: readonly FieldFault[]
  readonly hint?: string | undefined
  readonly focus?: boolean
}

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** The options that hold a text: those that are it, then those that begin with it. */
function fitting(options: readonly Option[], text: string): readonly Option[] {
  const sought = folded(text)
  const rank = ([, label]: Option) => {
    const at = folded(label).indexOf(sought)
    return at === -1 ? 3 : at > 0 ? 2 : folded(label) === sought ? 0 : 1
  }
  return options.filter((option) => rank(option) < 3).sort((a, b) => rank(a) - rank(b))
}

/** A choice of one among many by typing: a list-autocomplete combobox of the ARIA Authoring Practices. */
export function Combobox(props: ComboboxProps) {
  const { label, pointer, value, options, onText, faults = [], hint } = props
  const id = idOf(pointer)
  const fault = faultAt(faults, pointer)
  /** What is typed and leads to no choice yet; undefined: the choice is shown. */
  const typed = useSignal<string | undefined>(undefined)
  const isOpen = useSignal(false)
  const at = useSignal(0)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const shown = typed.value === undefined || onText ? options : fitting(options, typed.value)
  const text = typed.value ?? options.find(([one]) => one === value)?.[1] ?? ''
  const active = isOpen.value ? shown[at.value] : undefined

  useLayoutEffect(() => {
    if (props.focus) input.current?.focus()
  }, [])
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  function choose(option: Option): void {
    typed.value = undefined
    isOpen.value = false
    props.onValue(option[0])
  }
  function type(next: string): void {
    typed.value = next
    at.value = 0
    isOpen.value = next.trim() !== ''
    if (value !== '') props.onValue('')
    onText?.(next)
  }
  function open(): void {
    isOpen.value = true
    at.value = Math.max(
      0,
      shown.findIndex(([one]) => one === value),
    )
  }
  function onKey(event: KeyboardEvent): void {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen.value) open()
      else at.value = (at.value + (key === 'ArrowDown' ? 1 : shown.length - 1)) % Math.max(1, shown.length)
    } else if (key === 'Enter' && active) choose(active)
    else if (key === 'Escape' && isOpen.value) isOpen.value = false
    else return
    event.preventDefault()
  }
  /** Leaving takes what was typed for the first that fits. */
  function leave(): void {
    if (typed.value?.trim() && shown[0] && !onText) choose(shown[0])
    isOpen.value = false
  }

  return (
    <div class="field combo">
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Fault id={id} fault={fault} />
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen.value && shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active && `${id}-${active[0]}`}
        aria-invalid={fault !== undefined}
        aria-describedby={
          [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined
        }
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onClick={open}
        onKeyDown={onKey}
        onBlur={leave}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        ref={list}
        hidden={!isOpen.value || shown.length === 0}
      >
        {isOpen.value &&
          shown.map((option, i) => (
            <div
              key={option[0]}
              id={`${id}-${option[0]}`}
              role="option"
              aria-selected={i === at.value}
              tabIndex={-1}
              onMouseDown={(event) => {
                event.preventDefault() // the focus stays in the field
                choose(option)
              }}
            >
              <bdi>{option[1]}</bdi>
            </div>
          ))}
      </div>
    </div>
  )
}
