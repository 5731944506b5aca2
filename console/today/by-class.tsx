import { useSignal } from '@preact/signals'
import type { Class } from '../../client/src/index.ts'
import { studentsPath } from '../frame/address.ts'
import { code, t } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { Failed } from '../parts/failed.tsx'
import { Name } from '../parts/name.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { loadClasses, mayIn } from '../session/session.ts'
import { texts } from './texts.ts'
import { useCounted } from './use-counted.ts'

/** So many classes are shown until one asks for all. */
const fewClasses = 30

/** How many students each class has: the number, and a bar beside it. */
export function ByClass() {
  const { data, failure, load } = useCounted(loadClasses)
  const showsAll = useSignal(false)
  const say = texts()
  // A class that takes no new students is of interest while it has some.
  const rows = data.value?.filter(({ archived, students }) => students > 0 || !archived) ?? []
  const most = Math.max(1, ...rows.map(({ students }) => students))
  if (data.value && rows.every(({ students }) => students === 0)) return null
  const shown = showsAll.value ? rows : rows.slice(0, fewClasses)
  return (
    <section aria-labelledby="by-class">
      <h2 id="by-class">{say.byClass}</h2>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {rows.length > 0 && (
        <Scroll label={say.byClass}>
          <table aria-labelledby="by-class">
            <thead>
              <tr>
                <th scope="col">{say.class}</th>
                <th scope="col">{say.students}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <Row key={one.id} shown={one} most={most} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {shown.length < rows.length && (
        <button type="button" class="plain" onClick={() => (showsAll.value = true)}>
          {say.allClasses(numberIn(code.value, rows.length))}
        </button>
      )}
    </section>
  )
}

function Row({ shown: { id, label, students }, most }: { shown: Class; most: number }) {
  return (
    <tr>
      <td>
        {mayIn('students.view', id) ? (
          <a class="name" href={`${studentsPath}?class=${id}`}>
            <Name>{label}</Name>
          </a>
        ) : (
          <span class="name">
            <Name>{label}</Name>
          </span>
        )}
      </td>
      <td>
        <div class="measure">
          <span class="number">{numberIn(code.value, students)}</span>
          <svg aria-hidden="true">
            <rect width={`${(100 * students) / most}%`} height="100%" />
          </svg>
        </div>
      </td>
    </tr>
  )
}
