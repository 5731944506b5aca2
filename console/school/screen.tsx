import { notice } from '../frame/notice.tsx'
import { t } from '../language/language.ts'
import { Title } from '../parts/title.tsx'
import { SchoolForm } from './form.tsx'

/** What the school says of itself. */
export function Screen() {
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.school}>{t().screens.school}</Title>
      </div>
      <SchoolForm onSaved={() => (notice.value = { text: () => t().student.saved })} />
    </>
  )
}
