import { useSignal } from '@preact/signals'
import type { Import } from '../../client/src/index.ts'
import { Later } from '../parts/later.tsx'
import type { ImportRecord } from './record.ts'
import { texts } from './texts.ts'
import { subjectOf } from './words.ts'

export interface ColumnsProps {
  readonly record: ImportRecord
  readonly imported: Import
}

export type Meanings = Readonly<Record<string, string>>

/** What each column of the file means, by the keys of answers, in the order of the file: as read, or as answered. */
export function meaningsOf({ decided, answers, file: { header } }: Import): Meanings {
  const all = Object.entries({ ...decided, ...answers }).filter(([key]) => key.startsWith('column.'))
  const placeOf = (key: string) => {
    const place =
      header?.findIndex((heading) => heading.trim().replace(/\s+/gu, ' ') === subjectOf(key)) ?? -1
    return place < 0 ? all.length : place
  }
  const inOrder = all.sort(([one], [other]) => placeOf(one) - placeOf(other))
  return Object.fromEntries(inOrder.map(([key, column]) => [key, String(column)]))
}

/** How many columns are left out, and behind that what each becomes. */
export function Columns(given: ColumnsProps) {
  const isOpen = useSignal(false)
  const columns = Object.values(meaningsOf(given.imported))
  if (columns.length === 0) return null
  const leftOut = columns.filter((one) => one === 'leave_out').length
  return (
    <details class="section" onToggle={({ currentTarget: { open } }) => (isOpen.value = open)}>
      <summary>{texts().columnMeanings(leftOut)}</summary>
      {isOpen.value && <Later load={() => import('./columns-form.tsx')} given={given} />}
    </details>
  )
}
