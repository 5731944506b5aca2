import { printPath } from '../frame/address.ts'
import { found } from '../students/found.ts'
import { texts } from './texts.ts'

/** What a view is printed as: the names of `layout.ts`. */
const ways = [
  { key: 'list' },
  { key: 'ticks', ticks: '1' },
  { key: 'blanks', blanks: '3' },
  { key: 'classes', as: 'classes' },
  { key: 'photo', as: 'photo' },
] as const

/** The ways in which what the list shows now is printed. */
export function Screen() {
  const { value } = found
  if (value === undefined) return null
  const { kinds, withTicks, withBlanks } = texts()
  const labels = { ...kinds, ticks: withTicks, blanks: withBlanks }
  return (
    <ul class="files">
      {ways.map(({ key, ...parameters }) => (
        <li key={key}>
          <a href={printPath(withView(value.hash, value.asked.guardian, parameters))}>{labels[key]}</a>
        </li>
      ))}
    </ul>
  )
}

/** A print of all pages of a view; where its search found nobody but guardians, of those. */
function withView(hash: string, guardian: string | undefined, parameters: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(hash.split('?')[1])
  query.delete('page')
  query.delete('per')
  if (guardian !== undefined) {
    query.delete('search')
    query.set('guardian', guardian)
  }
  for (const [name, text] of Object.entries(parameters)) query.set(name, text)
  return query
}
