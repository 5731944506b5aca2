import { address, newStudentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { classes, may } from '../session/session.ts'
import { change, columnChoices, columnLabel, listQuery } from './query.ts'

/** What the list is filtered by, which columns it shows, and the way to a new student. */
export function Filters() {
  const texts = t().students
  const { classIds, columns } = listQuery(address.value.query)
  const withClasses = (ids: readonly number[]) => change({ class: ids.map(String) })
  const others = classes.value.filter(({ id }) => !classIds.includes(id))
  return (
    <div class="tools">
      {classIds.map((id) => {
        const label = classes.value.find((one) => one.id === id)?.label ?? String(id)
        return (
          <span class="chip" key={id}>
            <bdi>{label}</bdi>
            <button
              type="button"
              aria-label={texts.removeFilter(label)}
              onClick={() => withClasses(classIds.filter((one) => one !== id))}
            >
              ×
            </button>
          </span>
        )
      })}
      {others.length > 0 && (
        <select
          class="narrow"
          aria-label={texts.addClass}
          value=""
          onChange={(event) => {
            const { value } = event.currentTarget
            event.currentTarget.value = ''
            withClasses([...classIds, Number(value)])
          }}
        >
          <option value="">{texts.addClass}</option>
          {others.map(({ id, label, archived }) => (
            <option key={id} value={id}>
              {archived ? `${label} ·` : label}
            </option>
          ))}
        </select>
      )}
      <div class="end">
        <details class="menu-button">
          <summary>{texts.columns}</summary>
          <fieldset>
            <legend class="unseen">{texts.columns}</legend>
            {columnChoices().map((column) => (
              <div class="choice" key={column}>
                <input
                  type="checkbox"
                  id={`column-${column}`}
                  checked={columns.includes(column)}
                  onChange={({ currentTarget: { checked } }) => {
                    const next = columnChoices().filter((one) =>
                      one === column ? checked : columns.includes(one),
                    )
                    change({ columns: next.join(',') || 'none', page: address.value.query.get('page') ?? '' })
                  }}
                />
                <label for={`column-${column}`}>{columnLabel(column)}</label>
              </div>
            ))}
          </fieldset>
        </details>
        {may('students.create') && (
          <a class="button primary" href={newStudentPath} aria-keyshortcuts="n">
            {texts.add}
          </a>
        )}
      </div>
    </div>
  )
}
