import { useSignal } from '@preact/signals'
import type { Import } from '../../client/src/index.ts'
import { mayForAll, ownFields } from '../session/session.ts'
import type { ImportRecord } from './record.ts'
import { texts } from './texts.ts'
import { answerWords, subjectOf } from './words.ts'

const ofStudents = [
  ...['name', 'given_name', 'family_name', 'preferred_name', 'former_names', 'admission_number', 'class'],
  ...['date_of_birth', 'gender', 'email', 'address', 'notes', 'id', 'class_id'],
]
const ofGuardians = ['name', 'relation', 'phone', 'email', 'address', 'note']
const mostGuardians = 10
/** How long the name of another system is at the most. */
const longestSystem = 50

type Meanings = Readonly<Record<string, string>>

/** What each column of the file means, by the keys of answers, in the order of the file: as read, or as answered. */
function meaningsOf({ decided, answers, file: { header } }: Import): Meanings {
  const all = Object.entries({ ...decided, ...answers }).filter(([key]) => key.startsWith('column.'))
  const placeOf = (key: string) => {
    const place =
      header?.findIndex((heading) => heading.trim().replace(/\s+/gu, ' ') === subjectOf(key)) ?? -1
    return place < 0 ? all.length : place
  }
  const inOrder = all.sort(([one], [other]) => placeOf(one) - placeOf(other))
  return Object.fromEntries(inOrder.map(([key, column]) => [key, String(column)]))
}

/** What a column can be answered to mean. */
function choicesFor(kind: Import['kind'], key: string, meanings: Meanings): readonly string[] {
  const now = meanings[key]!
  if (kind === 'classes') return [...new Set(['leave_out', 'label', now])]
  const heading = subjectOf(key)
  const numbers = Object.values(meanings).map((one) => Number(/^guardian_(\d+)_/.exec(one)?.[1] ?? 0))
  const guardians = Math.min(mostGuardians, Math.max(...numbers) + 1)
  return [
    ...new Set([
      'leave_out',
      ...(mayForAll('fields.manage') ? ['new_field'] : []),
      ...ofStudents,
      ...ownFields.value.filter(({ archived }) => !archived).map((field) => `fields.${field.key}`),
      ...Array.from({ length: guardians }, (_, i) =>
        ofGuardians.map((part) => `guardian_${i + 1}_${part}`),
      ).flat(),
      ...(heading.length <= longestSystem ? [`identifiers.${heading}`] : []),
      now,
    ]),
  ]
}

/** What each column of the file becomes, and the way to change it: the file is then planned anew. */
export function Columns({ record, imported }: { record: ImportRecord; imported: Import }) {
  const changed = useSignal<Meanings>({})
  const isOpen = useSignal(false)
  const meanings = meaningsOf(imported)
  const keys = Object.keys(meanings)
  if (keys.length === 0) return null
  const leftOut = Object.values(meanings).filter((one) => one === 'leave_out').length

  function onSubmit(event: Event): void {
    event.preventDefault()
    const answers = Object.fromEntries(
      Object.entries(changed.value).filter(([key, column]) => column !== meanings[key]),
    )
    if (Object.keys(answers).length > 0) void record.patch({ answers }, () => texts().columnsTaken)
  }
  return (
    <details class="section" onToggle={({ currentTarget: { open } }) => (isOpen.value = open)}>
      <summary>{texts().columnMeanings(leftOut)}</summary>
      {isOpen.value && (
        <form class="form" onSubmit={onSubmit}>
          {keys.map((key, i) => (
            <div class="field" key={key}>
              <label for={`column-${i}`}>
                <bdi>{subjectOf(key)}</bdi>
              </label>
              <select
                id={`column-${i}`}
                onChange={({ currentTarget: { value } }) => {
                  changed.value = { ...changed.value, [key]: value }
                }}
              >
                {choicesFor(imported.kind, key, meanings).map((column) => (
                  <option
                    key={column}
                    value={column}
                    selected={column === (changed.value[key] ?? meanings[key])}
                  >
                    {answerWords(key, column)}
                  </option>
                ))}
              </select>
            </div>
          ))}
          <div class="actions">
            <button type="submit" aria-disabled={record.isBusy.value}>
              {texts().takeColumns}
            </button>
          </div>
        </form>
      )}
    </details>
  )
}
