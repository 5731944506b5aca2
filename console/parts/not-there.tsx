import { studentsPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { may } from '../session/session.ts'
import { Title } from './title.tsx'

/** One sentence for what is not there and for what one may not see. */
export function NotThere() {
  return (
    <>
      <Title screen={t().screens.student}>{t().notThere}</Title>
      {may('students.view') && (
        <p>
          <a href={studentsPath}>{t().backToStudents}</a>
        </p>
      )}
    </>
  )
}
