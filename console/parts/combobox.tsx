import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import { Labelled } from './fields.tsx'

/** Something that can be chosen. */
export interface Option {
  readonly id: string
  readonly label: string
}

interface ComboboxProps {
  readonly label: string
  readonly pointer: string
  /** The id of what is chosen; empty: nothing. */
  readonly value: string
  readonly onValue: (id: string) => void
  readonly options: readonly Option[]
  /** Told what is typed, where the options are searched for elsewhere: they are shown as they come. */
  readonly onText?: (text: string) => void
  readonly faults?: readonly FieldFault[]
  readonly hint?: string | undefined
  readonly focus?: boolean
  /** The options are still to come: Enter chooses when they are there, and Esc after it ends it then. */
  readonly isWaiting?: boolean
  /** Where one choice follows another: the options stay open, and Esc ends it. */
  readonly again?: { readonly onClose: () => void; readonly none: string }
}

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** The options that have all words of a text: those that are it, then those that begin with it. */
function fitting(options: readonly Option[], text: string): readonly Option[] {
  const sought = folded(text)
  const words = sought.split(/\s+/)
  const rank = (label: string) => (label === sought ? 0 : label.startsWith(sought) ? 1 : 2)
  return options
    .map((option) => ({ option, label: folded(option.label) }))
    .filter(({ label }) => words.every((word) => label.includes(word)))
    .sort((a, b) => rank(a.label) - rank(b.label))
    .map(({ option }) => option)
}

/** A choice among many by typing: a list-autocomplete combobox of the ARIA Authoring Practices. */
export function Combobox(props: ComboboxProps) {
  const { label, value, options, onText, again } = props
  /** What is typed and leads to no choice yet; undefined: the choice is shown. */
  const typed = useSignal<string | undefined>(undefined)
  const wasOpened = useSignal(false)
  const at = useSignal(0)
  const wasEntered = useRef(false)
  const wasEnded = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const shown = typed.value === undefined || onText ? options : fitting(options, typed.value)
  const text = typed.value ?? options.find(({ id }) => id === value)?.label ?? ''
  const isOpen = again !== undefined || wasOpened.value
  const place = Math.min(at.value, shown.length - 1)
  const active = isOpen ? shown[place] : undefined

  useLayoutEffect(() => {
    if (props.focus) input.current?.focus()
  }, [])
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  useLayoutEffect(() => {
    if (props.isWaiting || !wasEntered.current) return
    wasEntered.current = false
    if (active) choose(active)
    if (wasEnded.current) again?.onClose()
  })

  function choose({ id }: Option): void {
    typed.value = undefined
    wasOpened.value = false
    at.value = 0
    props.onValue(id)
  }
  function type(next: string): void {
    typed.value = next
    wasEntered.current = false
    wasEnded.current = false
    at.value = 0
    wasOpened.value = next.trim() !== ''
    if (value !== '') props.onValue('')
    onText?.(next)
  }
  function open(): void {
    wasOpened.value = true
    at.value = Math.max(
      0,
      shown.findIndex(({ id }) => id === value),
    )
  }
  function onKey(event: KeyboardEvent): void {
    const { key } = event
    if (event.isComposing) return
    if (key === 's' && (event.ctrlKey || event.metaKey)) leave() // the form is saved next
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen) open()
      else at.value = (place + (key === 'ArrowDown' ? 1 : shown.length - 1)) % Math.max(1, shown.length)
    } else if (key === 'Enter' && active) choose(active)
    else if (key === 'Enter' && props.isWaiting) wasEntered.current = text.trim() !== ''
    else if (key === 'Escape' && wasEntered.current) wasEnded.current = true
    else if (key === 'Escape' && again) again.onClose()
    else if (key === 'Escape' && isOpen) wasOpened.value = false
    else return
    event.preventDefault()
  }
  /** Leaving takes what was typed for the first that fits. */
  function leave(): void {
    if (again) return
    if (typed.value?.trim() && shown[0] && !onText) choose(shown[0])
    wasOpened.value = false
  }

  return (
    <Labelled {...props} shape={again ? 'combo open' : 'combo'}>
      {({ id, ...tied }) => (
        <>
          <input
            ref={input}
            id={id}
            {...tied}
            type="text"
            role="combobox"
            dir="auto"
            autocomplete="off"
            spellcheck={false}
            placeholder={again && label}
            aria-autocomplete="list"
            aria-expanded={isOpen && shown.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={active && `${id}-${place}`}
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
            tabIndex={-1}
            ref={list}
            hidden={!isOpen || shown.length === 0}
          >
            {isOpen &&
              shown.map((option, i) => (
                <div
                  key={option.id}
                  id={`${id}-${i}`}
                  role="option"
                  aria-selected={i === place}
                  tabIndex={-1}
                  onMouseDown={(event) => {
                    event.preventDefault() // the focus stays in the field
                    choose(option)
                  }}
                >
                  <bdi>{option.label}</bdi>
                </div>
              ))}
          </div>
          {again && (
            <p class="hint" role="status">
              {shown.length === 0 && again.none}
            </p>
          )}
        </>
      )}
    </Labelled>
  )
}
