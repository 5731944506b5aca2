import { newStudentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { may } from '../session/session.ts'

/** The register has nobody yet: how it gets its first students, for who may enter some. */
export function EmptyRegister() {
  const texts = t().students
  return (
    <div class="nothing">
      <p>{texts.empty}</p>
      <div class="actions">
        {may('students.import') && (
          <a class="button" href="#/imports">
            {texts.importFirst}
          </a>
        )}
        {may('students.create') && (
          <a class="button" href={newStudentPath}>
            {texts.addFirst}
          </a>
        )}
      </div>
    </div>
  )
}
