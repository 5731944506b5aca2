import { code, t } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { Failed } from '../parts/failed.tsx'
import { texts } from './texts.ts'
import { useCounted } from './use-counted.ts'
import { type Watched, watched } from './watched.ts'

/** What the office may want to look at: each count leads to the list of just these. */
export function ToLook({ isEmpty }: { isEmpty: boolean }) {
  const all = watched(isEmpty)
  if (all.length === 0) return null
  return (
    <section class="section" aria-labelledby="to-look">
      <h2 id="to-look">{texts().toLook}</h2>
      <ul class="watched">
        {all.map((one) => (
          <li key={one.name}>
            <Count of={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Count({ of: { name, path, count, isRare } }: { of: Watched }) {
  const { data, failure, load } = useCounted(count)
  const label = texts().watched[name]
  const { value } = data
  if (failure.value)
    return <Failed what={`${label}: ${t().failed.load}`} failure={failure.value} again={() => void load()} />
  if (isRare && !value) return null
  if (!value)
    return (
      <span class="quiet">
        {label} <span class="number">{value === 0 ? '0' : '…'}</span>
      </span>
    )
  return (
    <a href={path}>
      {label} <strong class="number">{numberIn(code.value, value)}</strong>
    </a>
  )
}
