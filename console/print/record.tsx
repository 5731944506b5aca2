import type { Guardian, Student } from '../../client/src/index.ts'
import { t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { guardianFields, seenOwnFields } from '../student/form.ts'
import { ChildValues, OwnValues } from '../student/values.tsx'

/** All of a student that the account sees. */
export function Record({ student }: { student: Student }) {
  const { sections } = t()
  return (
    <>
      <h2>{sections.child}</h2>
      <ChildValues student={student} />
      {'guardians' in student && (
        <>
          <h2>{sections.guardians}</h2>
          <Guardians guardians={(student.guardians ?? []) as Guardian[]} />
        </>
      )}
      {seenOwnFields(student).length > 0 && (
        <>
          <h2>{sections.own}</h2>
          <OwnValues student={student} />
        </>
      )}
    </>
  )
}

function Guardians({ guardians }: { guardians: readonly Guardian[] }) {
  if (guardians.length === 0) return <p class="quiet">{t().student.noGuardians}</p>
  return guardians.map((guardian, place) => (
    <dl class="values whole" key={place}>
      {guardianFields.map(
        (field) =>
          guardian[field] && (
            <div key={field}>
              <dt>{t().fields[field]}</dt>
              <dd>
                {field === 'phone' || field === 'email' ? (
                  <bdi dir="ltr" class="number">
                    {guardian[field]}
                  </bdi>
                ) : (
                  <Name>{guardian[field]}</Name>
                )}
              </dd>
            </div>
          ),
      )}
    </dl>
  ))
}
