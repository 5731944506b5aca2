import type { Import, PlannedRow, Student } from '../../client/src/index.ts'
import { isolated } from '../language/isolated.ts'
import { listed } from '../language/language.ts'
import { ownText } from '../student/own-values.ts'
import { Called, useStudent } from './known.tsx'
import { Who } from './row-parts.tsx'
import { Rows } from './rows.tsx'
import { texts } from './texts.ts'
import { columnWords, keptWords, valueWords } from './words.ts'

/** The rows of which taking an import back left something as it is. */
export const KeptRows = ({ imported }: { imported: Import }) => (
  <Rows
    imported={imported}
    kept={(row) =>
      row.id === undefined || imported.kind === 'classes' ? (
        <>
          {imported.kind === 'students' && (
            <td>
              <Made row={row} />
            </td>
          )}
          <td>{keptOf(row)}</td>
        </>
      ) : (
        <OfStudent row={row} id={row.id} />
      )
    }
  />
)

/** What the import made before its rows, a class or an own field, by its label; else whom a row is about. */
function Made({ row }: { row: PlannedRow }) {
  const [made] = row.cells
  if (row.row !== undefined || !made?.to) return <Who row={row} />
  return (
    <>
      {made.column === 'class' && columnWords(made.column)} <bdi>{made.to}</bdi>
    </>
  )
}

/** Whom a row is about, with the way there; of each field that stays, what it holds and what it held before. */
function OfStudent({ row, id }: { row: PlannedRow; id: number }) {
  const student = useStudent(id)
  return (
    <>
      <td>
        <Called id={id} student={student} />
      </td>
      <td>{keptOf(row, student)}</td>
    </>
  )
}

/** A child who came with the import and was changed since stays as a whole. */
function keptOf({ outcome, cells, kept = [] }: PlannedRow, student?: Student) {
  if (outcome === 'create') return texts().keptWhole(listed(kept.map(keptWords)))
  return (
    <ul class="told">
      {kept.map((field) => {
        const whole = field === 'class_id' ? 'class' : field
        const before = cells.filter(
          ({ column, hidden, code }) => !hidden && code === undefined && isOf(column, whole),
        )
        return (
          <li key={field}>
            <span class="quiet">{keptWords(field)}</span> <bdi>{student && nowOf(student, whole)}</bdi>
            {before.map(({ column, from }) => (
              <span key={column}>
                {' '}
                {column !== whole && <span class="quiet">{columnWords(column)}</span>}{' '}
                {texts().keptBefore(isolated(wordsOf(column, from)))}
              </span>
            ))}
          </li>
        )
      })}
    </ul>
  )
}

/** Whether a column is a field, or a part of it: those of guardians and identifiers are many. */
const isOf = (column: string, field: string) =>
  column === field ||
  column.replace(/^guardian_.*/, 'guardians').replace(/^identifiers\..*/, 'identifiers') === field

/** What a field holds; undefined: it is no text, or may not be seen. */
function nowOf(student: Student, column: string): string | undefined {
  const own = ownOf(column)
  const value: unknown = own === undefined ? student[column as keyof Student] : (student.fields[own] ?? null)
  if (own === undefined && typeof value !== 'string' && value !== null) return undefined
  return wordsOf(column, value)
}

function wordsOf(column: string, value: unknown): string {
  const own = ownOf(column)
  return own === undefined || value === null
    ? valueWords(column, value as string | null)
    : ownText(own, value)
}

const ownOf = (column: string) => /^fields\.(.+)$/.exec(column)?.[1]
