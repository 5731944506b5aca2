import { useMemo } from 'preact/hooks'
import type { School } from '../../client/src/index.ts'
import { address, goTo, newStudentPath, startPath, studentsPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Steps } from '../parts/steps.tsx'
import { Title } from '../parts/title.tsx'
import { SchoolForm } from '../school/form.tsx'
import { may, school } from '../session/session.ts'
import { ClassesStep } from './classes.tsx'
import { texts } from './texts.ts'

const steps = ['school', 'classes', 'students'] as const
type Step = (typeof steps)[number]

const pathOf = (step: Step) => `${startPath}/${step}`

/** The first that is still to be done, as far as the records tell. */
const nextStep = (): Step => (school.value?.name ? 'classes' : 'school')

/** What a new school does first: a step a page. The address has the step, so that a reload goes on there. */
export function Screen() {
  const step = useMemo(() => steps.find((one) => one === address.value.part) ?? nextStep(), [])
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.start}>{t().screens.start}</Title>
      </div>
      <Steps label={texts().label} names={texts().steps} at={step} />
      <div class="section atwork">
        {step === 'school' && <SchoolStep />}
        {step === 'classes' && <ClassesStep next={pathOf('students')} />}
        {step === 'students' && <StudentsStep />}
      </div>
    </>
  )
}

const asked = ['/name', '/address', '/time_zone']

/** The time zone that a new server has, until somebody chooses one. */
const unchosen = 'UTC'

/** The browser's time zone in the place of the one that nobody chose. */
function withZone({ time_zone }: School): Readonly<Record<string, string>> {
  return time_zone === unchosen ? { '/time_zone': Intl.DateTimeFormat().resolvedOptions().timeZone } : {}
}

function SchoolStep() {
  const goOn = () => goTo(pathOf('classes'))
  return (
    <>
      <p>{texts().school}</p>
      <SchoolForm
        only={asked}
        propose={withZone}
        onSaved={goOn}
        skip={{ to: goOn, labels: { save: texts().saveOn, close: texts().skip } }}
      />
    </>
  )
}

function StudentsStep() {
  return (
    <>
      <p>{texts().students}</p>
      <div class="actions">
        {may('students.import') && (
          <a class="button primary" href="#/imports">
            {t().students.importFirst}
          </a>
        )}
        {may('students.create') && (
          <a class="button" href={newStudentPath}>
            {t().students.addFirst}
          </a>
        )}
        <a href={studentsPath}>{texts().later}</a>
      </div>
    </>
  )
}
