import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { getStudent, type Student } from '../../client/src/index.ts'
import { call, codeOf, type Failure } from '../api/calls.ts'
import { studentPath } from '../frame/address.ts'
import { dayInWords } from '../language/dates.ts'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Name } from '../parts/name.tsx'
import { texts } from './texts.ts'

interface RefusalProps {
  readonly failure: Failure | undefined
  readonly save: (otherThan: readonly number[]) => Promise<void>
  readonly open: (id: number) => void
}

/** A child like this is there already, or the number is taken: by whom, and what to do. */
export function Refusal({ failure, save, open }: RefusalProps) {
  const say = texts()
  if (failure === undefined) return null
  const code = codeOf(failure)
  const { ids = [], holder } = failure.is === 'problem' ? failure.problem : {}
  if (code === 'admission_number_taken' && holder)
    return (
      <div class="check" role="alert">
        <p>
          ? {say.taken(isolated(holder.name), isolated(holder.class))}{' '}
          <a href={studentPath(holder.id)}>{say.open}</a>
        </p>
      </div>
    )
  if (code !== 'possible_duplicate') return <Failed what={t().failed.save} failure={failure} />
  return <Doubles ids={ids} save={save} open={open} />
}

const mostShown = 5

/** Who may be there already. As the summary of faults, it takes the focus: one saves below, out of sight of it. */
function Doubles({ ids, save, open }: Omit<RefusalProps, 'failure'> & { readonly ids: readonly number[] }) {
  const say = texts()
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.focus(), [])
  return (
    <div class="check" role="alert" tabIndex={-1} ref={place}>
      <strong>? {say.double}</strong>
      <ul>
        {ids.slice(0, mostShown).map((id) => (
          <Double key={id} id={id} open={() => open(id)} />
        ))}
      </ul>
      <div class="actions">
        <button type="button" onClick={() => void save(ids)}>
          {say.anotherChild}
        </button>
      </div>
    </div>
  )
}

/** A child who may be the one, and the way there: what was typed goes along. */
function Double({ id, open }: { id: number; open: () => void }) {
  const student = useSignal<Student | undefined>(undefined)
  useEffect(() => {
    void call(() => getStudent({ path: { id } })).then((came) => {
      if (came.is === 'done') student.value = came.data.data
    })
  }, [id])
  const { value } = student
  return (
    <li class="actions">
      <button type="button" onClick={open}>
        {texts().thisChild}
      </button>
      {value && (
        <span>
          <strong>
            <Name>{value.name}</Name>
          </strong>{' '}
          <bdi class="number">{value.admission_number}</bdi> · <bdi>{value.class}</bdi>
          {value.date_of_birth && ` · ${dayInWords(value.date_of_birth)}`}
        </span>
      )}
    </li>
  )
}
