import { useSignal } from '@preact/signals'
import type { Import } from '../../client/src/index.ts'
import { mayForAll, ownFields } from '../session/session.ts'
import { type ColumnsProps, type Meanings, meaningsOf } from './columns.tsx'
import { guardianParts, longestSystem, mostGuardians, studentColumns } from './known-columns.ts'
import { newFieldIn } from './new-field.ts'
import { NewFieldTraits } from './new-field-traits.tsx'
import { answerWords } from './question-words.ts'
import { texts } from './texts.ts'
import { subjectOf } from './words.ts'

/** What a column can be answered to mean. */
function choicesFor(kind: Import['kind'], key: string, meanings: Meanings): readonly string[] {
  const now = shortened(meanings[key]!)
  if (kind === 'classes') return [...new Set(['leave_out', 'label', now])]
  const heading = subjectOf(key)
  const numbers = Object.values(meanings).map((one) => Number(/^guardian_(\d+)_/.exec(one)?.[1] ?? 0))
  const guardians = Math.min(mostGuardians, Math.max(...numbers) + 1)
  return [
    ...new Set([
      'leave_out',
      ...(mayForAll('fields.manage') ? ['new_field'] : []),
      ...studentColumns,
      ...ownFields.value.filter(({ archived }) => !archived).map((field) => `fields.${field.key}`),
      ...Array.from({ length: guardians }, (_, i) =>
        guardianParts.map((part) => `guardian_${i + 1}_${part}`),
      ).flat(),
      ...(heading.length <= longestSystem ? [`identifiers.${heading}`] : []),
      now,
    ]),
  ]
}

/** A list offers a new field once, of whichever kind. */
const shortened = (answer: string) => (newFieldIn(answer) ? 'new_field' : answer)

/** What each column of the file becomes, and the way to change it: the file is then planned anew. */
export function Screen({ record, imported }: ColumnsProps) {
  const changed = useSignal<Meanings>({})
  const meanings = meaningsOf(imported)
  const meantBy = (key: string) => changed.value[key] ?? meanings[key]!

  function onSubmit(event: Event): void {
    event.preventDefault()
    const isChanged = ([key, column]: readonly [string, string]) => column !== meanings[key]
    // Which guardian a column is of may follow from the other columns: all of them are meant as they stand here.
    const shown = Object.entries({ ...meanings, ...changed.value })
    const taken = new Set(shown.filter(isChanged).map(([, column]) => column))
    const answers = shown.filter(
      (one) => isChanged(one) || (one[1].startsWith('guardian_') && !taken.has(one[1])),
    )
    if (answers.some(isChanged))
      void record.patch({ answers: Object.fromEntries(answers) }, () => texts().columnsTaken)
  }
  return (
    <form class="form" onSubmit={onSubmit}>
      {Object.keys(meanings).map((key, i) => (
        <div class="field" key={key}>
          <label for={`column-${i}`}>
            <bdi>{subjectOf(key)}</bdi>
          </label>
          <select
            id={`column-${i}`}
            onChange={({ currentTarget: { value } }) => {
              const before = meanings[key]!
              changed.value = { ...changed.value, [key]: value === shortened(before) ? before : value }
            }}
          >
            {choicesFor(imported.kind, key, meanings).map((column) => (
              <option key={column} value={column} selected={column === shortened(meantBy(key))}>
                {answerWords(key, column)}
              </option>
            ))}
          </select>
          <NewFieldTraits
            name={String(i)}
            answer={meantBy(key)}
            take={(answer) => {
              changed.value = { ...changed.value, [key]: answer }
            }}
          />
        </div>
      ))}
      <div class="actions">
        <button type="submit" aria-disabled={record.isBusy.value}>
          {texts().takeColumns}
        </button>
      </div>
    </form>
  )
}
