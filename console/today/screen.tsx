import type { Outcome } from '../api/calls.ts'
import { newStudentPath, printPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import style from '../look/today.css' with { type: 'text' }
import { Failed } from '../parts/failed.tsx'
import { Later } from '../parts/later.tsx'
import { adopt } from '../parts/style.ts'
import { Title } from '../parts/title.tsx'
import { classes, may } from '../session/session.ts'
import { EmptyRegister } from '../students/empty-register.tsx'
import { ByClass } from './by-class.tsx'
import { texts } from './texts.ts'
import { ToLook } from './to-look.tsx'
import { useCounted } from './use-counted.ts'
import { countStudents } from './watched.ts'

adopt(style)

/** Loaded while the counts are asked for: it has the parts of the log. */
const latest = () => import('./latest.tsx')

/** Whoever sees no students is told of none. */
const seesNobody = async () => ({ is: 'done', data: undefined, tag: '' }) as const

/** What opens after the sign-in: what there is, what wants a look, and what one changed last. */
export function Screen() {
  const count: () => Promise<Outcome<number | undefined>> = may('students.view') ? countStudents : seesNobody
  const { data, failure, load } = useCounted(count)
  const { value: total } = data
  const isEmpty = total === 0
  const isOneClass = classes.value.filter(({ students }) => students > 0).length === 1
  const say = t()
  return (
    <>
      <div class="heading">
        <Title screen={say.screens.today}>{say.screens.today}</Title>
        <p class="quiet number" role="status">
          {total !== undefined && !isEmpty && say.students.count(total)}
        </p>
        <div class="end">
          {!!total && (
            <a class="button" href={printPath({ as: 'classes' })}>
              {isOneClass ? texts().printClass : texts().printClasses}
            </a>
          )}
          {may('students.create') && !isEmpty && (
            <a class="button primary" href={newStudentPath} aria-keyshortcuts="n">
              {say.students.add}
            </a>
          )}
        </div>
      </div>
      {failure.value && <Failed what={say.failed.load} failure={failure.value} again={() => void load()} />}
      {isEmpty && <EmptyRegister />}
      <div class="today">
        <div>
          <ToLook isEmpty={isEmpty} />
          {may('classes.view') && !isEmpty && <ByClass />}
        </div>
        <Later load={latest} />
      </div>
    </>
  )
}
