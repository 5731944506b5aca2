import { useSignal } from '@preact/signals'
import { studentPath } from '../frame/address.ts'
import { dayInWords } from '../language/dates.ts'
import { listedApart, t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { mayIn } from '../session/session.ts'
import type { Pair, Shown } from './pairs.ts'
import { texts } from './texts.ts'

/** What is compared, in this order; what neither has is left out. */
const compared = [
  'admission_number',
  'class',
  'date_of_birth',
  'preferred_name',
  'former_names',
  'gender',
  'email',
  'address',
  'guardians',
] as const
type Compared = (typeof compared)[number]

interface PairTableProps {
  readonly pair: Pair
  readonly tellApart: () => Promise<void>
}

/** Two children beside each other, and how they are told apart. */
export function PairTable({ pair: { students, reason }, tellApart }: PairTableProps) {
  const isBusy = useSignal(false)
  const [one, other] = students
  const head = `pair-${one.id}-${other.id}`
  async function settle(): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    await tellApart()
    isBusy.value = false
  }
  return (
    <section class="double" aria-labelledby={head}>
      <header>
        <h2 id={head} tabIndex={-1}>
          <Name>{one.name}</Name> · <Name>{other.name}</Name>
        </h2>
        <p class="quiet">{texts().reasons[reason]}</p>
        {students.every(({ class_id }) => mayIn('students.update', class_id)) && (
          <button type="button" aria-describedby={head} onClick={() => void settle()}>
            {texts().settle}
          </button>
        )}
      </header>
      <Scroll label={`${one.name} · ${other.name}`}>
        <table aria-labelledby={head}>
          <tbody>
            <tr>
              <th scope="row">{t().fields.name}</th>
              {students.map(({ id, name }) => (
                <td key={id}>
                  <a class="name" href={studentPath(id)}>
                    <Name>{name}</Name>
                  </a>
                </td>
              ))}
            </tr>
            {compared
              .filter((field) => students.some((student) => linesOf(student, field).length > 0))
              .map((field) => (
                <tr key={field}>
                  <th scope="row">{t().fields[field]}</th>
                  {students.map((student) => (
                    <td key={student.id}>
                      <Lines of={linesOf(student, field)} />
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

function Lines({ of: lines }: { of: readonly string[] }) {
  if (lines.length === 0) return <span class="quiet">–</span>
  return lines.map((line, place) => (
    <p key={`${place}`}>
      <bdi>{line}</bdi>
    </p>
  ))
}

/** What stands in a field, each guardian on a line; none: nothing, or nothing that the account may see. */
function linesOf(student: Shown, field: Compared): readonly string[] {
  const value = student[field]
  if (value === null || value === undefined) return []
  if (field === 'date_of_birth') return [dayInWords(String(value))]
  if (!Array.isArray(value)) return [String(value)]
  return value.map(({ name, phone }) => listedApart(phone ? [name, phone] : [name]))
}
