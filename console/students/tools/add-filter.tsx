import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listStudents, type StudentRow } from '../../../client/src/index.ts'
import { call } from '../../api/calls.ts'
import { address } from '../../frame/address.ts'
import { dayInWords, readDay, typedDay } from '../../language/dates.ts'
import { t } from '../../language/language.ts'
import { TextField } from '../../parts/fields.tsx'
import { change, type ListQuery, listQuery } from '../query.ts'
import { type Asking, filterOptions } from './filter-options.ts'
import { texts } from './texts.ts'

export { filterOptions }

/** Adds what was chosen. @returns what is to be asked for first; undefined: nothing */
export function add(sought: string, query: ListQuery): Asking | undefined {
  const one = filterOptions(query).find(({ id }) => id === sought)
  if (one === undefined) return undefined
  if ('asks' in one) return one.asks
  if ('filter' in one) change({ [one.filter[0]]: one.filter[1] })
  else change({ class: [...query.classIds, one.classId].map(String) })
  return undefined
}

const example = '2015-03-25'
const leastDigits = 4

/** Asks for the value of a filter. */
export function AskValue({ name, close }: { name: Asking; close: () => void }) {
  const typed = useSignal('')
  const fault = useSignal<(() => string) | undefined>(undefined)
  const known: Signal<readonly string[]> = useSignal([])
  const pointer = `/filter-${name.replace('.', '-')}`
  const isDay = name.startsWith('date_of_birth')
  useEffect(() => {
    if (name === 'gender') void gendersInUse().then((genders) => (known.value = genders))
  }, [])

  function faultOf(value: string): (() => string) | undefined {
    if (value === '') return () => t().faults.required()
    if (isDay) {
      const day = readDay(value)
      if (day === undefined) return () => t().faults.invalid_format()
      const { filters } = listQuery(address.value.query)
      const bounds = new Map([...filters, [name, day]])
      const [from = '', to = from] = [bounds.get('date_of_birth.from'), bounds.get('date_of_birth.to')]
      return from > to ? () => texts().order : undefined
    }
    const isShort =
      name === 'guardian' && !/\p{L}|@/u.test(value) && value.replace(/\D/g, '').length < leastDigits
    return isShort ? () => texts().guardianShort : undefined
  }

  function add(event: Event): void {
    event.preventDefault()
    const value = typed.value.trim()
    fault.value = faultOf(value)
    if (fault.value !== undefined) return
    change({ [name]: isDay ? readDay(value) : value })
    close()
  }
  const day = isDay ? readDay(typed.value) : undefined
  const dayHint = day === undefined ? t().student.dateHint(typedDay(example)) : dayInWords(day)
  return (
    <form class="asked form" onSubmit={add} noValidate>
      <TextField
        focus
        label={texts().asks[name]}
        pointer={pointer}
        value={typed.value}
        hint={isDay ? dayHint : name === 'guardian' ? texts().guardianHint : texts().genderHint}
        faults={fault.value ? [{ pointer, code: 'invalid', detail: '' }] : []}
        said={fault.value?.()}
        list="genders"
        onValue={(value) => (typed.value = value)}
      />
      <datalist id="genders">
        {known.value.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <div class="actions">
        <button type="submit" class="primary">
          {texts().add}
        </button>
        <button type="button" data-cancel onClick={close}>
          {texts().cancel}
        </button>
      </div>
    </form>
  )
}

/** The words that the records have, of so many students. */
async function gendersInUse(): Promise<readonly string[]> {
  const { classIds } = listQuery(address.value.query)
  const asked = { columns: 'gender', per_page: 250, class_id: [...classIds] }
  const came = await call(() => listStudents({ query: { ...asked, 'gender.empty': 'false' } }))
  return came.is === 'done'
    ? [...new Set((came.data.data as readonly StudentRow[]).flatMap(({ gender }) => gender ?? []))]
    : []
}
