import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Guardian, Student } from '../../client/src/index.ts'
import { studentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { useReturn } from '../parts/leaving.ts'
import { Name } from '../parts/name.tsx'
import { draftOf } from '../session/drafts.ts'
import { accountOf } from '../session/session.ts'
import { mayEdit, type SectionName } from './form.ts'
import type { StudentRecord } from './record.ts'
import { draftName, SectionForm } from './section-form.tsx'
import type { Sharer } from './shared.ts'
import { SharedChanges } from './shared-changes.tsx'
import { texts } from './texts.ts'
import { ChildValues, Nothing, OwnValues } from './values.tsx'

/** A part of a student: read, until `Edit` makes a form of it. */
export function Section({ name, record }: { name: SectionName; record: StudentRecord }) {
  const isOpen = useSignal(
    mayEdit(name) && draftOf(accountOf()?.id ?? 0, draftName(record.id, name)) !== undefined,
  )
  const button = useRef<HTMLButtonElement>(null)
  const { student } = record.read.value!
  const close = () => {
    isOpen.value = false
  }
  useReturn(isOpen.value, () => button.current)
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
        <Values name={name} record={record} student={student} />
      )}
      {name === 'guardians' && <SharedChanges record={record} />}
    </section>
  )
}

function Values({ name, record, student }: { name: SectionName; record: StudentRecord; student: Student }) {
  if (name === 'guardians')
    return <Guardians record={record} guardians={(student.guardians ?? []) as Guardian[]} />
  if (name === 'own') return <OwnValues student={student} />
  return <ChildValues student={student} />
}

function Guardians({ record, guardians }: { record: StudentRecord; guardians: readonly Guardian[] }) {
  useEffect(() => void record.findSharers(), [record, record.read.value?.tag])
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
          <AlsoOf sharers={record.shared.value[place] ?? []} />
          <p class="actions">
            {phone && (
              <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
                <bdi dir="ltr" class="number">
                  {phone}
                </bdi>
              </a>
            )}
            {email && (
              <a href={mailTo(email)}>
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

/** An address may have a `?` in it, behind which a mail program would read more receivers (RFC 6068). */
const mailTo = (email: string) => `mailto:${encodeURIComponent(email).replace('%40', '@')}`

const mostShown = 5

/** The other children who have this guardian: brothers and sisters, mostly. */
function AlsoOf({ sharers }: { sharers: readonly Sharer[] }) {
  if (sharers.length === 0) return null
  return (
    <p class="quiet">
      {texts().alsoOf}{' '}
      {sharers.slice(0, mostShown).map(({ id, name, class: label }, i) => (
        <span key={id}>
          {i > 0 && ' · '}
          <a href={studentPath(id)}>
            <Name>{name}</Name>
          </a>
          , <bdi>{label}</bdi>
        </span>
      ))}
      {sharers.length > mostShown && ` ${t().students.more(sharers.length - mostShown)}`}
    </p>
  )
}
