import type { Student } from '../../client/src/index.ts'
import { dayInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { classes, school } from '../session/session.ts'
import { texts } from './texts.ts'

/** That a child is at the school: to be signed and stamped. */
export function Confirmation({ student }: { student: Student }) {
  const { name, class_id, admission_number } = student
  const say = texts()
  const label = classes.value.find(({ id }) => id === class_id)?.label ?? student.class
  return (
    <>
      {school.value?.address && (
        <p class="lines">
          <bdi>{school.value.address}</bdi>
        </p>
      )}
      <p>{say.confirms}</p>
      <dl class="values">
        <div>
          <dt>{t().fields.name}</dt>
          <dd>
            <strong>
              <Name>{name}</Name>
            </strong>
          </dd>
        </div>
        {'date_of_birth' in student && (
          <div>
            <dt>{t().fields.date_of_birth}</dt>
            <dd class="number">
              {student.date_of_birth ? dayInWords(String(student.date_of_birth)) : <span class="by-hand" />}
            </dd>
          </div>
        )}
        <div>
          <dt>{t().fields.class}</dt>
          <dd>
            <bdi>{label}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t().fields.admission_number}</dt>
          <dd>
            <bdi class="number">{admission_number}</bdi>
          </dd>
        </div>
      </dl>
      <div class="signed">
        <p>{say.stamp}</p>
        <p>{say.signature}</p>
      </div>
    </>
  )
}
