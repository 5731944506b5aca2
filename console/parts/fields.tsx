import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldFault } from '../../client/src/index.ts'
import type { FaultParams } from '../language/en.ts'
import { t } from '../language/language.ts'

/** What is wrong with a field, in the reader's language; in the server's words where it has a new code. */
export function faultText({ code, detail, params }: FieldFault): string {
  // Nothing is there: nobody counts the characters of that.
  const isEmpty = code === 'too_short' && params?.limit === 1
  const say: ((params: FaultParams) => string) | undefined = t().faults[isEmpty ? 'required' : code]
  return say?.((params ?? {}) as FaultParams) ?? detail
}

/** A screen's own words for a fault; undefined: those that every screen has. */
export type SaysFault = (fault: FieldFault) => string | undefined

export const idOf = (pointer: string) => `field${pointer.replaceAll(/[^\w-]/g, '-')}`

/** The fault of a field or of a part of it. */
export const faultAt = (faults: readonly FieldFault[], pointer: string) =>
  faults.find((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))

/** What ties an input to its label, its hint and its fault. */
interface Tied {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

interface LabelledProps {
  readonly label: string
  readonly pointer: string
  readonly faults?: readonly FieldFault[]
  readonly hint?: string | undefined
  /** What is wrong with it, where the screen says it in its own words. */
  readonly said?: string | undefined
  /** Its class, beside `field`. */
  readonly shape?: string
  readonly children: (tied: Tied) => preact.ComponentChildren
}

/** An input with its label, what is to be known of it, and what is wrong with it. */
export function Labelled({ label, pointer, faults = [], hint, said, shape = '', children }: LabelledProps) {
  const id = idOf(pointer)
  const fault = faultAt(faults, pointer)
  const about = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class={`field ${shape}`.trim()}>
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Fault id={id} fault={fault} said={said} />
      {children({ id, 'aria-invalid': fault !== undefined, 'aria-describedby': about || undefined })}
    </div>
  )
}

type FieldProps = Omit<LabelledProps, 'children' | 'shape'> & {
  readonly value: string
  readonly onValue: (value: string) => void
}

interface TextFieldProps extends FieldProps {
  readonly lines?: boolean
  readonly type?: 'text' | 'email' | 'password' | 'tel'
  readonly autoComplete?: string
  readonly required?: boolean
  readonly focus?: boolean
  /** The id of a list of values that are offered. */
  readonly list?: string
}

/** A labelled text. */
export function TextField(props: TextFieldProps) {
  const { value, onValue, lines, type = 'text', autoComplete = 'off' } = props
  const place = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (props.focus) place.current?.focus()
  }, [])
  const shared = {
    ref: place,
    value,
    dir: 'auto' as const,
    required: props.required ?? false,
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  }
  return (
    <Labelled {...props}>
      {(tied) =>
        lines ? (
          <textarea {...tied} {...shared} />
        ) : (
          <input {...tied} {...shared} type={type as 'text'} autocomplete={autoComplete} list={props.list} />
        )
      }
    </Labelled>
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

interface SelectFieldProps extends FieldProps {
  readonly options: readonly (readonly [value: string, label: string])[]
}

/** A labelled choice of one. */
export function SelectField(props: SelectFieldProps) {
  const { value, onValue, options } = props
  return (
    <Labelled {...props}>
      {(tied) => (
        <select {...tied} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          {options.map(([one, text]) => (
            <option key={one} value={one} selected={one === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

interface SummaryProps {
  readonly faults: readonly FieldFault[]
  readonly labelOf: (pointer: string) => string
  /** What is wrong, where the screen says it in its own words: the field has the same. */
  readonly said?: SaysFault | undefined
}

/** All that is wrong, above a form: it takes the focus, and leads to the fields. */
export function Summary({ faults, labelOf, said }: SummaryProps) {
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
              {labelOf(fault.pointer)}: {said?.(fault) ?? faultText(fault)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
