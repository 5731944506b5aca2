import { getSchool, type School, type SchoolPatch, updateSchool } from '../../client/src/index.ts'
import { call, type Failure, type Outcome } from '../api/calls.ts'
import { instantInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { EditForm, type ReadRecord } from '../parts/edit-form.tsx'
import { Failed } from '../parts/failed.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { useLoaded } from '../parts/load.ts'
import { school } from '../session/session.ts'
import type { Typed } from '../student/form.ts'
import type { Inputs } from '../student/inputs.tsx'
import { texts } from './texts.ts'

const exampleZone = 'Europe/Berlin'

async function fetchSchool(): Promise<Outcome<ReadRecord<School>>> {
  const came = await call(() => getSchool())
  return came.is === 'failed' ? came : { ...came, data: { record: came.data.data, tag: came.tag } }
}

const allOf = ({ name, address, time_zone, name_order }: School): Typed => ({
  '/name': name ?? '',
  '/address': address ?? '',
  '/time_zone': time_zone,
  '/name_order': name_order,
})

function labelOf(pointer: string): string {
  const { name, address, timeZone, nameOrder } = texts()
  const labels: Typed = {
    '/name': name,
    '/address': address,
    '/time_zone': timeZone,
    '/name_order': nameOrder,
  }
  return labels[pointer] ?? pointer
}

/** The order of names is shown by its example. */
const shownOf = (pointer: string, value: string) =>
  pointer === '/name_order' ? texts().orders[value as School['name_order']] : value

/** Sends what was changed. @returns why not */
async function send(
  typed: Typed,
  changed: readonly string[],
  { tag }: ReadRecord<School>,
): Promise<Failure | undefined> {
  const values = changed.map((pointer) => {
    const text = typed[pointer]!.trim()
    const isNone = text === '' && (pointer === '/name' || pointer === '/address')
    return [pointer.slice(1), isNone ? null : text] as const
  })
  const body = Object.fromEntries(values) as SchoolPatch
  const came = await call(() => updateSchool({ body, headers: { 'If-Match': tag } }))
  return came.is === 'failed' ? came.failure : undefined
}

interface SchoolFormProps {
  /** Which of its fields are asked for; without it, all. */
  readonly only?: readonly string[]
  /** What is put into the form beforehand. */
  readonly propose?: (school: School) => Typed
  readonly onSaved: () => void
  /** Where one may go on without it, and what the buttons say then. */
  readonly skip?: {
    readonly to: () => void
    readonly labels: { readonly save: string; readonly close: string }
  }
}

/** What the school says of itself, as a form. */
export function SchoolForm({ only, propose, onSaved, skip }: SchoolFormProps) {
  const { data: read, failure, load } = useLoaded(fetchSchool)
  const typedOf = (record: School) =>
    Object.fromEntries(Object.entries(allOf(record)).filter(([pointer]) => only?.includes(pointer) !== false))
  return (
    <>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {read.value && (
        <EditForm
          opened={read.value}
          typedOf={typedOf}
          {...(propose && { proposed: propose(read.value.record) })}
          labelOf={labelOf}
          shownOf={shownOf}
          fetch={fetchSchool}
          send={send}
          onSaved={({ record }) => {
            school.value = record
            onSaved()
          }}
          {...(skip && { close: skip.to, labels: skip.labels })}
          inputs={(inputs) => <SchoolInputs {...inputs} />}
        />
      )}
    </>
  )
}

function SchoolInputs({ typed, faults, onTyped }: Inputs) {
  const say = texts()
  const shared = (pointer: string) => ({
    label: labelOf(pointer),
    pointer,
    value: typed[pointer] ?? '',
    faults,
    onValue: (value: string) => onTyped({ ...typed, [pointer]: value }),
  })
  return (
    <>
      <TextField {...shared('/name')} hint={say.nameHint} />
      <TextField {...shared('/address')} lines />
      <TextField {...shared('/time_zone')} hint={zoneHint(typed['/time_zone'] ?? '')} list="time-zones" />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {'/name_order' in typed && (
        <SelectField
          {...shared('/name_order')}
          hint={say.nameOrderHint}
          options={(['given_first', 'family_first'] as const).map((one) => [one, say.orders[one]] as const)}
        />
      )}
    </>
  )
}

/** How a zone is written, and what time it is there as soon as it is known. */
function zoneHint(zone: string): string {
  const example = texts().timeZoneHint(exampleZone)
  try {
    return `${example} ${texts().timeZoneNow(instantInWords(new Date().toISOString(), zone.trim()))}`
  } catch {
    return example
  }
}
