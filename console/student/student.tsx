import { useEffect, useMemo } from 'preact/hooks'
import type { Student } from '../../client/src/index.ts'
import { codeOf } from '../api/calls.ts'
import { address } from '../frame/address.ts'
import { instantInWords } from '../language/dates.ts'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Menu } from '../parts/menu.tsx'
import { Name } from '../parts/name.tsx'
import { NotThere } from '../parts/not-there.tsx'
import { Title } from '../parts/title.tsx'
import { classes, school, session } from '../session/session.ts'
import { Beside } from './beside.tsx'
import { type SectionName, seenOwnFields } from './form.ts'
import { History } from './history.tsx'
import { MoveClass } from './move-class.tsx'
import { Offered } from './offered.tsx'
import { StudentRecord } from './record.ts'
import { Section } from './section.tsx'

const prints = () => import('../print/record-menu.tsx')

/** The student whom the address names. */
export const Screen = () => <StudentScreen key={address.value.id} id={address.value.id} />

/** One student: what is known, a section at a time to change, and what was changed. */
function StudentScreen({ id }: { id: number }) {
  const record = useMemo(() => new StudentRecord(id), [id])
  const { is } = session.value
  useEffect(() => {
    if (is === 'in') void record.load()
  }, [record, is])
  const { value: read } = record.read
  const { value: failure } = record.failure
  if (failure && codeOf(failure) === 'student_not_found') return <NotThere />
  return (
    <>
      <Beside id={id} />
      {failure && <Failed what={t().failed.load} failure={failure} again={() => void record.load()} />}
      <ChangedElsewhere record={record} />
      {read && (
        <>
          <div class="heading">
            <Title screen={t().screens.student}>
              <Name>{read.student.name}</Name>
              {read.student.preferred_name && read.student.preferred_name !== read.student.name && (
                <>
                  {' '}
                  <Name>{t().quoted(read.student.preferred_name)}</Name>
                </>
              )}
            </Title>
            <MoveClass record={record} />
            <Menu label={t().screens.print} load={prints} />
          </div>
          <p class="facts">
            <bdi class="number">{read.student.admission_number}</bdi> ·{' '}
            <bdi>
              {classes.value.find((one) => one.id === read.student.class_id)?.label ?? read.student.class}
            </bdi>
          </p>
          <Offered record={record} />
          <div class="record">
            <div>
              {sectionsOf(read.student).map((name) => (
                <Section key={name} name={name} record={record} />
              ))}
            </div>
            <History record={record} />
          </div>
        </>
      )}
    </>
  )
}

/** The sections that this student has for the account. */
function sectionsOf(student: Student): SectionName[] {
  const sections: SectionName[] = ['child']
  if ('guardians' in student) sections.push('guardians')
  if (seenOwnFields(student).length > 0) sections.push('own')
  return sections
}

/** Tells, when one comes back to the tab, that somebody else changed the student meanwhile. */
function ChangedElsewhere({ record }: { record: StudentRecord }) {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void record.lookAgain()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [record])
  const { value: newer } = record.newer
  return (
    <div role="status">
      {newer && (
        <p class="check actions">
          {t().student.changedElsewhere(
            isolated(newer.by || t().history.somebody),
            newer.at && instantInWords(newer.at, school.value?.time_zone ?? 'UTC'),
          )}
          <button type="button" onClick={() => record.showNewer()}>
            {t().student.show}
          </button>
        </p>
      )}
    </div>
  )
}
