import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { getStudent, type Student } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { studentPath } from '../frame/address.ts'
import { dayInWords } from '../language/dates.ts'
import { listedApart } from '../language/language.ts'

/** A student whom a row may be: read once it is shown. */
export function useStudent(id: number): Student | undefined {
  const student = useSignal<Student | undefined>(undefined)
  useEffect(() => {
    void call(() => getStudent({ path: { id } })).then((came) => {
      if (came.is === 'done') student.value = came.data.data
    })
  }, [id])
  return student.value
}

/** Name, number, class and date of birth, as far as one may see them. */
export const inWords = ({ name, admission_number, class: label, date_of_birth: born }: Student) =>
  listedApart([name, admission_number, label ?? '', born ? dayInWords(born) : ''].filter(Boolean))

/** Who it is, with a link. */
export function Known({ id }: { id: number }) {
  return <Called id={id} student={useStudent(id)} />
}

/** A link to a student, by name and number once these are read. */
export const Called = ({ id, student }: { id: number; student: Student | undefined }) => (
  <a class="name" href={studentPath(id)}>
    <bdi>{student?.name ?? '…'}</bdi> {student && <bdi class="quiet number">{student.admission_number}</bdi>}
  </a>
)
