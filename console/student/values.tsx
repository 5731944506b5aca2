import type { Identifier, Student } from '../../client/src/index.ts'
import { ageOn, dayInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { classes } from '../session/session.ts'
import { type ChildField, seenOwnFields, shownFields } from './form.ts'
import { ownText } from './own-values.ts'

/** What is known of a child itself. */
export function ChildValues({ student }: { student: Student }) {
  return (
    <dl class="values">
      {shownFields(student).map((field) => (
        <div key={field}>
          <dt>{t().fields[field]}</dt>
          <dd>
            <ChildValue name={field} student={student} />
          </dd>
        </div>
      ))}
      {((student.identifiers ?? []) as Identifier[]).map(({ system, value }) => (
        <div key={`${system} ${value}`}>
          <dt>
            <bdi>{system}</bdi>
          </dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What is said in the place of a value. */
export const Nothing = ({ children }: { children: string }) => <span class="quiet">{children}</span>

function ChildValue({ name, student }: { name: ChildField; student: Student }) {
  const value = student[name]
  if (value === null || value === undefined || value === '')
    return <Nothing>{t().student.notEntered}</Nothing>
  const text = String(value)
  if (name === 'class_id')
    return <bdi>{classes.value.find(({ id }) => id === value)?.label ?? student.class}</bdi>
  if (name === 'date_of_birth')
    return (
      <span class="number">
        {dayInWords(text)} <span class="quiet">{t().student.age(ageOn(text))}</span>
      </span>
    )
  return <bdi>{text}</bdi>
}

/** What the school's own fields say of a child. */
export function OwnValues({ student }: { student: Student }) {
  return (
    <dl class="values">
      {seenOwnFields(student).map(({ key, label, kind }) => {
        const value = student.fields[key]
        const isNothing = value === null || value === undefined
        return (
          <div key={key}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>
              {isNothing ? (
                <Nothing>{kind === 'yes_no' ? t().student.notAsked : t().student.notEntered}</Nothing>
              ) : (
                <bdi>{ownText(key, value)}</bdi>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
