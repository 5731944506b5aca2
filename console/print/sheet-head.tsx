import { dayInWords } from '../language/dates.ts'
import { today } from '../language/zones.ts'
import { Name } from '../parts/name.tsx'
import { school } from '../session/session.ts'

interface SheetHeadProps {
  readonly title: readonly string[]
  /** How many there are; a record has no number. */
  readonly count?: string
  readonly columns: number
}

/** The row that stands first on each page: the school, what is printed, the day, how many. */
export function SheetHead({ title, count, columns }: SheetHeadProps) {
  return (
    <tr>
      <td class="sheet-head" colSpan={columns}>
        <p>
          <Name>{school.value?.name ?? ''}</Name>
          <span class="number">{dayInWords(today(school.value?.time_zone ?? 'UTC'))}</span>
        </p>
        <p>
          <strong>
            {title.map((part, i) => (
              <span key={part}>
                {i > 0 && ' · '}
                <Name>{part}</Name>
              </span>
            ))}
          </strong>
          {count && <span class="number">{count}</span>}
        </p>
      </td>
    </tr>
  )
}
