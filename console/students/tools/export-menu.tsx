import { useSignal } from '@preact/signals'
import { getStudentsCsv, getStudentsXlsx, type List } from '../../../client/src/index.ts'
import { call, type Failure } from '../../api/calls.ts'
import { code, t } from '../../language/language.ts'
import { Failed } from '../../parts/failed.tsx'
import { bytesOfCell, handFile, mostBytes } from '../../parts/hand-file.ts'
import { loadOwnFields } from '../../session/session.ts'
import { columnChoices, columnSentences, inFile, isOfColumns } from '../columns.ts'
import { found } from '../found.ts'
import type { Asked } from '../query.ts'
import { lists } from './lists.ts'
import { texts } from './texts.ts'

const formats = { xlsx: 'Excel (XLSX)', csv: 'CSV' } as const
type Format = keyof typeof formats

const nameOf = (list: List | undefined, format: Format) => {
  const day = new Date().toLocaleDateString('en-CA')
  return `${list?.name ?? texts().fileName} ${day}.${format}`
}

/** Files of all that the view finds, in its columns and its order. */
export function Screen() {
  const failure = useSignal<Failure | undefined>(undefined)
  const isAtWork = useSignal(false)
  const hasAll = useSignal(false)
  const { value } = found
  if (value === undefined) return null
  const { asked, pagination, query: view } = value
  const columns = hasAll.value ? columnChoices(view.classIds) : inFile(value.columns)
  const query = { ...asked, columns: columns.join(',') }
  const isSmall = pagination.total * columns.length * bytesOfCell <= mostBytes

  async function fetchFile(format: Format): Promise<void> {
    if (isAtWork.value) return
    isAtWork.value = true
    failure.value = undefined
    const came = await call<unknown>(() =>
      format === 'csv'
        ? getStudentsCsv({ query: { ...query, ...parametersOf(format) }, parseAs: 'blob' })
        : getStudentsXlsx({ query: { ...query, ...parametersOf(format) }, parseAs: 'blob' }),
    )
    isAtWork.value = false
    if (came.is === 'failed') {
      // Somebody has archived a field: then the view and its columns are without it.
      if (isOfColumns(came.failure)) await loadOwnFields()
      failure.value = came.failure
    } else
      handFile(
        came.data as Blob,
        nameOf(
          lists.value?.find(({ id }) => id === view.list),
          format,
        ),
      )
  }
  return (
    <div class="files">
      <p class="hint">{texts().exportHint(t().students.count(pagination.total))}</p>
      <div class="choice">
        <input
          type="checkbox"
          id="all-fields"
          checked={hasAll.value}
          onChange={(event) => (hasAll.value = event.currentTarget.checked)}
        />
        <label for="all-fields">{texts().allFields}</label>
      </div>
      <ul>
        {(Object.keys(formats) as Format[]).map((format) => (
          <li key={format}>
            <a
              href={linkOf(format, query)}
              download=""
              onClick={(event) => {
                if (!isSmall) return
                event.preventDefault()
                void fetchFile(format)
              }}
            >
              {formats[format]}
            </a>
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {isAtWork.value && texts().preparing}
      </p>
      {failure.value && (
        <Failed what={t().failed.load} failure={failure.value} sentences={columnSentences(failure.value)} />
      )}
    </div>
  )
}

/** Headings are the reader's. Spreadsheets of German readers take the semicolon for the sign between cells. */
const parametersOf = (format: Format) => ({
  headings: code.value,
  ...(format === 'csv' && code.value === 'de' && ({ delimiter: ';' } as const)),
})

function linkOf(format: Format, query: Asked): string {
  const all = { ...query, ...parametersOf(format) }
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(all))
    for (const one of [value].flat()) parameters.append(name, String(one))
  return `/api/students.${format}?${parameters}`
}
