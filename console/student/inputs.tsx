import type { Field, FieldFault } from '../../client/src/index.ts'
import { dayInWords, readDay, typedDay } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Fault, faultAt, idOf, SelectField, TextField } from '../parts/fields.tsx'
import { classes, ownFields } from '../session/session.ts'
import {
  type ChildField,
  guardianFields,
  guardianPlaces,
  linedFields,
  type Typed,
  withGuardian,
  withoutGuardian,
} from './form.ts'

/** What every input of a form is given. */
export interface Inputs {
  readonly typed: Typed
  readonly onTyped: (typed: Typed) => void
  readonly faults: readonly FieldFault[]
}

const example = '2015-03-25'

/** A field of the child. */
export function ChildInput({
  name,
  typed,
  onTyped,
  faults,
  focus,
}: Inputs & { name: ChildField; focus?: boolean }) {
  const pointer = `/${name}`
  const value = typed[pointer] ?? ''
  const shared = {
    label: t().fields[name],
    pointer,
    value,
    faults,
    onValue: (next: string) => onTyped({ ...typed, [pointer]: next }),
  }
  if (name === 'class_id') return <Combobox {...shared} options={classOptions(value)} />
  if (name === 'date_of_birth') return <TextField {...shared} hint={dayHint(value)} />
  return (
    <TextField
      {...shared}
      lines={linedFields.has(name)}
      type={name === 'email' ? 'email' : 'text'}
      focus={focus ?? false}
    />
  )
}

/** The classes that take students, and the one that the student is in. */
const classOptions = (chosen: string) =>
  classes.value
    .filter(({ id, archived }) => !archived || String(id) === chosen)
    .map(({ id, label }) => ({ id: String(id), label }))

/** The day in words as soon as it can be read; until then, how one is written. */
function dayHint(typed: string): string {
  const day = readDay(typed)
  return day === undefined ? t().student.dateHint(typedDay(example)) : dayInWords(day)
}

/** The guardians, each in a frame of its own. */
export function GuardianInputs({ typed, onTyped, faults }: Inputs) {
  const texts = t().student
  return (
    <>
      {guardianPlaces(typed).map((place) => {
        const which = typed[`/guardians/${place}/name`] || texts.guardian(place + 1)
        return (
          <fieldset class="guardian" key={place}>
            <legend class="unseen">{texts.guardian(place + 1)}</legend>
            <div class="pair">
              {guardianFields.map((name) => {
                const pointer = `/guardians/${place}/${name}`
                return (
                  <TextField
                    key={name}
                    label={t().fields[name]}
                    pointer={pointer}
                    value={typed[pointer] ?? ''}
                    type={name === 'phone' ? 'tel' : name === 'email' ? 'email' : 'text'}
                    lines={name === 'address' || name === 'note'}
                    faults={faults}
                    onValue={(value) => onTyped({ ...typed, [pointer]: value })}
                  />
                )
              })}
            </div>
            <button type="button" class="plain" onClick={() => onTyped(withoutGuardian(typed, place))}>
              {texts.removeGuardian(which)}
            </button>
          </fieldset>
        )
      })}
      <div>
        <button type="button" onClick={() => onTyped(withGuardian(typed))}>
          {texts.addGuardian}
        </button>
      </div>
    </>
  )
}

/** The school's own fields. */
export function OwnInputs(inputs: Inputs) {
  const fields = ownFields.value.filter(({ key }) => `/fields/${key}` in inputs.typed)
  return (
    <>
      {fields.map((field) => (
        <OwnInput key={field.key} field={field} {...inputs} />
      ))}
    </>
  )
}

function OwnInput({ field, typed, onTyped, faults }: Inputs & { field: Field }) {
  const texts = t().student
  const { key, label, kind } = field
  const options = (field.options ?? []) as readonly string[]
  const pointer = `/fields/${key}`
  const value = typed[pointer] ?? ''
  const onValue = (next: string) => onTyped({ ...typed, [pointer]: next })
  const shared = { label, pointer, value, faults, onValue }
  if (kind === 'yes_no') {
    const choices = [
      ['', texts.notAsked],
      ['true', texts.yes],
      ['false', texts.no],
    ] as const
    return <SelectField {...shared} options={choices} />
  }
  if (kind === 'one_of')
    return (
      <SelectField
        {...shared}
        options={[['', texts.notEntered], ...options.map((one) => [one, one] as const)]}
      />
    )
  if (kind === 'several_of') return <SeveralInput {...shared} options={options} />
  if (kind === 'date') return <TextField {...shared} hint={dayHint(value)} />
  return <TextField {...shared} lines={kind === 'text_in_lines'} />
}

function SeveralInput({
  label,
  pointer,
  value,
  options,
  faults,
  onValue,
}: {
  label: string
  pointer: string
  value: string
  options: readonly string[]
  faults: readonly FieldFault[]
  onValue: (value: string) => void
}) {
  const chosen = value === '' ? [] : value.split('\n')
  const id = idOf(pointer)
  return (
    <fieldset class="field" id={id} tabIndex={-1}>
      <legend>{label}</legend>
      <Fault id={id} fault={faultAt(faults, pointer)} />
      {options.map((option, i) => (
        <div class="choice" key={option}>
          <input
            type="checkbox"
            id={`${id}-${i}`}
            checked={chosen.includes(option)}
            onChange={({ currentTarget: { checked } }) =>
              onValue(options.filter((one) => (one === option ? checked : chosen.includes(one))).join('\n'))
            }
          />
          <label for={`${id}-${i}`}>{option}</label>
        </div>
      ))}
    </fieldset>
  )
}
