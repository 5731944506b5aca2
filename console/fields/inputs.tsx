import type { FieldFault } from '../../client/src/index.ts'
import { listed } from '../language/language.ts'
import { idOf, SelectField, TextField } from '../parts/fields.tsx'
import type { Inputs } from '../student/inputs.tsx'
import { kindTexts } from './kind-texts.ts'
import { hasOptions, labelOf } from './records.ts'
import { SensitiveBox } from './sensitive-box.tsx'
import { texts } from './texts.ts'

const shared = ({ typed, faults, onTyped }: Inputs, pointer: string) => ({
  label: labelOf(pointer),
  pointer,
  value: typed[pointer] ?? '',
  faults,
  onValue: (value: string) => onTyped({ ...typed, [pointer]: value }),
})

/** What can be changed of a field: its name, its choices, whether it is sensitive. */
export function FieldInputs({ focus, ...inputs }: Inputs & { focus?: boolean }) {
  return (
    <>
      <TextField {...shared(inputs, '/label')} focus={focus ?? false} />
      {'/options' in inputs.typed && <Options {...inputs} />}
      <Sensitive {...inputs} />
    </>
  )
}

/** The same of a new one, with what is fixed later. */
export function NewFieldInputs(inputs: Inputs) {
  const say = texts()
  const kind = inputs.typed['/kind']!
  return (
    <>
      <TextField {...shared(inputs, '/label')} focus />
      <SelectField {...shared(inputs, '/kind')} options={Object.entries(kindTexts().kinds)} />
      {hasOptions(kind) && <Options {...inputs} />}
      <Sensitive {...inputs} />
      <TextField {...shared(inputs, '/key')} hint={say.keyHint} />
    </>
  )
}

function Options(inputs: Inputs) {
  const say = texts()
  const inUse = inputs.faults.find(({ code }) => code === 'option_in_use')
  return (
    <>
      <TextField {...shared(inputs, '/options')} hint={say.optionsHint} lines />
      {inUse && <p class="fault">{say.optionsInUse(listed(acceptedOf(inUse)))}</p>}
    </>
  )
}

function acceptedOf({ params }: FieldFault): readonly string[] {
  const { accepted } = (params ?? {}) as { accepted?: readonly string[] }
  return accepted ?? []
}

function Sensitive({ typed, onTyped }: Inputs) {
  const onTick = (isTicked: boolean) => onTyped({ ...typed, '/sensitive': isTicked ? 'yes' : '' })
  return <SensitiveBox id={idOf('/sensitive')} isTicked={typed['/sensitive'] === 'yes'} onTick={onTick} />
}
