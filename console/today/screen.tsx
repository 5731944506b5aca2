import { useSignal } from '@preact/signals'
import { newStudentPath, printPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Title } from '../parts/title.tsx'
import { may } from '../session/session.ts'
import { EmptyRegister } from '../students/empty-register.tsx'
import { ByClass } from './by-class.tsx'
import { Latest } from './latest.tsx'
import { texts } from './texts.ts'
import { ToLook } from './to-look.tsx'
import { useCounted } from './use-counted.ts'
import { countStudents } from './watched.ts'

/** What opens after the sign-in: what there is, what wants a look, and what one changed last. */
export function Screen() {
  /** Counted up when something was undone here: then all is counted anew. */
  const round = useSignal(0)
  const { value } = round
  return (
    <>
      {may('students.view') ? <Register round={value} /> : <Heading isEmpty />}
      <div class="today">
        <div>
          <ToLook round={value} />
          {may('classes.view') && <ByClass round={value} />}
        </div>
        <Latest onUndone={() => round.value++} />
      </div>
    </>
  )
}

/** How many students there are; where nobody is there, how they come in. */
function Register({ round }: { round: number }) {
  const { data, failure, load } = useCounted(() => countStudents(), round)
  const { value } = data
  return (
    <>
      <Heading isEmpty={!value}>{value !== undefined && t().students.count(value)}</Heading>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {value === 0 && <EmptyRegister />}
    </>
  )
}

function Heading({ isEmpty, children }: { isEmpty: boolean; children?: preact.ComponentChildren }) {
  return (
    <div class="heading">
      <Title screen={t().screens.today}>{t().screens.today}</Title>
      <p class="quiet number" role="status">
        {children}
      </p>
      <div class="end">
        {!isEmpty && (
          <a class="button" href={printPath({ as: 'classes' })}>
            {texts().printClasses}
          </a>
        )}
        {may('students.create') && (
          <a class="button primary" href={newStudentPath} aria-keyshortcuts="n">
            {t().students.add}
          </a>
        )}
      </div>
    </div>
  )
}
