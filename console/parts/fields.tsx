import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import type { FaultParams } from '../language/en.ts'
import { t } from '../language/language.ts'

/** What is wrong with a field, in the reader's language; in the server's words where it has a new code. */
export function faultText({ code, detail, params }: FieldFault): string {
  const say: ((params: FaultParams) => string) | undefined = t().faults[code]
  return say?.((params ?? {}) as FaultParams) ?? detail
}

export const idOf = (pointer: string) => `field${pointer.replaceAll(/[^\w-]/g, '-')}`

/** The fault of a field or of a part of it. */
export const faultAt = (faults: readonly FieldFault[], pointer: string) =>
  faults.find((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))

/** The ids of the texts that are about a field. */
const describedBy = (id: string, hint: string | undefined, fault: FieldFault | undefined) =>
  [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined

interface TextFieldProps {
  readonly label: string
  readonly pointer: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly faults?: readonly FieldFault[]
  readonly hint?: string | undefined
  readonly lines?: boolean
  readonly type?: 'text' | 'email' | 'password' | 'tel'
  readonly autoComplete?: string
  readonly required?: boolean
  readonly focus?: boolean
  /** What is wrong with it, where the screen says it in its own words. */
  readonly said?: string | undefined
  /** The id of a list of values that are offered. */
  readonly list?: string
}

/** A labelled text, with its hint and its fault. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    pointer,
    value,
    onValue,
    faults = [],
    hint,
    lines,
    type = 'text',
    autoComplete = 'off',
  } = props
  const id = idOf(pointer)
  const fault = faultAt(faults, pointer)
  const place = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (props.focus) place.current?.focus()
  }, [])
  const shared = {
    id,
    ref: place,
    value,
    dir: 'auto' as const,
    required: props.required ?? false,
    'aria-invalid': fault !== undefined,
    'aria-describedby': describedBy(id, hint, fault),
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Fault id={id} fault={fault} said={props.said} />
      {lines ? (
        <textarea {...shared} spellcheck={false} />
      ) : (
        <input
          {...shared}
          type={type as 'text'}
          autocomplete={autoComplete}
          spellcheck={false}
          list={props.list}
        />
      )}
    </div>
  )
}

interface FaultProps {
  readonly id: string
  readonly fault: FieldFault | undefined
  readonly said?: string | undefined
}

export function Fault({ id, fault, said }: FaultProps) {
  if (fault === undefined) return null
  return (
    <span class="fault" id={`${id}-fault`}>
      × {said ?? faultText(fault)}
    </span>
  )
}

interface SelectFieldProps {
  readonly label: string
  readonly pointer: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly faults?: readonly FieldFault[]
  readonly hint?: string
}

/** A labelled choice of one. */
export function SelectField({
  label,
  pointer,
  value,
  onValue,
  options,
  faults = [],
  hint,
}: SelectFieldProps) {
  const id = idOf(pointer)
  const fault = faultAt(faults, pointer)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Fault id={id} fault={fault} />
      <select
        id={id}
        value={value}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy(id, hint, fault)}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** All that is wrong, above a form: it takes the focus, and leads to the fields. */
export function Summary({
  faults,
  labelOf,
}: {
  faults: readonly FieldFault[]
  labelOf: (pointer: string) => string
}) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (faults.length > 0) place.current?.focus()
  }, [faults])
  if (faults.length === 0) return null
  return (
    <div class="summary" role="alert" tabIndex={-1} ref={place}>
      <strong>{t().summary(faults.length)}</strong>
      <ul>
        {faults.map((fault) => (
          <li key={fault.pointer}>
            <a
              href={`#${idOf(fault.pointer)}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(idOf(fault.pointer))?.focus()
              }}
            >
              {labelOf(fault.pointer)}: {faultText(fault)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
