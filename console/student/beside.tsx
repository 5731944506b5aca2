import { useSignal } from '@preact/signals'
import type { Failure } from '../api/calls.ts'
import { studentPath, studentsPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { found, goBeyond, placeOf } from '../students/found.ts'

/** The way back to the list, and to the students beside, also where the page of the list ends. */
export function Beside({ id }: { id: number }) {
  const texts = t().student
  const place = placeOf(id)
  const failure = useSignal<Failure | undefined>(undefined)
  async function turn(by: -1 | 1): Promise<void> {
    failure.value = await goBeyond(by)
  }
  return (
    <>
      <nav class="apart" aria-label={t().students.title}>
        <span>
          <a href={found.value?.hash || studentsPath}>{t().backToStudents}</a>
          {place && <span class="quiet number"> · {texts.position(place.place, place.total)}</span>}
        </span>
        {place && (
          <span class="actions">
            <Step to={place.previous} label={texts.previous} turn={() => void turn(-1)} />
            <Step to={place.next} label={texts.next} turn={() => void turn(1)} />
          </span>
        )}
      </nav>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} />}
    </>
  )
}

interface StepProps {
  readonly to: number | 'beyond' | undefined
  readonly label: string
  readonly turn: () => void
}

function Step({ to, label, turn }: StepProps) {
  if (to === undefined) return null
  if (to !== 'beyond') return <a href={studentPath(to)}>{label}</a>
  return (
    <button type="button" class="plain" onClick={turn}>
      {label}
    </button>
  )
}
