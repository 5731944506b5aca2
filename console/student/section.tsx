import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Guardian, Identifier, Student } from '../../client/src/index.ts'
import { ageOn, dayInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { classes } from '../session/session.ts'
import { type ChildField, mayEdit, type SectionName, seenOwnFields, shownFields } from './form.ts'
import { ownText } from './own-values.ts'
import type { StudentRecord } from './record.ts'
import { SectionForm } from './section-form.tsx'

/** A part of a student: read, until `Edit` makes a form of it. */
export function Section({ name, record }: { name: SectionName; record: StudentRecord }) {
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const { student } = record.read.value!
  const close = () => {
    isOpen.value = false
    requestAnimationFrame(() => button.current?.focus())
  }
  const title = t().sections[name]
  return (
    <section class="section" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {mayEdit(name) && !isOpen.value && (
          <button
            type="button"
            ref={button}
            data-edit
            aria-label={t().student.editSection(title)}
            onClick={() => (isOpen.value = true)}
          >
            {t().student.edit}
          </button>
        )}
      </header>
      {isOpen.value ? (
        <SectionForm name={name} record={record} close={close} />
      ) : (
        <Values name={name} student={student} />
      )}
    </section>
  )
}

function Values({ name, student }: { name: SectionName; student: Student }) {
  if (name === 'guardians') return <Guardians guardians={(student.guardians ?? []) as Guardian[]} />
  if (name === 'own') return <OwnValues student={student} />
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

const Nothing = ({ children }: { children: string }) => <span class="quiet">{children}</span>

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

function Guardians({ guardians }: { guardians: readonly Guardian[] }) {
  if (guardians.length === 0) return <Nothing>{t().student.noGuardians}</Nothing>
  return (
    <ol>
      {guardians.map(({ name, relation, phone, email, address, note }, place) => (
        <li class="guardian" key={`${place} ${name}`}>
          <p>
            <strong>
              <Name>{name}</Name>
            </strong>
            {relation && (
              <span class="quiet">
                {' · '}
                <bdi>{relation}</bdi>
              </span>
            )}
          </p>
          <p class="actions">
            {phone && (
              <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
                <bdi dir="ltr" class="number">
                  {phone}
                </bdi>
              </a>
            )}
            {email && (
              <a href={`mailto:${email}`}>
                <bdi dir="ltr">{email}</bdi>
              </a>
            )}
          </p>
          {[address, note].map(
            (text) =>
              text && (
                <p key={text}>
                  <bdi>{text}</bdi>
                </p>
              ),
          )}
        </li>
      ))}
    </ol>
  )
}

function OwnValues({ student }: { student: Student }) {
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
